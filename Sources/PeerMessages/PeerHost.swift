public import Wire

/// Where a peer can be reached, without its port (BIP155).
public enum PeerHost: Hashable, Sendable {
    /// Four bytes.
    case ipv4(UInt32)
    /// Sixteen bytes, as two big-endian halves; never one that stands for an IPv4 address.
    case ipv6(high: UInt64, low: UInt64)
    /// The public key of a Tor service of version 3.
    case torV3(Bytes32)
    /// The hash of an I2P destination.
    case i2p(Bytes32)
    /// An address of CJDNS, as two big-endian halves; it starts with fc.
    case cjdns(high: UInt64, low: UInt64)
    /// Of a network that is not known, or an address that stands for one of another network.
    case unusable(network: UInt8, [UInt8])

    /// Reads number of the network, length and address.
    ///
    /// A length that does not belong to a known network is an error; an address that no peer can
    /// have is unusable.
    init(from reader: inout Reader) throws(WireError) {
        let start = reader.position
        let network = try reader.readUInt8()
        let bytes = try reader.readVarBytes(limit: PeerLimits.addressSize)
        let lengths: [UInt8: Int] = [1: 4, 2: 16, 3: 10, 4: 32, 5: 32, 6: 16]
        if let length = lengths[network], length != bytes.count {
            throw .unknownValue(position: start + 1, found: UInt64(bytes.count))
        }
        self = PeerHost(network: network, bytes)
    }

    /// An address whose length is right if its network is known.
    private init(network: UInt8, _ bytes: [UInt8]) {
        func half(_ start: Int) -> UInt64 {
            bytes[start..<start + 8].reduce(0) { $0 << 8 | UInt64($1) }
        }
        switch network {
        case 1: self = .ipv4(bytes.reduce(0) { $0 << 8 | UInt32($1) })
        case 2:
            let host = PeerHost.ipv6(high: half(0), low: half(8))
            self = host.isDisguised ? .unusable(network: 2, bytes) : host
        case 4: self = Bytes32(bytes).map { .torV3($0) } ?? .unusable(network: 4, bytes)
        case 5: self = Bytes32(bytes).map { .i2p($0) } ?? .unusable(network: 5, bytes)
        case 6 where bytes[0] == 0xFC: self = .cjdns(high: half(0), low: half(8))
        default: self = .unusable(network: network, bytes)
        }
    }

    /// The sixteen bytes of an address from before BIP155: IPv6, or IPv4 behind ::ffff:0:0/96.
    init(legacy reader: inout Reader) throws(WireError) {
        let high = try reader.readUInt64BigEndian()
        let low = try reader.readUInt64BigEndian()
        if high == 0, low >> 32 == 0xFFFF {
            self = .ipv4(UInt32(truncatingIfNeeded: low))
            return
        }
        let host = PeerHost.ipv6(high: high, low: low)
        self = host.isDisguised ? .unusable(network: 2, host.bytes) : host
    }

    /// An IPv6 address that stands for one of IPv4 or of Tor's second version.
    private var isDisguised: Bool {
        guard case .ipv6(let high, let low) = self else { return false }
        return high == 0 && low >> 32 == 0xFFFF || high >> 16 == 0xFD87_D87E_EB43
    }

    /// The number of the network.
    public var network: UInt8 {
        switch self {
        case .ipv4: 1
        case .ipv6: 2
        case .torV3: 4
        case .i2p: 5
        case .cjdns: 6
        case .unusable(let network, _): network
        }
    }

    /// The address as it stands on the wire.
    public var bytes: [UInt8] {
        var writer = Writer(capacity: 32)
        switch self {
        case .ipv4(let address):
            writer.writeBigEndian(address)
        case .ipv6(let high, let low), .cjdns(let high, let low):
            writer.writeBigEndian(high)
            writer.writeBigEndian(low)
        case .torV3(let bytes), .i2p(let bytes): writer.write(bytes)
        case .unusable(_, let bytes): writer.write(bytes)
        }
        return writer.bytes
    }

    func write(to writer: inout Writer) {
        writer.write(network)
        writer.writeVarBytes(bytes)
    }

    /// Sixteen bytes, all zero for what has no place in them.
    func writeLegacy(to writer: inout Writer) {
        switch self {
        case .ipv4(let address):
            writer.writeBigEndian(UInt64(0))
            writer.writeBigEndian(UInt64(0xFFFF) << 32 | UInt64(address))
        case .ipv6(let high, let low):
            writer.writeBigEndian(high)
            writer.writeBigEndian(low)
        case .unusable(network: 2, let bytes): writer.write(bytes)
        case .torV3, .i2p, .cjdns, .unusable: writer.write([UInt8](repeating: 0, count: 16))
        }
    }
}
