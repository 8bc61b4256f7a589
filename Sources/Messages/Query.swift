public import Wire

/// How the network process is.
public struct NetworkStatus: Hashable, Sendable {
    /// The chain of this instance.
    public var chain: ChainName
    /// Whether the signer is connected.
    public var linkIsUp: Bool
    /// Since the network process started.
    public var uptimeSeconds: UInt64
    /// Which link this is, counted by the keeper.
    public var linkGeneration: UInt64
    /// How long the last ping took to the signer and back; 0 before the first.
    public var roundTripNanoseconds: UInt64
    /// Requests sent to the signer.
    public var sent: UInt64
    /// Requests that have their final answer.
    public var answered: UInt64
    /// Requests whose answer is still to come.
    public var waiting: UInt64
    /// Queries answered at the socket.
    public var queries: UInt64
    /// Open connections at the socket.
    public var connections: UInt32
    /// Wallets whose public accounts the signer handed over.
    public var handedWallets: UInt32
    /// Entries of the ledger by the head that is kept; 0 while none is.
    public var witnessedEntries: UInt64
    /// What the keeper told.
    public var facts: KeeperFacts
    /// Walls that are weaker than they could be, each a sentence.
    public var weaknesses: [String]

    /// The status of a network process that has just started.
    public init(chain: ChainName) {
        self.chain = chain
        linkIsUp = false
        uptimeSeconds = 0
        linkGeneration = 0
        roundTripNanoseconds = 0
        sent = 0
        answered = 0
        waiting = 0
        queries = 0
        connections = 0
        handedWallets = 0
        witnessedEntries = 0
        facts = KeeperFacts()
        weaknesses = []
    }

    init(from reader: inout Reader) throws(WireError) {
        chain = try reader.readCase()
        linkIsUp = try reader.readFlag()
        uptimeSeconds = try reader.readUInt64()
        linkGeneration = try reader.readUInt64()
        roundTripNanoseconds = try reader.readUInt64()
        sent = try reader.readUInt64()
        answered = try reader.readUInt64()
        waiting = try reader.readUInt64()
        queries = try reader.readUInt64()
        connections = try reader.readUInt32()
        handedWallets = try reader.readUInt32()
        witnessedEntries = try reader.readUInt64()
        facts = try KeeperFacts(from: &reader)
        weaknesses = try reader.readWeaknesses()
    }

    func encode(into writer: inout Writer) {
        writer.write(chain)
        writer.write(linkIsUp)
        writer.write(uptimeSeconds)
        writer.write(linkGeneration)
        writer.write(roundTripNanoseconds)
        writer.write(sent)
        writer.write(answered)
        writer.write(waiting)
        writer.write(queries)
        writer.write(connections)
        writer.write(handedWallets)
        writer.write(witnessedEntries)
        facts.encode(into: &writer)
        writer.write(weaknesses: weaknesses)
    }
}

/// What a person's command says to the network process.
public enum QueryRequest: MessageSet {
    case hello
    case ping(nonce: UInt64)
    case status
    case selfReport
    case probe
    /// The id is chosen at random by the command, which asks by it again after anything broke.
    case submit(RequestID, file: [UInt8])
    case inquiry(RequestID)
    /// The signed file arrived.
    case collected(RequestID)
    case chain(ChainRequest)

    /// The channel.
    public static let edge = Edge.query
    /// The end that says these.
    public static let sender = Side.asking

    /// The number of this message.
    public var kind: MessageKind {
        switch self {
        case .hello: .queryHello
        case .ping: .queryPing
        case .status: .queryStatus
        case .selfReport: .querySelfReport
        case .probe: .queryProbe
        case .submit: .querySubmit
        case .inquiry: .queryInquiry
        case .collected: .queryCollected
        case .chain: .queryChain
        }
    }

    /// Appends the fields.
    public func encode(into writer: inout Writer) {
        switch self {
        case .hello, .status, .selfReport, .probe: break
        case .ping(let nonce): writer.write(nonce)
        case .submit(let id, let file):
            id.encode(into: &writer)
            writer.write(file)
        case .inquiry(let id), .collected(let id): id.encode(into: &writer)
        case .chain(let request): request.encode(into: &writer)
        }
    }

    /// Reads the fields; nil for a kind of another set.
    public init?(_ kind: MessageKind, from reader: inout Reader) throws(WireError) {
        switch kind {
        case .queryHello: self = .hello
        case .queryPing: self = .ping(nonce: try reader.readUInt64())
        case .queryStatus: self = .status
        case .querySelfReport: self = .selfReport
        case .queryProbe: self = .probe
        case .querySubmit:
            self = .submit(try RequestID(from: &reader), file: reader.readRest())
        case .queryInquiry: self = .inquiry(try RequestID(from: &reader))
        case .queryCollected: self = .collected(try RequestID(from: &reader))
        case .queryChain: self = .chain(try ChainRequest(from: &reader))
        default: return nil
        }
    }
}

/// What the network process says to a person's command.
public enum QueryReply: MessageSet {
    case welcome(ChainName)
    case pong(nonce: UInt64)
    case status(NetworkStatus)
    case selfReport(ProcessReport)
    case probes([ProbeRow])
    /// Comes again whenever the state changes.
    case answer(RequestID, RequestState)
    case signed(RequestID, file: [UInt8])
    case chain(ChainAnswer)

    /// The channel.
    public static let edge = Edge.query
    /// The end that says these.
    public static let sender = Side.answering

    /// The number of this message.
    public var kind: MessageKind {
        switch self {
        case .welcome: .queryWelcome
        case .pong: .queryPong
        case .status: .queryStatusReport
        case .selfReport: .querySelfReportRows
        case .probes: .queryProbeRows
        case .answer: .queryAnswer
        case .signed: .querySigned
        case .chain: .queryChainAnswer
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
        case .answer(let id, let state):
            id.encode(into: &writer)
            state.encode(into: &writer)
        case .signed(let id, let file):
            id.encode(into: &writer)
            writer.write(file)
        case .chain(let answer): answer.encode(into: &writer)
        }
    }

    /// Reads the fields; nil for a kind of another set.
    public init?(_ kind: MessageKind, from reader: inout Reader) throws(WireError) {
        switch kind {
        case .queryWelcome: self = .welcome(try reader.readCase())
        case .queryPong: self = .pong(nonce: try reader.readUInt64())
        case .queryStatusReport: self = .status(try NetworkStatus(from: &reader))
        case .querySelfReportRows: self = .selfReport(try ProcessReport(from: &reader))
        case .queryProbeRows: self = .probes(try reader.readProbes())
        case .queryAnswer:
            self = .answer(try RequestID(from: &reader), try RequestState(from: &reader))
        case .querySigned: self = .signed(try RequestID(from: &reader), file: reader.readRest())
        case .queryChainAnswer: self = .chain(try ChainAnswer(from: &reader))
        default: return nil
        }
    }
}
