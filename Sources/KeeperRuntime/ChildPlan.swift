import CLinux
import CNamespaces
import Glibc
package import KeeperCore
import LinuxIO

/// How one child is started; decided once, used at every restart.
package struct ChildPlan {
    let child: Child
    let program: ProgramFiles
    /// Without the program's name.
    let arguments: [String]
    /// The child's directory, in the file system of the keeper.
    let stateDirectory: String
    /// The user to become; nil where the child stays the caller.
    let account: Account?
    /// The caller, whom a user namespace maps to itself; nil without one.
    let mapped: Account?
    /// Whether the child gets namespaces and a root of its own.
    let isIsolated: Bool
    /// A directory that the private root may be mounted on.
    let mountPoint: String

    package init(
        child: Child, program: ProgramFiles, arguments: [String], stateDirectory: String,
        account: Account?, mapped: Account?, isIsolated: Bool, mountPoint: String
    ) {
        self.child = child
        self.program = program
        self.arguments = arguments
        self.stateDirectory = stateDirectory
        self.account = account
        self.mapped = mapped
        self.isIsolated = isIsolated
        self.mountPoint = mountPoint
    }

    /// The descriptors that a child has, by their numbers.
    enum Slot: Int32, CaseIterable {
        case input, output, errors, control, link, listener
        /// The signer's: the device key, where the service manager gave one. The network process's: the
        /// authorities of certificates, where there are some.
        case own
        /// The signer's: how much memory the machine has. The network process's: a signed list of peers,
        /// where one is named.
        case second
    }

    /// The child's whole environment: Swift's crash handler would start another program.
    static let environment = ["SWIFT_BACKTRACE=enable=no"]

    /// The new namespaces, as flags of `linux_clone`.
    ///
    /// The network process keeps the host's network; a user namespace is only made where the caller
    /// is not root, who needs none to make the others.
    var namespaces: UInt64 {
        guard isIsolated else { return 0 }
        let flags =
            linux_namespace_mount.rawValue | linux_namespace_pid.rawValue
            | linux_namespace_ipc.rawValue
            | (child == .signer ? linux_namespace_network.rawValue : 0)
            | (mapped == nil ? 0 : linux_namespace_user.rawValue)
        return UInt64(flags)
    }

    /// Starts the child. Descriptors are named in the order of `Slot`.
    ///
    /// - Parameter cgroup: The directory of its cgroup, if it has one.
    package func start(descriptors: [Int32], cgroup: String?) throws(StepFailure) -> Int32 {
        let counts = Int(Slot.listener.rawValue) + 1...Slot.allCases.count
        precondition(counts.contains(descriptors.count))
        return try Fork.start(namespaces: namespaces) { report throws(StepFailure) in
            if let cgroup {
                try step("enter its cgroup") { () throws(Errno) in
                    try System.write("0", to: cgroup + "/cgroup.procs")
                }
            }
            try become(descriptors: descriptors, report: report)
        }
    }

    /// In the new process: everything that needs the keeper's rights, then the program.
    private func become(descriptors: [Int32], report: Int32) throws(StepFailure) -> Never {
        // A session of its own: Ctrl-C at the keeper's terminal is for the keeper alone.
        setsid()
        umask(0o022)
        if let mapped { try Fork.mapUserToItself(mapped) }
        let path = try enterRoot()
        umask(0o077)
        try placeDescriptors(descriptors, report: report)
        try step("reset signals") { () throws(Errno) in
            try System.checkNegative(linux_reset_signals())
        }
        try giveUpRights()
        try tieToKeeper()
        try step("run \(path)") { () throws(Errno) in
            try System.execute(
                path, arguments: [child.program] + arguments, environment: ChildPlan.environment)
        }
    }

    /// Returns the program's path in the root that holds from here on.
    private func enterRoot() throws(StepFailure) -> String {
        guard isIsolated else {
            // By a path, another user could not reach it: the directories above are the keeper's.
            try step("go to \(stateDirectory)") { () throws(Errno) in
                try System.check(chdir(stateDirectory))
            }
            return program.path
        }
        let root = PrivateRoot(
            program: program, name: child.program, stateDirectory: stateDirectory)
        try root.enter(mountPoint: mountPoint)
        return root.program
    }

    /// Puts the named descriptors at their numbers and closes all others.
    private func placeDescriptors(_ descriptors: [Int32], report: Int32) throws(StepFailure) {
        try step("place the descriptors") { () throws(Errno) in
            // Out of the way first, so that none is overwritten before it was placed.
            var copies: [Int32] = []
            for number in descriptors {
                let copy = fcntl(number, F_DUPFD_CLOEXEC, Fork.firstFreeNumber)
                try System.check(copy)
                copies.append(copy)
            }
            for (slot, copy) in zip(Slot.allCases, copies) {
                try System.place(copy, at: slot.rawValue)
            }
            let firstOther = UInt32(descriptors.count)
            try Kernel.closeAll(in: firstOther...UInt32(report - 1))
            try Kernel.closeAll(in: UInt32(report + 1)...UInt32.max)
        }
    }

    private func giveUpRights() throws(StepFailure) {
        try step("give up capabilities") { () throws(Errno) in
            let bounding = linux_drop_bounding_set()
            // Only where nothing could be isolated has the caller no right to do this, nor any to lose.
            if isIsolated || account != nil { try System.checkNegative(bounding) }
        }
        if let account {
            try step("become user \(account.uid)") { () throws(Errno) in
                try System.checkNegative(linux_become(account.uid, account.gid))
            }
        }
        try step("give up capabilities") { () throws(Errno) in
            try System.checkNegative(linux_drop_capabilities())
        }
    }

    /// The child ends when the keeper does, however that ends.
    private func tieToKeeper() throws(StepFailure) {
        try step("tie it to the keeper") { () throws(Errno) in
            try System.checkNegative(linux_die_with_parent())
        }
        // The keeper may have ended before: then nobody holds the other end of the channel. Its process
        // id says nothing here, as a parent outside the PID namespace is always 0.
        var control = pollfd(fd: Slot.control.rawValue, events: 0, revents: 0)
        if poll(&control, 1, 0) > 0 { Kernel.exit(1) }
    }
}
