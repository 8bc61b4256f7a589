public import Wire

/// The name of a request, chosen at random by whoever makes it. It outlives links and connections.
public struct RequestID: Hashable, Sendable {
    /// The upper half.
    public let high: UInt64
    /// The lower half.
    public let low: UInt64

    /// An id by its halves.
    public init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    /// An id as a person types it: 32 hexadecimal digits.
    public init?(text: String) {
        guard text.utf8.count == 32, let bytes = try? Hex.decode(text) else { return nil }
        var reader = Reader(bytes)
        guard let id = try? RequestID(from: &reader) else { return nil }
        self = id
    }

    /// As `init(text:)` reads it.
    public var text: String {
        var writer = Writer(capacity: 16)
        encode(into: &writer)
        return Hex.encode(writer.bytes)
    }

    init(from reader: inout Reader) throws(WireError) {
        high = try reader.readUInt64BigEndian()
        low = try reader.readUInt64BigEndian()
    }

    func encode(into writer: inout Writer) {
        writer.writeBigEndian(high)
        writer.writeBigEndian(low)
    }
}

/// What the network process says to the signer.
public enum LinkRequest: MessageSet {
    case hello
    case ping(nonce: UInt64)
    case request(RequestID, payload: [UInt8])
    case inquiry(RequestID)
    /// Its signed file arrived.
    case collected(RequestID)
    /// The head of the ledger that was kept; nil if none is.
    case witnessed(LedgerWitness?)

    /// The channel.
    public static let edge = Edge.link
    /// The end that says these.
    public static let sender = Side.asking

    /// The number of this message.
    public var kind: MessageKind {
        switch self {
        case .hello: .linkHello
        case .ping: .linkPing
        case .request: .linkRequest
        case .inquiry: .linkInquiry
        case .collected: .linkCollected
        case .witnessed: .linkWitnessed
        }
    }

    /// Appends the fields.
    public func encode(into writer: inout Writer) {
        switch self {
        case .hello: break
        case .ping(let nonce): writer.write(nonce)
        case .request(let id, let payload):
            id.encode(into: &writer)
            writer.write(payload)
        case .inquiry(let id), .collected(let id): id.encode(into: &writer)
        case .witnessed(let head):
            writer.write(head != nil)
            if let head { writer.write(head.bytes) }
        }
    }

    /// Reads the fields; nil for a kind of another set.
    public init?(_ kind: MessageKind, from reader: inout Reader) throws(WireError) {
        switch kind {
        case .linkHello: self = .hello
        case .linkPing: self = .ping(nonce: try reader.readUInt64())
        case .linkRequest:
            self = .request(try RequestID(from: &reader), payload: reader.readRest())
        case .linkInquiry: self = .inquiry(try RequestID(from: &reader))
        case .linkCollected: self = .collected(try RequestID(from: &reader))
        case .linkWitnessed:
            self = .witnessed(try reader.readFlag() ? LedgerWitness(from: &reader) : nil)
        default: return nil
        }
    }
}

/// What the signer says to the network process.
public enum LinkReply: MessageSet {
    case welcome
    case pong(nonce: UInt64)
    case answer(RequestID, RequestState)
    case signed(RequestID, file: [UInt8])
    /// The newest head of the ledger.
    case witness(LedgerWitness)
    /// The public accounts of all wallets, at most 256.
    case accounts([PairedAccounts])

    /// The channel.
    public static let edge = Edge.link
    /// The end that says these.
    public static let sender = Side.answering

    /// The number of this message.
    public var kind: MessageKind {
        switch self {
        case .welcome: .linkWelcome
        case .pong: .linkPong
        case .answer: .linkAnswer
        case .signed: .linkSigned
        case .witness: .linkWitness
        case .accounts: .linkAccounts
        }
    }

    /// Appends the fields.
    public func encode(into writer: inout Writer) {
        switch self {
        case .welcome: break
        case .pong(let nonce): writer.write(nonce)
        case .answer(let id, let answer):
            id.encode(into: &writer)
            answer.encode(into: &writer)
        case .signed(let id, let file):
            id.encode(into: &writer)
            writer.write(file)
        case .witness(let head): writer.write(head.bytes)
        case .accounts(let rows): writer.write(paired: rows)
        }
    }

    /// Reads the fields; nil for a kind of another set.
    public init?(_ kind: MessageKind, from reader: inout Reader) throws(WireError) {
        switch kind {
        case .linkWelcome: self = .welcome
        case .linkPong: self = .pong(nonce: try reader.readUInt64())
        case .linkAnswer:
            self = .answer(try RequestID(from: &reader), try RequestState(from: &reader))
        case .linkSigned: self = .signed(try RequestID(from: &reader), file: reader.readRest())
        case .linkWitness: self = .witness(try LedgerWitness(from: &reader))
        case .linkAccounts: self = .accounts(try reader.readPaired())
        default: return nil
        }
    }
}
