public import Messages
public import StateFiles

/// A part of an operation for one worker.
public struct OperationJob: Hashable, Sendable {
    /// What the worker does.
    public enum Task: Hashable, Sendable {
        /// Opens the count of failed passwords.
        case count(VaultRequest)
        /// Compares an approval with what a review finds now; no secret is there.
        case check(VaultRequest)
        /// Does what was asked.
        case carryOut(VaultRequest)
        /// Puts signatures into the file that was approved, and gives it to the output and, where the
        /// network process asked for it, to the broker.
        case merge(VaultRequest, signatures: [UInt8], isForLink: Bool)
        /// Puts events into the ledger.
        case record([RecordedEvent])
        /// Makes the pairing files of all wallets.
        case pair
    }

    /// A key file.
    public enum Key: Hashable, Sendable {
        /// The worker gets it.
        case present
        /// The worker gets a new file to fill.
        case new
        /// The worker gets nothing.
        case absent
    }

    /// What the worker does.
    public var task: Task
    /// The user who asked.
    public var uid: UInt32
    /// What it gets and may give.
    public var plan: OperationPlan
    /// The small files that are there.
    public var files: [StateFile: [UInt8]]
    /// The small files that are there and could not be read; why.
    public var unreadable: [StateFile: String]
    /// The files of the request's vault.
    public var present: Set<StateFile>
    /// The head of the ledger that the network process kept.
    public var witness: LedgerWitness?
    /// The device key.
    public var deviceKey: Key
    /// The index key.
    public var indexKey: Key
    /// What the console handed over, for this worker alone.
    public var pipes: [Handover: PipeID]
    /// The PSBT that is approved; empty for every other request.
    public var psbt: [UInt8]
    /// Whether it came over the link.
    public var isForLink: Bool
    /// How long it may take.
    public var time: Duration
}

/// Operations on the state, in the order they came; one runs at a time, so that each sees the files
/// as the one before it left them.
struct OperationQueue: Sendable {
    enum Work: Hashable, Sendable {
        case request(VaultRequest)
        case record([RecordedEvent])
        case pair
    }

    struct Operation: Sendable {
        /// Who waits for the answer; nobody for an entry of the signer's own.
        let console: ConsoleID?
        let uid: UInt32
        let work: Work
        var pipes: [Handover: PipeID] = [:]
    }

    enum Phase: Hashable, Sendable {
        case listing
        case loading
        case checking
        case counting
        case committingCount
        case working
        case committing(Result<VaultAnswer, VaultRefusal>)
        case resetting(Result<VaultAnswer, VaultRefusal>)
        case merging
    }

    struct Running: Sendable {
        var operation: Operation
        var phase = Phase.listing
        var plan = OperationPlan()
        var state = StateListing(files: [], deviceKey: .missing, indexKey: .missing)
        var files: [StateFile: [UInt8]] = [:]
        var unreadable: [StateFile: String] = [:]
        var worker: WorkerID?
        var deadline: Duration?
        var lastProgress: Duration?
        var isKilled = false
        /// Whether its console is gone.
        var isAbandoned = false
        /// Whether an attempt was counted for it.
        var isCounted = false
        /// The change that begins the count anew after a right password, among others that the disk
        /// may not take.
        var reset: StateChange?
        /// The changes that are being made beside an answer.
        var changes: [StateChange] = []
        /// What is approved.
        var entry: PendingQueue.Entry?
        /// The signatures that were made, as a worker gave them.
        var signatures: [UInt8]?
        /// Whether the ledger holds the entry of these signatures.
        var isEntered = false

        init(_ operation: Operation) { self.operation = operation }

        /// The request; nil for an entry of the signer's own.
        var request: VaultRequest? {
            if case .request(let request) = operation.work { request } else { nil }
        }
    }

    private let limit: Int
    private(set) var waiting: [Operation] = []
    var running: Running?

    init(limit: Int) { self.limit = limit }

    /// Operations that wait or run.
    var count: Int { waiting.count + (running == nil ? 0 : 1) }

    /// Whether an operation of this console waits or runs.
    func holds(_ console: ConsoleID) -> Bool {
        running?.operation.console == console || waiting.contains { $0.console == console }
    }

    /// Takes an operation unless too many wait.
    mutating func take(_ operation: Operation) -> Bool {
        guard waiting.count < limit else { return false }
        waiting.append(operation)
        return true
    }

    /// Begins with the next operation, if none runs.
    mutating func startNext() -> Bool {
        guard running == nil, !waiting.isEmpty else { return false }
        running = Running(waiting.removeFirst())
        return true
    }

    /// Takes out an operation that has not begun.
    mutating func withdraw(_ console: ConsoleID) -> Operation? {
        waiting.firstIndex { $0.console == console }.map { waiting.remove(at: $0) }
    }

    /// The worker to kill because it is late.
    mutating func late(at now: Duration) -> WorkerID? {
        guard let deadline, now >= deadline else { return nil }
        return markKilled()
    }

    /// The worker to kill, once.
    mutating func markKilled() -> WorkerID? {
        guard let current = running, !current.isKilled, let worker = current.worker else {
            return nil
        }
        running?.isKilled = true
        return worker
    }

    /// When the running worker is late.
    var deadline: Duration? { running.flatMap { $0.isKilled ? nil : $0.deadline } }
}
