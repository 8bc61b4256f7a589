/// Where a peer listens: what is dialled, kept and banned.
public struct PeerEndpoint: Hashable, Sendable {
    /// Its host.
    public var host: PeerHost
    /// Its port; 0 only on I2P, which has none.
    public var port: UInt16

    /// An endpoint from its parts.
    public init(_ host: PeerHost, port: UInt16) {
        self.host = host
        self.port = port
    }

    /// The endpoint of an address that a peer passed on.
    public init(_ address: PeerAddress) {
        self.init(address.host, port: address.port)
    }

    /// Whether it can be dialled at all: a known network and a port where the network has ports.
    public var isUsable: Bool {
        switch host {
        case .unusable: false
        case .i2p: true
        case .ipv4(let address): port != 0 && address != 0
        case .ipv6(let high, let low): port != 0 && (high, low) != (0, 0)
        case .torV3, .cjdns: port != 0
        }
    }
}

/// A way to reach peers. Two of them share nothing: what is reached over one says nothing of the
/// other, and one that is chosen never stands in for one that is not.
public enum PeerNetwork: UInt8, Hashable, Sendable, CaseIterable, Comparable {
    /// IPv4 and IPv6, from this machine's own address.
    case clearnet = 1
    /// Tor services, through a gateway.
    case tor = 4
    /// I2P destinations, through a gateway.
    case i2p = 5
    /// CJDNS, through its own interface.
    case cjdns = 6

    /// Orders as the numbers of BIP155.
    public static func < (left: PeerNetwork, right: PeerNetwork) -> Bool {
        left.rawValue < right.rawValue
    }

    /// Whether its addresses cost nothing to make, so that a thousand of them may be one machine.
    public var isOverlay: Bool { self != .clearnet }
}

extension PeerNetwork: CustomStringConvertible {
    /// The name as it is typed.
    public var description: String {
        switch self {
        case .clearnet: "clearnet"
        case .tor: "tor"
        case .i2p: "i2p"
        case .cjdns: "cjdns"
        }
    }
}

extension PeerHost {
    /// The way to it; nil if there is none.
    public var way: PeerNetwork? {
        switch self {
        case .ipv4, .ipv6: .clearnet
        case .torV3: .tor
        case .i2p: .i2p
        case .cjdns: .cjdns
        case .unusable: nil
        }
    }
}
