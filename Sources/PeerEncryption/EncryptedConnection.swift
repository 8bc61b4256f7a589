public import Wire

/// The second transport (BIP324) of one connection: bytes in, contents of packets and bytes out.
///
/// First both send a key, garbage of any length, and a packet that ends the negotiation; from then on
/// each packet's contents are one message.
public final class EncryptedConnection {
    /// The most garbage that a peer may send.
    static let longestGarbage = 4095
    private static let terminatorSize = 16

    /// Whether this program was built with what it takes: libsecp256k1's ellswift module.
    public static var isAvailable: Bool { EphemeralKey.isAvailable }

    private enum Phase {
        case key
        case garbage
        case version
        case open
    }

    private let key: EphemeralKey
    private let role: EncryptionRole
    private let messageStart: [UInt8]
    private let limit: Int
    private let garbage: [UInt8]
    private var phase = Phase.key
    private var buffer: [UInt8] = []
    private var terminator: [UInt8] = []
    private var theirGarbage: [UInt8] = []
    private var packets: EncryptedPackets?
    /// The same on both sides, unless somebody sits between them; nil before keys are exchanged.
    public private(set) var sessionID: Bytes32?

    /// A connection that has sent and received nothing.
    ///
    /// - Parameters:
    ///   - messageStart: the four bytes of the network.
    ///   - limit: the most bytes that a packet's contents may have.
    ///   - random: where the key comes from, and garbage of a random length.
    /// - Returns: nil where this program was built without what it takes.
    public convenience init?(
        role: EncryptionRole, messageStart: [UInt8], limit: Int,
        random: inout some RandomNumberGenerator
    ) {
        func bytes(_ count: Int) -> [UInt8] {
            (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
        }
        // One secret in 2^128 is none.
        guard let key = EphemeralKey(secret: bytes(32), randomness: bytes(32)) else { return nil }
        let length = Int.random(in: 0...EncryptedConnection.longestGarbage, using: &random)
        self.init(
            key, garbage: bytes(length), role: role, messageStart: messageStart, limit: limit)
    }

    init(
        _ key: EphemeralKey, garbage: [UInt8], role: EncryptionRole, messageStart: [UInt8],
        limit: Int
    ) {
        self.key = key
        self.garbage = garbage
        self.role = role
        self.messageStart = messageStart
        self.limit = limit
    }

    /// The bytes to send before any are received.
    public var opening: [UInt8] { key.encoded + garbage }

    /// Whether messages can be sent and received.
    public var isOpen: Bool { if case .open = phase { true } else { false } }

    /// Bytes that are held until the rest of something comes.
    public var heldBytes: Int { buffer.count + (packets?.heldBytes ?? 0) }

    /// The bytes of a packet with these contents.
    ///
    /// - Precondition: `isOpen`.
    public func encode(_ contents: [UInt8]) -> [UInt8] {
        guard isOpen, let bytes = packets?.encode(contents) else {
            preconditionFailure("the keys are not exchanged yet")
        }
        return bytes
    }

    /// Takes what came, appends the contents of the packets that it completes, and returns what is to
    /// be sent now.
    public func receive(
        _ bytes: some Collection<UInt8>, into contents: inout [[UInt8]]
    ) throws(EncryptionError) -> [UInt8] {
        var rest = Array(bytes)[...]
        var answer: [UInt8] = []
        if case .key = phase { answer = takeKey(&rest) }
        if case .garbage = phase { try takeGarbage(&rest) }
        while let packet = try nextPacket(&rest) {
            guard case .contents(let found) = packet else { continue }
            if case .open = phase { contents.append(found) }
            // The first packet that counts says which version follows; there is only one.
            phase = .open
        }
        return answer
    }

    private func takeKey(_ rest: inout ArraySlice<UInt8>) -> [UInt8] {
        let count = min(EphemeralKey.encodedSize - buffer.count, rest.count)
        buffer += rest.prefix(count)
        rest = rest.dropFirst(count)
        guard buffer.count == EphemeralKey.encodedSize,
            let secret = key.sharedSecret(with: buffer, role: role)
        else { return [] }
        return begin(SessionKeys(sharedSecret: secret, messageStart: messageStart))
    }

    /// Both keys are there: ends our garbage, and authenticates it by the first packet.
    func begin(_ keys: SessionKeys) -> [UInt8] {
        buffer = []
        phase = .garbage
        sessionID = keys.sessionID
        let isInitiator = role == .initiator
        terminator = isInitiator ? keys.responderTerminator : keys.initiatorTerminator
        var packets = EncryptedPackets(keys, role: role, limit: limit)
        let version = packets.encode([], aad: garbage)
        self.packets = packets
        return (isInitiator ? keys.initiatorTerminator : keys.responderTerminator) + version
    }

    private func takeGarbage(_ rest: inout ArraySlice<UInt8>) throws(EncryptionError) {
        while let byte = rest.popFirst() {
            buffer.append(byte)
            if buffer.count >= EncryptedConnection.terminatorSize,
                buffer.suffix(EncryptedConnection.terminatorSize).elementsEqual(terminator)
            {
                theirGarbage = buffer.dropLast(EncryptedConnection.terminatorSize)
                buffer = []
                phase = .version
                return
            }
            let most = EncryptedConnection.longestGarbage + EncryptedConnection.terminatorSize
            guard buffer.count < most else { throw .noTerminator }
        }
    }

    private func nextPacket(
        _ rest: inout ArraySlice<UInt8>
    ) throws(EncryptionError) -> EncryptedPackets.Packet? {
        switch phase {
        case .key, .garbage: return nil
        case .version, .open: break
        }
        guard let packet = try packets?.next(from: &rest, aad: theirGarbage) else {
            return nil
        }
        // Only the first packet authenticates the garbage, be it a decoy.
        theirGarbage = []
        return packet
    }
}
