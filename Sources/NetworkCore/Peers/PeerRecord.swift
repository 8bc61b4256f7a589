public import PeerMessages

/// Where an address comes from. A peer keeps its source for as long as it is known: one that was
/// found by a seed does not become another kind by having served once.
public enum PeerSource: UInt8, Hashable, Sendable, CaseIterable {
    /// A person named it.
    case manual = 1
    /// A signed list.
    case signedList = 2
    /// A DNS seed.
    case dnsSeed = 3
}

extension PeerSource: CustomStringConvertible {
    /// What a person reads.
    public var description: String {
        switch self {
        case .manual: "added by hand"
        case .signedList: "signed list"
        case .dnsSeed: "DNS seed"
        }
    }
}

/// What is kept of a peer.
public struct PeerRecord: Hashable, Sendable {
    /// Where it listens.
    public let endpoint: PeerEndpoint
    /// Where its address comes from.
    public var source: PeerSource
    /// What it offered when it introduced itself last.
    public var services: PeerServices
    /// When it last answered a question, in seconds since 1970; nil if it never did.
    public var served: Int64?

    /// A record from its parts.
    public init(
        _ endpoint: PeerEndpoint, source: PeerSource, services: PeerServices = [],
        served: Int64? = nil
    ) {
        self.endpoint = endpoint
        self.source = source
        self.services = services
        self.served = served
    }

    /// Whether it may have the encrypted transport (BIP324): unless it served and offered none when it
    /// introduced itself last. One that learns it says so at the next connection.
    var mayEncrypt: Bool { served == nil || services.contains(.v2Transport) }
}

/// A peer that lied.
public struct PeerBan: Hashable, Sendable {
    /// Where it listened. On public networks every port of the host is meant.
    public let endpoint: PeerEndpoint
    /// What was proven, as a sentence.
    public let reason: String
    /// When, in seconds since 1970.
    public let since: Int64

    /// A ban for a proven lie.
    public init(_ endpoint: PeerEndpoint, for proof: PeerProof, since: Int64) {
        self.init(endpoint, reason: proof.description, since: since)
    }

    /// A ban as it was stored.
    public init(_ endpoint: PeerEndpoint, reason: String, since: Int64) {
        self.endpoint = endpoint
        self.reason = reason
        self.since = since
    }
}

/// A change of what is kept of peers, for the store.
public enum PeerChange: Hashable, Sendable {
    /// A record is new or changed.
    case kept(PeerRecord)
    /// A record is gone.
    case removed(PeerEndpoint)
    /// A peer lied.
    case banned(PeerBan)
    /// A ban has ended.
    case banEnded(PeerEndpoint)
    /// Every record except those added by hand is gone, and every ban.
    case forgotten
    /// A signed list was taken: its bytes, signature included.
    case signedList([UInt8])
}

/// What was kept of peers, as the store gives it back.
public struct KeptPeers: Hashable, Sendable {
    /// The records.
    public var records: [PeerRecord]
    /// The bans.
    public var bans: [PeerBan]
    /// The signed list that was taken last.
    public var signedList: [UInt8]?

    /// What was kept; nothing at the first start.
    public init(records: [PeerRecord] = [], bans: [PeerBan] = [], signedList: [UInt8]? = nil) {
        self.records = records
        self.bans = bans
        self.signedList = signedList
    }

    /// What a store holds after a change. Twice is as once.
    public mutating func apply(_ change: PeerChange) {
        switch change {
        case .kept(let record):
            records.removeAll { $0.endpoint == record.endpoint }
            records.append(record)
        case .removed(let endpoint): records.removeAll { $0.endpoint == endpoint }
        case .banned(let ban):
            bans.removeAll { $0.endpoint == ban.endpoint }
            bans.append(ban)
        case .banEnded(let endpoint): bans.removeAll { $0.endpoint == endpoint }
        case .forgotten:
            records.removeAll { $0.source != .manual }
            bans = []
        case .signedList(let file): signedList = file
        }
    }
}
