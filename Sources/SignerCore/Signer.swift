public import Messages
public import StateFiles

/// The broker as a state machine: events and the time go in, actions come out. It does nothing itself.
///
/// What it holds to: whatever the network process does, consoles are served and its queue survives;
/// the link and the consoles share no quota, no rate and no worker; a request has one outcome for
/// ever, whatever happens to the link it came by; a password pipe goes to one worker or is closed.
public struct Signer: Sendable {
    /// What the sides may ask.
    public let limits: SignerLimits
    /// The chain of this instance.
    public let chain: ChainName
    /// How long failed passwords make wait.
    public let schedule: AttemptSchedule
    /// Whether the network process is handed the public accounts of the wallets.
    public let sharesAccounts: Bool
    let started: Duration

    var orders: ControlHello?
    var facts = KeeperFacts()
    var weaknesses: [String] = []
    var consoles: [ConsoleID: Console] = [:]
    var acceptGate = AcceptGate()
    var link: Link
    var pending: PendingQueue
    var results: RequestResults
    var linkQueue: WorkQueue
    var consoleQueue: WorkQueue
    var operations: OperationQueue
    var attempts: AttemptClock
    var linkRefusals = RefusalTally()
    var consoleRefusals = RefusalTally()
    /// What is wrong with the state, each a sentence.
    var problems: [String] = []
    /// What did not agree in the ledger when the signer started, in sentences.
    var ledgerProblems: [String] = []
    var witness = Witness()
    var pairing = PairingState()
    var ownWork = OwnWork()
    var hasSeenState = false
    var hasLedger = false
    /// Whether there was no file of a ledger when the signer started.
    var beganWithoutLedger = false
    var counts = Counts()
    var nextWorker: UInt64 = 1
    var log: LogGate
    var actions: [SignerAction] = []
    private var isFinished = false

    struct Counts: Sendable {
        var done: UInt64 = 0
        var failed: UInt64 = 0
        var refused: UInt64 = 0
    }

    struct Console: Sendable {
        let uid: UInt32
        var throttle: Throttle
        /// When it last said something or got the answer to its job.
        var active: Duration
        /// What was handed over for the next operation.
        var handed: [Handover: PipeID] = [:]
    }

    struct Link: Sendable {
        var isUp = false
        /// Whether there is a channel at all; it is up once the other side has said hello.
        var isOpen = true
        var generation: UInt64 = 0
        var frames: Throttle
        var requests: Throttle
    }

    /// A signer that was started for `chain` and has heard nothing yet.
    public init(
        chain: ChainName, schedule: AttemptSchedule = .standard,
        sharesAccounts: Bool = true, limits: SignerLimits = SignerLimits(), at now: Duration
    ) {
        self.chain = chain
        self.schedule = schedule
        self.sharesAccounts = sharesAccounts
        self.limits = limits
        started = now
        link = Link(
            frames: Throttle(perSecond: limits.framesPerSecond, atOnce: limits.framesAtOnce),
            requests: Throttle(perSecond: limits.requestsPerSecond, atOnce: limits.requestsAtOnce))
        pending = PendingQueue(limits: limits)
        results = RequestResults(limits: limits)
        linkQueue = WorkQueue(limits: limits)
        consoleQueue = WorkQueue(limits: limits)
        operations = OperationQueue(limit: limits.operations)
        attempts = AttemptClock(schedule: schedule, started: now)
        log = LogGate(perSecond: limits.linesPerSecond, atOnce: limits.linesAtOnce)
    }

    /// Takes one event and says what to do, in this order.
    public mutating func handle(_ event: SignerEvent, at now: Duration) -> [SignerAction] {
        guard !isFinished else { return [] }
        actions = []
        switch event {
        case .time: passTime(now)
        case .control(let order): control(order, now)
        case .controlEnded(let reason):
            say(.failure, "the keeper is gone: \(reason)", now)
            finish(.keeperGone)
        case .connected(let id, let uid): connected(id, uid, now)
        case .acceptFailed(let reason): acceptFailed(reason, now)
        case .console(let id, let request, let pipe): console(id, request, pipe, now)
        case .consoleEnded(let id, let violation): consoleEnded(id, violation, now)
        case .link(let request): link(request, now)
        case .linkEnded(let loss, let reason): linkEnded(loss, reason, now)
        case .workerEnded(let id, let result): workerEnded(id, result, now)
        case .listed(let result): listed(result, now)
        case .loaded(let result): loaded(result, now)
        case .committed(let result): committed(result, now)
        case .moved(let id, let done, let total): moved(id, done, total, now)
        }
        if !isFinished { startWork(now) }
        return actions
    }

    /// When `.time` has to come at the latest; nil while only other events can lead on.
    public var nextDeadline: Duration? {
        let deadlines = [
            linkQueue.deadline, consoleQueue.deadline, operations.deadline, recordDue,
            pending.deadline, results.deadline, ownWork.due,
            acceptGate.closedUntil, idleDeadline,
        ]
        return deadlines.compactMap { $0 }.min()
    }

    /// Whether connections may be accepted: the keeper has said whom to refuse, there is room, and
    /// the last try did not fail just now.
    public var acceptsConsoles: Bool {
        orders != nil && consoles.count < limits.consoles && acceptGate.closedUntil == nil
    }

    /// What is to be probed, once the keeper has said it.
    public var probeTargets: (hello: ControlHello, facts: KeeperFacts)? {
        orders.map { ($0, facts) }
    }

    /// Limits of reviews that the configuration sets.
    public var reviewLimits: [ReviewLimit] { orders?.reviewLimits ?? [] }

    /// Until when nothing is to be read from the link, which has sent too much too fast.
    public func linkPause(at now: Duration) -> Duration? { link.frames.pausedUntil(at: now) }

    /// Until when nothing is to be read from a console.
    public func pause(of id: ConsoleID, at now: Duration) -> Duration? {
        consoles[id]?.throttle.pausedUntil(at: now)
    }

    /// How the signer is.
    public func status(at now: Duration) -> SignerStatus {
        var status = SignerStatus(chain: chain)
        status.linkIsUp = link.isUp
        status.uptimeSeconds = UInt64((now - started).components.seconds)
        status.linkGeneration = link.generation
        status.waiting = UInt32(pending.entries.count + operations.count)
        status.waitingBytes = UInt64(pending.bytes + results.bytes)
        status.done = counts.done
        status.failed = counts.failed
        status.refused = counts.refused
        status.consoles = UInt32(consoles.count)
        // Of a ledger that was there, the first head is that of the entry that tells of the start.
        status.ledgerEntries = witness.head?.counter ?? (beganWithoutLedger ? 0 : nil)
        status.witness = witness.finding
        status.facts = facts
        status.weaknesses = weaknesses
        status.problems = Array((ledgerProblems + problems).prefix(Limit.weaknesses))
        return status
    }

    mutating func say(_ severity: Severity, _ line: String, _ now: Duration) {
        guard let line = log.pass(line, at: now) else { return }
        actions.append(.report(.log(severity, line)))
    }

    mutating func finish(_ ending: SignerEnding) {
        isFinished = true
        for queue in [linkQueue, consoleQueue] {
            if let running = queue.running { actions.append(.kill(running.worker)) }
        }
        if let worker = operations.running?.worker { actions.append(.kill(worker)) }
        actions.append(.finish(ending))
    }
}
