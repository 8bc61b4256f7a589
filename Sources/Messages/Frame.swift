import Wire

/// A message as it travels: its kind and its body, the digest of a first frame included.
public struct Frame: Hashable, Sendable {
    /// Which message.
    public let kind: MessageKind
    /// The encoded fields.
    public let body: [UInt8]

    /// A frame of a kind; nothing is checked here.
    public init(kind: MessageKind, body: [UInt8]) {
        self.kind = kind
        self.body = body
    }
}

/// The 12 bytes before a body.
struct FrameHeader {
    static let length = 12

    var bodyLength: UInt32
    var kind: UInt16
    var reserved: UInt16 = 0
    var sequence: UInt32

    init(bodyLength: UInt32, kind: UInt16, sequence: UInt32) {
        self.bodyLength = bodyLength
        self.kind = kind
        self.sequence = sequence
    }

    /// The header that exactly 12 bytes spell.
    init(_ bytes: [UInt8]) throws(WireError) {
        var reader = Reader(bytes)
        bodyLength = try reader.readUInt32BigEndian()
        kind = try reader.readUInt16BigEndian()
        reserved = try reader.readUInt16BigEndian()
        sequence = try reader.readUInt32BigEndian()
        try reader.finish()
    }

    var bytes: [UInt8] {
        var writer = Writer(capacity: FrameHeader.length)
        writer.writeBigEndian(bodyLength)
        writer.writeBigEndian(kind)
        writer.writeBigEndian(reserved)
        writer.writeBigEndian(sequence)
        return writer.bytes
    }
}

/// The rules that both ends keep for one direction of one channel.
struct Direction {
    let edge: Edge
    let sender: Side
    private(set) var phase = Row.Phase.opening
    private(set) var sequence: UInt32 = 0
    private var sent: Set<MessageKind> = []

    init(edge: Edge, sender: Side) {
        self.edge = edge
        self.sender = sender
    }

    /// Takes the next header, or says what is wrong with it.
    mutating func admit(_ header: FrameHeader) throws(ChannelViolation) -> MessageKind {
        guard header.reserved == 0 else { throw .reservedNotZero(header.reserved) }
        guard let kind = MessageKind(rawValue: header.kind) else {
            throw .unknownKind(header.kind)
        }
        let row = kind.row
        guard kind.edge == edge else { throw .wrongEdge(kind, edge) }
        guard row.sender == sender else { throw .wrongDirection(kind) }
        guard header.sequence == sequence else {
            throw .wrongSequence(found: header.sequence, expected: sequence)
        }
        if row.times == .once, sent.contains(kind) { throw .repeated(kind) }
        guard row.phase == phase else { throw .outOfPhase(kind, phase) }
        guard header.bodyLength <= UInt32(row.limit) else {
            throw .tooLong(kind, found: header.bodyLength, allowed: row.limit)
        }
        if row.times == .once { sent.insert(kind) }
        phase = row.then
        sequence &+= 1
        return kind
    }
}
