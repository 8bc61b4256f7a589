import Configuration

/// The keeper as a state machine: events and the time go in, actions come out. It does nothing itself.
///
/// What it holds to: the signer is never ended because of the network side; a child that ends is
/// started again after a wait that grows; once both run, both hold ends of the same link; when a stop
/// is asked for, nothing is started any more, and the end comes when the last child is gone.
public struct Keeper: Sendable {
    /// What runs, and by which times.
    public let plan: KeeperPlan
    /// Whether all children were ready at the same time once.
    public private(set) var wasReady = false

    var slots: [Child: Slot]
    /// The number of the newest link, from 1.
    public internal(set) var linkGeneration: UInt64 = 0
    /// When the newest link was said to be gone, and why.
    var linkLoss: (at: Duration, reason: String)?
    /// The child for which the other end of the newest link is kept.
    var linkKeptFor: Child?
    /// The exit code to end with, once a stop is under way.
    var stopCode: ExitCode?
    var actions: [Action] = []
    private var isFinished = false

    /// A keeper that has started nothing yet; its first event is `.time`.
    public init(plan: KeeperPlan) {
        self.plan = plan
        slots = Dictionary(
            uniqueKeysWithValues: plan.children.map { ($0, Slot(phase: .waiting(until: .zero))) })
    }

    /// Whether it is on its way to the end.
    public var isStopping: Bool { stopCode != nil }

    /// How often a child was started so far.
    public func starts(of child: Child) -> Int { slots[child]?.starts ?? 0 }

    /// Whether a child is ready now.
    public func isReady(_ child: Child) -> Bool { slots[child]?.isReady ?? false }

    /// When `.time` has to come at the latest; nil while only other events can lead on.
    public var nextDeadline: Duration? {
        let renewal = linkLoss.map { $0.at + plan.linkTimeout }
        return (slots.values.map { $0.deadline(plan) } + [renewal]).compactMap(\.self).min()
    }

    /// Takes one event and says what to do, in this order.
    public mutating func handle(_ event: Event, at now: Duration) -> [Action] {
        guard !isFinished else { return [] }
        actions = []
        switch event {
        case .time:
            for child in plan.children { passTime(child, now) }
            renewLink(now)
        case .spawnFailed(let child, let reason): spawnFailed(child, reason, now)
        case .ready(let child): becomeReady(child, now)
        case .answered(let child): answered(child, now)
        case .channelClosed(let child): channelClosed(child, now)
        case .channelBroken(let child, let reason): channelBroken(child, reason)
        case .linkLost(let child, let generation, let reason):
            linkLost(child, generation, reason, now)
        case .ended(let child, let ending): ended(child, ending, now)
        case .stopRequested: stopRequested(now)
        }
        if let stopCode, slots.values.allSatisfy({ $0.phase == .gone }) {
            isFinished = true
            actions.append(.finish(stopCode))
        }
        return actions
    }

    private mutating func passTime(_ child: Child, _ now: Duration) {
        guard let slot = slots[child], let deadline = slot.deadline(plan), deadline <= now else {
            return
        }
        switch slot.phase {
        case .waiting: spawn(child, now)
        case .starting: kill(child, .notReadyInTime(child))
        case .ready:
            slots[child]?.phase = .asked(at: now)
            actions.append(.ping(child))
        case .asked: kill(child, .noSignOfLife(child))
        case .closing: kill(child, .channelClosed(child))
        case .stopping: kill(child, .stopIgnored(child))
        case .killed, .gone: break
        }
    }

    private mutating func becomeReady(_ child: Child, _ now: Duration) {
        guard case .starting(let since) = slots[child]?.phase else { return }
        slots[child]?.phase = .ready(nextPing: now + plan.pingInterval)
        slots[child]?.readySince = now
        wasReady = wasReady || plan.children.allSatisfy(isReady)
        actions += [.report(.ready(child, after: now - since)), .publish]
    }

    private mutating func answered(_ child: Child, _ now: Duration) {
        guard case .asked = slots[child]?.phase else { return }
        slots[child]?.phase = .ready(nextPing: now + plan.pingInterval)
    }

    private mutating func channelClosed(_ child: Child, _ now: Duration) {
        // One that was asked to stop closes it as well, and has its deadline already.
        guard slots[child]?.isServing == true else { return }
        slots[child]?.phase = .closing(since: now)
    }

    private mutating func channelBroken(_ child: Child, _ reason: String) {
        guard let slot = slots[child], slot.isRunning, slot.phase != .killed else { return }
        kill(child, .channelBroken(child, reason))
    }
}
