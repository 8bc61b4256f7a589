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
    /// Bytes of all decoys so far, each with what encrypts it.
    public private(set) var decoyBytes = 0
    /// The same on both sides, unless somebody sits between them; nil before keys are exchanged.
    private(set) var sessionID: Bytes32?

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
        let length = Int.random(in: 0...EncryptedConnection.longestGarbage, using: &random)
        self.init(
            role: role, messageStart: messageStart, limit: limit, garbage: length, random: &random)
    }

    /// The same with garbage of a given length.
    package convenience init?(
        role: EncryptionRole, messageStart: [UInt8], limit: Int, garbage length: Int,
        random: inout some RandomNumberGenerator
    ) {
        func bytes(_ count: Int) -> [UInt8] {
            (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
        }
        // One secret in 2^128 is none.
        guard let key = EphemeralKey(secret: bytes(32), randomness: bytes(32)) else { return nil }
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

    /// Uses everything once, before a process is confined: libcrypto reads its configuration, and
    /// fetches what it computes with, when that is used first.
    public static func warmUp() {
        let key = Bytes32.zero
        let keys = SessionKeys(sharedSecret: key, messageStart: [])
        var sender = EncryptedPackets(keys, role: .initiator, limit: 1)
        var receiver = EncryptedPackets(keys, role: .responder, limit: 1)
        var packet = sender.encode([0])[...]
        _ = try? receiver.next(from: &packet)
        var random = SystemRandomNumberGenerator()
        _ = EncryptedConnection(role: .initiator, messageStart: [], limit: 1, random: &random)
    }

    /// The bytes to send before any are received.
    public var opening: [UInt8] { key.encoded + garbage }

    /// Whether messages can be sent and received.
    var isOpen: Bool { if case .open = phase { true } else { false } }

    /// The number of the session, once messages can be sent and received.
    public var session: Bytes32? { isOpen ? sessionID : nil }

    /// Bytes that are held until the rest of something comes.
    public var heldBytes: Int { buffer.count + (packets?.heldBytes ?? 0) }

    /// The bytes of a packet with these contents.
    ///
    /// - Precondition: there is a `session`.
    public func encode(_ contents: [UInt8]) -> [UInt8] { encode(contents, isDecoy: false) }

    /// The bytes of a packet that the other end is to ignore, if it is a decoy.
    package func encode(_ contents: [UInt8], isDecoy: Bool) -> [UInt8] {
        guard isOpen, let bytes = packets?.encode(contents, isIgnored: isDecoy) else {
            preconditionFailure("the keys are not exchanged yet")
        }
        return bytes
    }

    /// Takes what came, appends the contents of the packets that it completes, and returns what is to
    /// be sent now. Of decoys nothing is left but their size, in `decoyBytes`.
    public func receive(
        _ bytes: some Collection<UInt8>, into contents: inout [[UInt8]]
    ) throws(EncryptionError) -> [UInt8] {
        var rest = Array(bytes)[...]
        var answer: [UInt8] = []
        if case .key = phase { answer = takeKey(&rest) }
        if case .garbage = phase { try takeGarbage(&rest) }
        while let packet = try nextPacket(&rest) {
            let found: [UInt8]
            switch packet {
            case .contents(let contents): found = contents
            case .ignored(let count):
                decoyBytes += count
                continue
            }
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
            if byte == terminator.last, buffer.count >= EncryptedConnection.terminatorSize,
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
