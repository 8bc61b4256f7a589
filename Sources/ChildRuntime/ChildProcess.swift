public import Configuration
public import Confinement
public import LinuxIO
public import Messages
public import SeccompPolicies

/// The start of a child of the keeper, the same for both: from exec to the first read.
///
/// The order is that of `docs/privsep.md`. Before the wall stands, an error is a line on standard
/// error; after it there is no stdio, and lines go to the keeper over the control channel.
public struct ChildProcess: ~Copyable {
    /// The descriptors by which the keeper starts a child.
    public enum Descriptor {
        /// To the keeper.
        public static let control: Int32 = 3
        /// To the other child.
        public static let link: Int32 = 4
        /// The socket for people, listening.
        public static let listener: Int32 = 5
        /// The device key, where the service manager gave one; nobody but a worker reads it.
        public static let credential: Int32 = 6
        /// `/proc/meminfo`, the signer's only.
        public static let memory: Int32 = 7
        /// The authorities of certificates, the network process's only.
        public static let certificates: Int32 = 6
        /// A signed list of peers, the network process's only.
        public static let peerList: Int32 = 7
    }

    /// The command line.
    public let arguments: ChildArguments
    /// The chain that it names.
    public let chain: ChainName
    private let started: Duration
    private let name: String
    package var plan: ConfinementPlan

    /// First steps: reads the command line, gives up dumps and descriptors, sets limits.
    ///
    /// Ends the process if the keeper is not there or anything fails.
    public init(
        name: String, policy: PolicyName, limits: ResourceLimits, tcp: LandlockRules.TCP
    ) {
        started = Kernel.timeSinceBoot()
        self.name = name
        Kernel.ignoreBrokenPipes()
        Kernel.returnLargeBlocks()
        if ProgramArguments.all == ["--help"] {
            ChildProcess.write(Documents.childHelp(program: name), to: 1)
            Kernel.exit(Int32(ExitCode.success.rawValue))
        }
        do throws(UsageError) {
            arguments = try ChildArguments(ProgramArguments.all)
        } catch {
            ChildProcess.end(name, .usage, "\(error); it is started by bulkheadd, not by hand")
        }
        guard let chain = ChainName(name: arguments.network.rawValue) else {
            ChildProcess.end(name, .usage, "no chain is called \(arguments.network.rawValue)")
        }
        self.chain = chain
        let filter = ChildProcess.filter(name, policy, traces: arguments.traces)
        plan = ConfinementPlan(
            filter: filter,
            landlock: LandlockRules(paths: [(arguments.stateDirectory, .readWrite)], tcp: tcp),
            limits: limits,
            descriptors: Set(0...Descriptor.listener).union(
                arguments.hasCredential ? [Descriptor.credential] : []
            ).union(arguments.hasMemoryFigures ? [Descriptor.memory] : []).union(
                arguments.hasCertificates ? [Descriptor.certificates] : []
            ).union(arguments.hasPeerList ? [Descriptor.peerList] : []))
        let all = [Descriptor.control, Descriptor.link, Descriptor.listener]
        guard all.allSatisfy(Kernel.isOpen) else {
            ChildProcess.end(
                name, .usage, "descriptors 3 to 5 are not open; it is started by bulkheadd")
        }
        do throws(ConfinementError) {
            try Confinement.prepare(plan)
        } catch {
            ChildProcess.end(name, .confinement, "\(error)")
        }
        // The keeper may have died before this process was tied to it.
        var set = PollSet()
        let place = set.add(Descriptor.control, [])
        try? set.wait(until: .zero)
        guard !set.isEnded(at: place) else { ChildProcess.end(name, .keeperGone, "") }
    }

    /// Compiles a policy for later; ends the process if it cannot.
    public borrowing func filter(_ policy: PolicyName) -> SeccompFilter {
        ChildProcess.filter(name, policy, traces: arguments.traces)
    }

    /// Starts the probe child under this process's own confinement with the filter of `policy`.
    public mutating func startProbes(_ policy: PolicyName) -> ProbeChild {
        var probePlan = plan
        probePlan.filter = filter(policy)
        do throws(ConfinementError) {
            let child = try ProbeChild.start(probePlan)
            plan.descriptors.insert(child.descriptor)
            return child
        } catch {
            ChildProcess.end(name, .confinement, "\(error)")
        }
    }

    /// The wall: no privileges, Landlock, seccomp. What is said to the keeper when it stands.
    public consuming func confine() -> ControlReady {
        do throws(ConfinementError) {
            let (pid, uid) = Kernel.identity()
            let report = try Confinement.apply(plan)
            let time = Kernel.timeSinceBoot() - started
            return ControlReady(
                startupNanoseconds: UInt64(max(0, time.wholeNanoseconds)),
                report: ProcessReport(report, pid: pid, uid: uid))
        } catch {
            ChildProcess.end(name, .confinement, "\(error)")
        }
    }

    /// The wall, and word of it to the keeper: the control channel, and what was said on it.
    public consuming func confineAndReport() -> (
        control: FrameChannel<ControlOrder, ControlReport>, report: ProcessReport
    ) {
        let name = name
        let ready = confine()
        do {
            let control = try FrameChannel<ControlOrder, ControlReport>(
                FileDescriptor(owning: Descriptor.control))
            try control.send(.ready(ready), at: Kernel.timeSinceBoot())
            return (control, ready.report)
        } catch {
            ChildProcess.end(name, .keeperGone, "")
        }
    }

    private static func filter(
        _ name: String, _ policy: PolicyName, traces: Bool
    ) -> SeccompFilter {
        do {
            return try SeccompFilter(
                compiling: try SeccompPolicy(policy), violation: traces ? .log : .kill)
        } catch {
            end(name, .confinement, "\(error)")
        }
    }

    /// Ends the process with a line on standard error.
    public static func end(_ name: String, _ code: ExitCode, _ line: String) -> Never {
        if !line.isEmpty { write("\(name): \(line)\n", to: 2) }
        Kernel.exit(Int32(code.rawValue))
    }

    private static func write(_ text: String, to descriptor: Int32) {
        _ = Array(text.utf8).withUnsafeBytes { try? Kernel.write(descriptor, $0) }
    }
}
