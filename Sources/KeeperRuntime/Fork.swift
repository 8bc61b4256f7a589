import CNamespaces
import Glibc
import LinuxIO

/// A process of its own namespaces that is on its way to another program.
enum Fork {
    /// Above the numbers at which a child finds its descriptors.
    static let firstFreeNumber: Int32 = 64

    /// Splits off a process and waits until it has become another program or has given up.
    ///
    /// - Parameters:
    ///   - namespaces: The new namespaces, as flags of `linux_clone`.
    ///   - body: What it does first, given the number of the descriptor that it reports through: at
    ///     least `firstFreeNumber`, and closed by exec.
    /// - Returns: Its process id.
    static func start(
        namespaces: UInt64, _ body: (Int32) throws(StepFailure) -> Never
    ) throws(StepFailure) -> Int32 {
        let pipe = try step("make a pipe") { () throws(Errno) in try Pipe() }
        let pid = try step("start a process in namespaces of its own") { () throws(Errno) in
            try System.checkNegative(linux_clone(namespaces))
        }
        guard pid != 0 else {
            let report = fcntl(pipe.onlyWriting().take(), F_DUPFD_CLOEXEC, firstFreeNumber)
            do throws(StepFailure) {
                try body(report)
            } catch {
                var text = error.description
                text.withUTF8 { bytes in _ = write(report, bytes.baseAddress, bytes.count) }
                Kernel.exit(1)
            }
        }
        let reading = pipe.onlyReading()
        let failure = try step("hear from the new process") { () throws(Errno) in
            try System.readAll(reading.number, limit: 1024)
        }
        guard !failure.isEmpty else { return pid }
        _ = try? Kernel.killAndReap(pid)
        throw StepFailure(String(decoding: failure, as: UTF8.self))
    }

    /// In a new user namespace: the user and group stay who they are, and no other exists.
    static func mapUserToItself(_ account: Account) throws(StepFailure) {
        try step("map the user into its namespace") { () throws(Errno) in
            // A keeper that may not be looked into hands that on, and then these files are root's.
            try System.checkNegative(linux_set_dumpable())
            try System.write("deny", to: "/proc/self/setgroups")
            try System.write("\(account.gid) \(account.gid) 1", to: "/proc/self/gid_map")
            try System.write("\(account.uid) \(account.uid) 1", to: "/proc/self/uid_map")
        }
    }
}
