internal import CProbe
internal import LinuxIO

/// A child under the same confinement as its parent that tries to break out, one attempt at a time,
/// each in a grandchild of its own.
///
/// It is started before the parent confines itself. The parent ignores SIGPIPE and keeps
/// `descriptor` among those that stay open; the child dies with it.
public final class ProbeChild {
    /// The parent's end of the channel to the child.
    public var descriptor: Int32 { channel.number }
    /// The child, as its parent counts.
    public let process: Int32
    private let channel: FileDescriptor
    private var isUsable = true

    /// Starts the child and waits until it is confined.
    ///
    /// - Parameter plan: The parent's plan with the filter of its probe policy.
    public static func start(_ plan: ConfinementPlan) throws(ConfinementError) -> ProbeChild {
        let ruleset = try LandlockRuleset(plan.landlock)
        var channel: Int32 = -1
        let program = plan.filter.program
        let result = program.withUnsafeBytes { bytes in
            probe_start(
                bytes.baseAddress?.assumingMemoryBound(to: sock_filter.self),
                UInt16(program.count), ruleset.number, &channel)
        }
        let process = try ConfinementError.check(result, .probe)
        return ProbeChild(channel: FileDescriptor(owning: channel), process: process)
    }

    private init(channel: consuming FileDescriptor, process: Int32) {
        self.channel = channel
        self.process = process
    }

    /// Tries `kind` for real and says what became of it.
    ///
    /// - Parameter milliseconds: How long each attempt may take. A child that is late once is not
    ///   asked again: its later answers could be taken for another's.
    public func run(
        _ kind: ProbeKind, at targets: ProbeTargets, milliseconds: Int32 = 500
    ) -> ProbeOutcome {
        .worst(kind.requests(targets).map { run($0, milliseconds: milliseconds) })
    }

    private func run(_ request: ProbeRequest, milliseconds: Int32) -> ProbeOutcome {
        guard isUsable else { return .unclear(.brokenPipe) }
        guard var encoded = request.encoded else { return .unclear(.nameTooLong) }
        var record = probe_record()
        let result = probe_run(descriptor, &encoded, &record, milliseconds)
        guard result < 0 else { return ProbeOutcome(record) }
        isUsable = false
        return .unclear(Errno(-result))
    }
}

/// The attempts made in the calling process itself, which a worker does: it cannot have a child.
public enum ProbeAttempt {
    /// The number of single attempts that `kind` is made of; each needs a process of its own, since
    /// the first may end it.
    public static func count(of kind: ProbeKind, at targets: ProbeTargets) -> Int {
        kind.requests(targets).count
    }

    /// Makes the attempt number `index` here and now. Does not return if seccomp kills it; the
    /// parent then says `.killed` from the signal that wait reports.
    public static func make(_ kind: ProbeKind, index: Int, at targets: ProbeTargets) -> ProbeOutcome
    {
        let requests = kind.requests(targets)
        guard requests.indices.contains(index), var encoded = requests[index].encoded else {
            return .unclear(.invalidArgument)
        }
        var record = probe_record()
        probe_attempt(&encoded, &record)
        return ProbeOutcome(record)
    }
}
