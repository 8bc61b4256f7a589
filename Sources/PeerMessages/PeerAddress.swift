import Wire

/// What a peer offers.
public struct PeerServices: OptionSet, Hashable, Sendable {
    /// The bits as they stand in a message; those without a name are kept.
    public let rawValue: UInt64
    /// Takes the bits of a message.
    public init(rawValue: UInt64) { self.rawValue = rawValue }

    /// All blocks.
    public static let network = PeerServices(rawValue: 1)
    /// Blocks with their witnesses (BIP144).
    public static let witness = PeerServices(rawValue: 1 << 3)
    /// Compact filters (BIP157).
    public static let compactFilters = PeerServices(rawValue: 1 << 6)
    /// The last 288 blocks (BIP159).
    public static let networkLimited = PeerServices(rawValue: 1 << 10)
    /// The encrypted transport (BIP324).
    public static let v2Transport = PeerServices(rawValue: 1 << 11)
}

/// A peer that another one has heard of.
public struct PeerAddress: Hashable, Sendable {
    /// When it was last heard of, in seconds since 1970, by the other's word.
    public var time: UInt32
    /// What it is said to offer.
    public var services: PeerServices
    /// Where it is.
    public var host: PeerHost
    /// Its port; 0 where the network has none.
    public var port: UInt16

    /// An address from its parts.
    public init(time: UInt32, services: PeerServices, host: PeerHost, port: UInt16) {
        self.time = time
        self.services = services
        self.host = host
        self.port = port
    }

    /// Reads an entry of `addrv2`.
    init(from reader: inout Reader) throws(WireError) {
        time = try reader.readUInt32()
        services = PeerServices(rawValue: try reader.readCompactSize())
        host = try PeerHost(from: &reader)
        port = try reader.readUInt16BigEndian()
    }

    func write(to writer: inout Writer) {
        writer.write(time)
        writer.writeCompactSize(services.rawValue)
        host.write(to: &writer)
        writer.writeBigEndian(port)
    }

    /// Reads an entry of `addr`, or the 26 bytes of one in `version`, which has no time.
    init(legacy reader: inout Reader, withTime: Bool = true) throws(WireError) {
        time = withTime ? try reader.readUInt32() : 0
        services = PeerServices(rawValue: try reader.readUInt64())
        host = try PeerHost(legacy: &reader)
        port = try reader.readUInt16BigEndian()
    }

    func writeLegacy(to writer: inout Writer, withTime: Bool = true) {
        if withTime { writer.write(time) }
        writer.write(services.rawValue)
        host.writeLegacy(to: &writer)
        writer.writeBigEndian(port)
    }

    /// No address at all, as `version` has it where nothing need be said.
    public static let none = PeerAddress(
        time: 0, services: [], host: .ipv6(high: 0, low: 0), port: 0)
}
