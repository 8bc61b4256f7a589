public import Wire

/// How the signer is.
public struct SignerStatus: Hashable, Sendable {
    /// The chain of this instance.
    public var chain: ChainName
    /// Whether the network process is connected.
    public var linkIsUp: Bool
    /// Since the signer started.
    public var uptimeSeconds: UInt64
    /// Which link this is, counted by the keeper.
    public var linkGeneration: UInt64
    /// Requests that wait or are being worked on.
    public var waiting: UInt32
    /// Bytes of memory that waiting requests take.
    public var waitingBytes: UInt64
    /// Work that was answered.
    public var done: UInt64
    /// Work whose worker failed.
    public var failed: UInt64
    /// Requests that were refused for a quota or a rate.
    public var refused: UInt64
    /// Open consoles.
    public var consoles: UInt32
    /// Entries of the ledger; 0 while there is none, nil before it was read. A number below one that was
    /// seen before says that an older state was put back.
    public var ledgerEntries: UInt64?
    /// What came of comparing the ledger with the head that the network process kept.
    public var witness: WitnessFinding
    /// What the keeper told.
    public var facts: KeeperFacts
    /// Walls that are weaker than they could be, each a sentence.
    public var weaknesses: [String]
    /// What is wrong with the signer's files, each a sentence of at most 256 bytes, at most 16.
    public var problems: [String]

    /// The status of a signer that has just started.
    public init(chain: ChainName) {
        self.chain = chain
        linkIsUp = false
        uptimeSeconds = 0
        linkGeneration = 0
        waiting = 0
        waitingBytes = 0
        done = 0
        failed = 0
        refused = 0
        consoles = 0
        ledgerEntries = nil
        witness = .unheard
        facts = KeeperFacts()
        weaknesses = []
        problems = []
    }

    init(from reader: inout Reader) throws(WireError) {
        chain = try reader.readCase()
        linkIsUp = try reader.readFlag()
        uptimeSeconds = try reader.readUInt64()
        linkGeneration = try reader.readUInt64()
        waiting = try reader.readUInt32()
        waitingBytes = try reader.readUInt64()
        done = try reader.readUInt64()
        failed = try reader.readUInt64()
        refused = try reader.readUInt64()
        consoles = try reader.readUInt32()
        ledgerEntries = try reader.readFlag() ? reader.readUInt64() : nil
        witness = try reader.readCase()
        facts = try KeeperFacts(from: &reader)
        weaknesses = try reader.readWeaknesses()
        problems = try reader.readWeaknesses()
    }

    func encode(into writer: inout Writer) {
        writer.write(chain)
        writer.write(linkIsUp)
        writer.write(uptimeSeconds)
        writer.write(linkGeneration)
        writer.write(waiting)
        writer.write(waitingBytes)
        writer.write(done)
        writer.write(failed)
        writer.write(refused)
        writer.write(consoles)
        writer.write(ledgerEntries != nil)
        if let ledgerEntries { writer.write(ledgerEntries) }
        writer.write(witness)
        facts.encode(into: &writer)
        writer.write(weaknesses: weaknesses)
        writer.write(weaknesses: problems)
    }
}

/// What a person's command says to the signer.
public enum ConsoleRequest: MessageSet {
    case hello
    case ping(nonce: UInt64)
    case status
    case selfReport
    case probe
    /// A pipe with secrets travels with it.
    case secretInput
    /// A pipe or file to write travels with it.
    case output
    /// A pipe or file to read travels with it.
    case input
    case operation(VaultRequest)
    /// A PSBT.
    case submit(file: [UInt8])
    case pending
    case review(EntryID, ReviewForm)
    /// A reason of at most 256 bytes.
    case reject(EntryID, reason: String)
    case withdraw(EntryID)

    /// The channel.
    public static let edge = Edge.console
    /// The end that says these.
    public static let sender = Side.asking

    /// The number of this message.
    public var kind: MessageKind {
        switch self {
        case .hello: .consoleHello
        case .ping: .consolePing
        case .status: .consoleStatus
        case .selfReport: .consoleSelfReport
        case .probe: .consoleProbe
        case .secretInput: .consoleSecretInput
        case .output: .consoleOutput
        case .input: .consoleInput
        case .operation: .consoleOperation
        case .submit: .consoleSubmit
        case .pending: .consolePending
        case .review: .consoleReview
        case .reject: .consoleReject
        case .withdraw: .consoleWithdraw
        }
    }

    /// Appends the fields.
    public func encode(into writer: inout Writer) {
        switch self {
        case .hello, .status, .selfReport, .probe, .secretInput, .output, .input, .pending: break
        case .ping(let nonce): writer.write(nonce)
        case .operation(let request): request.encode(into: &writer)
        case .submit(let file): writer.write(file)
        case .review(let id, let form):
            id.encode(into: &writer)
            form.encode(into: &writer)
        case .reject(let id, let reason):
            id.encode(into: &writer)
            writer.write(reason, limit: Limit.rejection)
        case .withdraw(let id): id.encode(into: &writer)
        }
    }

    /// Reads the fields; nil for a kind of another set.
    public init?(_ kind: MessageKind, from reader: inout Reader) throws(WireError) {
        switch kind {
        case .consoleHello: self = .hello
        case .consolePing: self = .ping(nonce: try reader.readUInt64())
        case .consoleStatus: self = .status
        case .consoleSelfReport: self = .selfReport
        case .consoleProbe: self = .probe
        case .consoleSecretInput: self = .secretInput
        case .consoleOutput: self = .output
        case .consoleInput: self = .input
        case .consoleOperation: self = .operation(try VaultRequest(from: &reader))
        case .consoleSubmit: self = .submit(file: reader.readRest())
        case .consolePending: self = .pending
        case .consoleReview:
            self = .review(try EntryID(from: &reader), try ReviewForm(from: &reader))
        case .consoleReject:
            self = .reject(
                try EntryID(from: &reader), reason: try reader.readText(limit: Limit.rejection))
        case .consoleWithdraw: self = .withdraw(try EntryID(from: &reader))
        default: return nil
        }
    }
}

/// What the signer says to a person's command.
public enum ConsoleReply: MessageSet {
    case welcome(ChainName)
    case pong(nonce: UInt64)
    case status(SignerStatus)
    case selfReport(ProcessReport)
    case probes([ProbeRow])
    case operationAnswer(Result<VaultAnswer, VaultRefusal>)
    /// A total of 0 is one that is not known.
    case progress(done: UInt64, total: UInt64)
    case entry(Result<ReviewedEntry, EntryRefusal>)
    /// At most 64.
    case pending([PendingEntry])
    /// The refusal, if the entry is not gone.
    case entryGone(EntryRefusal?)

    /// The channel.
    public static let edge = Edge.console
    /// The end that says these.
    public static let sender = Side.answering

    /// The number of this message.
    public var kind: MessageKind {
        switch self {
        case .welcome: .consoleWelcome
        case .pong: .consolePong
        case .status: .consoleStatusReport
        case .selfReport: .consoleSelfReportRows
        case .probes: .consoleProbeRows
        case .operationAnswer: .consoleOperationAnswer
        case .progress: .consoleProgress
        case .entry: .consoleEntry
        case .pending: .consolePendingRows
        case .entryGone: .consoleEntryGone
        }
    }

    /// Appends the fields.
    public func encode(into writer: inout Writer) {
        switch self {
        case .welcome(let chain): writer.write(chain)
        case .pong(let nonce): writer.write(nonce)
        case .status(let status): status.encode(into: &writer)
        case .selfReport(let report): report.encode(into: &writer)
        case .probes(let rows): writer.write(probes: rows)
        case .operationAnswer(.success(let answer)):
            writer.write(true)
            answer.encode(into: &writer)
        case .operationAnswer(.failure(let refusal)):
            writer.write(false)
            refusal.encode(into: &writer)
        case .progress(let done, let total):
            writer.write(done)
            writer.write(total)
        case .entry(.success(let entry)):
            writer.write(true)
            entry.id.encode(into: &writer)
            entry.summary.encode(into: &writer)
        case .entry(.failure(let refusal)):
            writer.write(false)
            refusal.encode(into: &writer)
        case .pending(let rows):
            writer.write(rows, limit: Limit.entries) { $1.encode(into: &$0) }
        case .entryGone(let refusal):
            writer.write(refusal == nil)
            refusal?.encode(into: &writer)
        }
    }

    /// Reads the fields; nil for a kind of another set.
    public init?(_ kind: MessageKind, from reader: inout Reader) throws(WireError) {
        switch kind {
        case .consoleWelcome: self = .welcome(try reader.readCase())
        case .consolePong: self = .pong(nonce: try reader.readUInt64())
        case .consoleStatusReport: self = .status(try SignerStatus(from: &reader))
        case .consoleSelfReportRows: self = .selfReport(try ProcessReport(from: &reader))
        case .consoleProbeRows: self = .probes(try reader.readProbes())
        case .consoleOperationAnswer:
            self = .operationAnswer(
                try reader.readFlag()
                    ? .success(try VaultAnswer(from: &reader))
                    : .failure(try VaultRefusal(from: &reader)))
        case .consoleProgress:
            self = .progress(done: try reader.readUInt64(), total: try reader.readUInt64())
        case .consoleEntry:
            self = .entry(
                try reader.readFlag()
                    ? .success(try ReviewedEntry(from: &reader))
                    : .failure(try EntryRefusal(from: &reader)))
        case .consolePendingRows:
            self = .pending(
                try reader.readList(limit: Limit.entries) { reader throws(WireError) in
                    try PendingEntry(from: &reader)
                })
        case .consoleEntryGone:
            self = .entryGone(try reader.readFlag() ? nil : EntryRefusal(from: &reader))
        default: return nil
        }
    }
}
