import Wire

/// Why an encrypted connection cannot go on. Bytes that were changed on the way look the same as bytes
/// that the peer made wrong, so none of these proves anything against it.
public enum EncryptionError: Error, Hashable, Sendable {
    /// No end of the garbage within what may come.
    case noTerminator
    /// A packet is longer than any message.
    case tooLong(found: Int, allowed: Int)
    /// A packet was not made with our keys.
    case notAuthentic
}

extension EncryptionError: CustomStringConvertible {
    /// What is wrong.
    public var description: String {
        switch self {
        case .noTerminator: "the exchange of keys did not end"
        case .tooLong(let found, let allowed):
            "a packet announces \(found) bytes, at most \(allowed) allowed"
        case .notAuthentic: "a packet was changed on the way or not made with our keys"
        }
    }
}

/// Both directions of packets of a connection whose keys are known (BIP324).
///
/// It holds at most one packet, and grows only as bytes come.
struct EncryptedPackets {
    /// The most bytes that a packet's contents may have.
    let limit: Int
    private let sendLength: LengthCipher
    private let receiveLength: LengthCipher
    private var sendPacket: PacketCipher
    private var receivePacket: PacketCipher
    private var buffer: [UInt8] = []
    /// What the packet under way has beyond its length; nil before that is known.
    private var awaited: Int?

    /// Bytes that encode a length.
    private static let lengthSize = 3
    /// One byte of header before the contents, the tag after them.
    private static let extra = 1 + ChaCha.tagSize
    private static let ignoreBit: UInt8 = 0x80

    init(_ keys: SessionKeys, role: EncryptionRole, limit: Int) {
        self.limit = limit
        let initiator = (LengthCipher(key: keys.initiatorLength), keys.initiatorPacket)
        let responder = (LengthCipher(key: keys.responderLength), keys.responderPacket)
        let (sending, receiving) =
            role == .initiator ? (initiator, responder) : (responder, initiator)
        sendLength = sending.0
        sendPacket = PacketCipher(key: sending.1)
        receiveLength = receiving.0
        receivePacket = PacketCipher(key: receiving.1)
    }

    /// Bytes that are held until the rest of their packet comes.
    var heldBytes: Int { buffer.count }

    /// The bytes of a packet.
    ///
    /// - Precondition: `contents` has fewer than 2^24 bytes.
    mutating func encode(
        _ contents: [UInt8], aad: [UInt8] = [], isIgnored: Bool = false
    ) -> [UInt8] {
        let count = contents.count
        precondition(count < 1 << 24)
        let length = [UInt8(count & 0xFF), UInt8(count >> 8 & 0xFF), UInt8(count >> 16)]
        let header: [UInt8] = [isIgnored ? EncryptedPackets.ignoreBit : 0]
        let sealed = sendPacket.seal(header + contents, aad: aad)
        return sendLength.apply(length) + sealed
    }

    /// Takes bytes off the front of `rest` until a packet is complete; its contents, or nil when all
    /// bytes are taken. Of a packet that is to be ignored only the size is told.
    mutating func next(
        from rest: inout ArraySlice<UInt8>, aad: [UInt8] = []
    ) throws(EncryptionError) -> Packet? {
        if awaited == nil {
            take(EncryptedPackets.lengthSize, of: &rest)
            guard buffer.count == EncryptedPackets.lengthSize else { return nil }
            let length = receiveLength.apply(buffer)
            buffer = []
            let count = Int(length[0]) | Int(length[1]) << 8 | Int(length[2]) << 16
            guard count <= limit else { throw .tooLong(found: count, allowed: limit) }
            awaited = count + EncryptedPackets.extra
        }
        guard let awaited else { return nil }
        take(awaited, of: &rest)
        guard buffer.count == awaited else { return nil }
        let opened = receivePacket.open(buffer, aad: aad)
        let sealedCount = buffer.count
        buffer = []
        self.awaited = nil
        guard let opened, let header = opened.first else { throw .notAuthentic }
        guard header & EncryptedPackets.ignoreBit == 0 else {
            return .ignored(size: EncryptedPackets.lengthSize + sealedCount)
        }
        return .contents(Array(opened.dropFirst()))
    }

    enum Packet: Hashable {
        case ignored(size: Int)
        case contents([UInt8])
    }

    private mutating func take(_ size: Int, of rest: inout ArraySlice<UInt8>) {
        let count = min(size - buffer.count, rest.count)
        buffer += rest.prefix(count)
        rest = rest.dropFirst(count)
    }
}
