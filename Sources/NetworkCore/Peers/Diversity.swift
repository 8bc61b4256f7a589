import PeerMessages

/// Who may sit beside whom. Ceilings, not quotas: a seat may stay empty.
///
/// They say nothing of who runs a peer; they make it dearer to hold every seat. Peers added by hand
/// are the person's own choice and bound by nothing, but count for the others.
struct Diversity: Hashable, Sendable {
    /// One that sits, or would.
    struct Sitter: Hashable, Sendable {
        let endpoint: PeerEndpoint
        let source: PeerSource
    }

    /// Why one may not sit.
    enum Objection: Hashable, Sendable {
        /// One of the same netblock sits already.
        case netblock
        /// Those of the same source would hold all seats.
        case source
        /// Those of overlays, or of one overlay, would hold all seats.
        case overlay
    }

    /// How many seats there are.
    let seats: Int
    /// The networks that are used.
    let networks: Set<PeerNetwork>

    func objection(to new: Sitter, beside seated: [Sitter]) -> Objection? {
        guard new.source != .manual else { return nil }
        if let block = Diversity.netblock(new.endpoint.host),
            seated.contains(where: { Diversity.netblock($0.endpoint.host) == block })
        {
            return .netblock
        }
        // A single seat is always held by somebody.
        guard seats > 1 else { return nil }
        let bound = seated.filter { $0.source != .manual }
        if bound.count(where: { $0.source == new.source }) >= seats - 1 { return .source }
        if let group = overlays(with: new.endpoint.host),
            bound.count(where: { $0.endpoint.host.way.map { group.contains($0) } ?? false })
                >= seats - 1
        {
            return .overlay
        }
        return nil
    }

    /// The overlays that together may not hold all seats: all of them beside clearnet, each for itself
    /// where only overlays are used, none where there is but one network.
    private func overlays(with host: PeerHost) -> Set<PeerNetwork>? {
        guard let network = host.way, network.isOverlay, networks.count > 1 else { return nil }
        return networks.contains(.clearnet) ? networks.subtracting([.clearnet]) : [network]
    }

    /// Addresses that one operator is likely to hold together; nil where addresses cost nothing, or
    /// are not public.
    static func netblock(_ host: PeerHost) -> PeerGroup? {
        switch host {
        case .ipv4, .ipv6: host.isPublic ? host.group : nil
        case .torV3, .i2p, .cjdns, .unusable: nil
        }
    }
}
