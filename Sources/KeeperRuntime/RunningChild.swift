import KeeperCore
import LinuxIO
import LocalSockets
import Messages

/// A process of the keeper and the keeper's ends of what leads to it.
final class RunningChild {
    let child: Child
    let pid: Int32
    let control: FrameChannel<ControlReport, ControlOrder>
    /// What it writes to its standard error; nil once that has ended.
    var errors: HeldDescriptor?
    var output = ChildOutput()
    /// The number of the link whose end it was started with; to the child itself that is number 0.
    let firstLink: UInt64
    /// What it was told of the machine's name servers.
    var nameServers: String?
    /// Set when the channel has ended; what comes after does not count.
    var isCutOff = false

    private init(
        child: Child, pid: Int32, control: FrameChannel<ControlReport, ControlOrder>,
        errors: HeldDescriptor, firstLink: UInt64
    ) {
        self.child = child
        self.pid = pid
        self.control = control
        self.errors = errors
        self.firstLink = firstLink
    }

    /// What is the same for every start of every child.
    struct Surroundings {
        let null: HeldDescriptor
        let listeners: Listeners
        let groups: ControlGroups?
        /// The device key, where the service manager gave one.
        let credential: HeldDescriptor?
        /// `/proc/meminfo`, which the signer's private root has not.
        let memory: HeldDescriptor
        /// The authorities of certificates, which the network process's private root has not.
        let certificates: HeldDescriptor?
        /// The signed list of peers, where one is named.
        let peerList: HeldDescriptor?
    }

    /// Starts a child with one end of a link.
    static func start(
        _ plan: ChildPlan, link: HeldDescriptor, linkGeneration: UInt64, _ around: Surroundings
    ) throws(StepFailure) -> RunningChild {
        let sockets = try step("make a control channel") { () throws(Errno) in
            try LocalSocket.pair()
        }
        let pipe = try step("make a pipe") { () throws(Errno) in try Pipe() }
        let null = around.null.number
        guard let listener = around.listeners.number(of: plan.child) else {
            preconditionFailure("every child of the role has a listener")
        }
        // The numbers are fixed: where there is no credential, nothing stands in its place.
        let own =
            switch (plan.child, around.peerList) {
            case (.signer, _): [around.credential?.number ?? null, around.memory.number]
            case (.network, let list?): [around.certificates?.number ?? null, list.number]
            case (.network, nil): [around.certificates?.number].compactMap { $0 }
            }
        let pid = try plan.start(
            descriptors: [
                null, null, pipe.writing.number, sockets.second.number, link.number, listener,
            ] + own,
            cgroup: around.groups?.directory(of: plan.child))
        let errors = HeldDescriptor(pipe.onlyReading())
        do throws(Errno) {
            try errors.setNonblocking()
            return RunningChild(
                child: plan.child, pid: pid, control: try FrameChannel(sockets.onlyFirst()),
                errors: errors, firstLink: linkGeneration)
        } catch {
            throw StepFailure("cannot use the control channel: \(error)")
        }
    }

    /// The number that the keeper gave to a link by which the child calls it.
    func link(calledByChild number: UInt64) -> UInt64 { number == 0 ? firstLink : number }

    /// The lines that it wrote to its standard error since.
    func newLines(at now: Duration) -> [String] {
        guard let errors else { return [] }
        var lines: [String] = []
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 4096, alignment: 1)
        defer { buffer.deallocate() }
        // Not all that comes: another child must have its turn.
        for _ in 0..<16 {
            switch try? Kernel.read(errors.number, into: buffer) {
            case .moved(let count): lines += output.take(buffer[..<count], at: now)
            case .wouldBlock: return lines
            case .ended, nil:
                self.errors = nil
                return lines
            }
        }
        return lines
    }
}
