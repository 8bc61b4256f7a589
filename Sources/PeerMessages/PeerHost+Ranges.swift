extension PeerHost {
    /// Whether an address is of the kind that anybody on its network can reach: the only list of
    /// special ranges there is (RFC 6890 and its registry, RFC 6598, RFC 5737, RFC 3849).
    public var isPublic: Bool {
        switch self {
        case .ipv4(let address):
            !PeerHost.specialIPv4.contains { range in
                address >> UInt32(32 - range.length) == range.start >> UInt32(32 - range.length)
            }
        case .ipv6(let high, let low):
            // Only 2000::/3 is given out; within it some ranges are special.
            high >> 61 == 1
                && !PeerHost.specialIPv6.contains { range in
                    high >> UInt64(64 - range.length) == range.start >> UInt64(64 - range.length)
                } && !(high == 0 && low == 0)
        case .torV3, .i2p, .cjdns: true
        case .unusable: false
        }
    }

    private static let specialIPv4: [(start: UInt32, length: Int)] = [
        (0x0000_0000, 8),  // this network
        (0x0A00_0000, 8),  // private
        (0x6440_0000, 10),  // shared by the customers of a carrier
        (0x7F00_0000, 8),  // this host
        (0xA9FE_0000, 16),  // this link
        (0xAC10_0000, 12),  // private
        (0xC000_0000, 24),  // protocols
        (0xC000_0200, 24),  // documentation
        (0xC058_6300, 24),  // relays of 6to4
        (0xC0A8_0000, 16),  // private
        (0xC612_0000, 15),  // measurements
        (0xC633_6400, 24),  // documentation
        (0xCB00_7100, 24),  // documentation
        (0xE000_0000, 4),  // many receivers
        (0xF000_0000, 4),  // reserved, and everybody
    ]

    private static let specialIPv6: [(start: UInt64, length: Int)] = [
        (0x2001_0000_0000_0000, 23),  // protocols, Teredo among them
        (0x2001_0DB8_0000_0000, 32),  // documentation
        (0x2002_0000_0000_0000, 16),  // 6to4
        (0x3FFF_0000_0000_0000, 20),  // documentation
    ]

    /// Addresses that one operator is likely to hold together: /16 of IPv4, /32 of IPv6. An address of
    /// an overlay costs nothing, so each of these networks is one group.
    public var group: PeerGroup {
        switch self {
        case .ipv4(let address): PeerGroup(network: 1, prefix: address >> 16)
        case .ipv6(let high, _):
            PeerGroup(network: 2, prefix: UInt32(truncatingIfNeeded: high >> 32))
        case .torV3, .i2p, .cjdns, .unusable: PeerGroup(network: network, prefix: 0)
        }
    }
}

/// See `PeerHost.group`.
public struct PeerGroup: Hashable, Sendable {
    let network: UInt8
    let prefix: UInt32
}
