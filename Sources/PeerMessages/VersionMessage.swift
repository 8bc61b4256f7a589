import Wire

/// How a peer introduces itself.
public struct VersionMessage: Hashable, Sendable {
    /// The newest version of the protocol that it speaks.
    public var version: Int32
    /// What it offers.
    public var services: PeerServices
    /// Its clock, in seconds since 1970.
    public var time: Int64
    /// Where it sees the other.
    public var receiver: PeerAddress
    /// Where it sees itself; nobody relies on it.
    public var sender: PeerAddress
    /// A random number by which a peer recognises a connection to itself.
    public var nonce: UInt64
    /// Names its software; any bytes.
    public var userAgent: [UInt8]
    /// The height that it claims.
    public var startHeight: Int32
    /// Whether transactions shall be announced to it (BIP37).
    public var relay: Bool

    /// The version that this client speaks.
    public static let current: Int32 = 70_016

    /// An introduction from its parts.
    public init(
        version: Int32 = VersionMessage.current, services: PeerServices, time: Int64,
        receiver: PeerAddress = .none, sender: PeerAddress = .none, nonce: UInt64,
        userAgent: [UInt8], startHeight: Int32, relay: Bool
    ) {
        self.version = version
        self.services = services
        self.time = time
        self.receiver = receiver
        self.sender = sender
        self.nonce = nonce
        self.userAgent = userAgent
        self.startHeight = startHeight
        self.relay = relay
    }

    /// Reads the payload; what later versions may append is left unread.
    init(from reader: inout Reader) throws(WireError) {
        version = try reader.readInt32()
        services = PeerServices(rawValue: try reader.readUInt64())
        time = try reader.readInt64()
        receiver = try PeerAddress(legacy: &reader, withTime: false)
        sender = try PeerAddress(legacy: &reader, withTime: false)
        nonce = try reader.readUInt64()
        userAgent = try reader.readVarBytes(limit: PeerLimits.userAgent)
        startHeight = try reader.readInt32()
        relay = reader.isAtEnd ? true : try reader.readUInt8() != 0
        _ = reader.readRest()
    }

    func write(to writer: inout Writer) {
        writer.write(version)
        writer.write(services.rawValue)
        writer.write(time)
        receiver.writeLegacy(to: &writer, withTime: false)
        sender.writeLegacy(to: &writer, withTime: false)
        writer.write(nonce)
        writer.writeVarBytes(userAgent)
        writer.write(startHeight)
        writer.write(UInt8(relay ? 1 : 0))
    }
}
