public import PeerMessages

/// A SOCKS5 proxy on a numeric address: nothing has to be looked up to reach it.
public struct Gateway: Hashable, Sendable {
    /// Where it listens.
    public let endpoint: PeerEndpoint

    /// Nil unless the address is IPv4 or IPv6: a gateway cannot lie behind a gateway.
    public init?(_ endpoint: PeerEndpoint) {
        guard endpoint.host.way == .clearnet, endpoint.isUsable else { return nil }
        self.endpoint = endpoint
    }
}

extension Gateway: CustomStringConvertible {
    /// Its address and port.
    public var description: String { endpoint.description }
}

/// Over which networks peers are reached. It depends on what a person has chosen and on nothing that
/// happens: a gateway that fails never changes it, so that what was to stay hidden stays hidden.
public struct RoutingPolicy: Hashable, Sendable {
    /// How the networks are chosen.
    public enum Mode: Hashable, Sendable {
        /// Only overlays if a gateway to one is set, else clearnet.
        case automatic
        /// Clearnet, whatever gateways are set.
        case direct
        /// These.
        case manual(Set<PeerNetwork>)
    }

    /// How the networks are chosen.
    public let mode: Mode
    /// The way to Tor services.
    public let tor: Gateway?
    /// The way to I2P destinations.
    public let i2p: Gateway?

    /// A policy from a person's settings.
    ///
    /// - Throws: what is missing, if networks were chosen that cannot be reached.
    public init(
        mode: Mode = .automatic, tor: Gateway? = nil, i2p: Gateway? = nil
    ) throws(RoutingError) {
        if case .manual(let networks) = mode {
            guard !networks.isEmpty else { throw .nothingChosen }
            if networks.contains(.tor), tor == nil { throw .noGateway(.tor) }
            if networks.contains(.i2p), i2p == nil { throw .noGateway(.i2p) }
        }
        self.mode = mode
        self.tor = tor
        self.i2p = i2p
    }

    private init(automatic: Void) {
        mode = .automatic
        tor = nil
        i2p = nil
    }

    /// Without any setting: clearnet.
    public static let standard = RoutingPolicy(automatic: ())

    /// The networks that are used.
    public var networks: Set<PeerNetwork> {
        switch mode {
        case .automatic:
            var overlays: Set<PeerNetwork> = []
            if tor != nil { overlays.insert(.tor) }
            if i2p != nil { overlays.insert(.i2p) }
            return overlays.isEmpty ? [.clearnet] : overlays
        case .direct: return [.clearnet]
        case .manual(let networks): return networks
        }
    }

    /// Whether names of seeds may be looked up: it tells a resolver what this machine is, so only
    /// where peers are told its address anyway.
    public var mayLookUp: Bool { networks.contains(.clearnet) }

    /// Whether peers see this machine's own address.
    public var exposesAddress: Bool { networks.contains(.clearnet) }
}

/// Why networks cannot be used as chosen.
public enum RoutingError: Error, Hashable, Sendable {
    /// No network was chosen.
    case nothingChosen
    /// The network needs a gateway, and none is set.
    case noGateway(PeerNetwork)
}

extension RoutingError: CustomStringConvertible {
    /// What is missing.
    public var description: String {
        switch self {
        case .nothingChosen: "no network is chosen: name at least one"
        case .noGateway(let network):
            "\(network) is chosen without a gateway: set the address of its SOCKS5 proxy"
        }
    }
}

extension DialRoute {
    /// The way to an endpoint; nil if it is on a network that is not chosen. There is never a second
    /// one. A gateway is asked for the destination by its name, so that nothing here looks it up.
    public init?(to endpoint: PeerEndpoint, _ policy: RoutingPolicy) {
        guard endpoint.isUsable, let network = endpoint.host.way,
            policy.networks.contains(network)
        else { return nil }
        switch network {
        case .clearnet, .cjdns: self = .direct
        case .tor: self = .gateway(.tor)
        case .i2p: self = .gateway(.i2p)
        }
    }
}
