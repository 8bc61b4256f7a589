public import PeerMessages

/// A peer that has a seat.
public struct PeerInfo: Hashable, Sendable {
    /// The connection.
    public let id: PeerID
    /// Where it listens.
    public let endpoint: PeerEndpoint
    /// Where its address comes from.
    public let source: PeerSource
    /// The transport.
    public let transport: PeerTransport
    /// How it introduced itself. Its height is a claim.
    public let version: VersionMessage
    /// Whether transactions are announced to it by wtxid.
    public let usesWtxid: Bool
    /// Satoshis for 1,000 virtual bytes below which transactions need not be announced to it.
    public let feeFilter: Int64?
    /// How long the last sign of life took.
    public let roundTrip: Duration?

    /// What makes its word another voice than others'.
    public var kind: PeerKind { PeerKind(group: endpoint.host.group, source: source) }

    /// What it calls its software, a claim like all others, safe on a terminal: every character that
    /// is not visible ASCII or a space stands as a question mark.
    public var software: String {
        let shown = version.userAgent.map { (0x20...0x7E).contains($0) ? $0 : UInt8(ascii: "?") }
        return String(decoding: shown, as: UTF8.self)
    }
}

/// What the pool is doing, for a person.
public enum PoolState: Hashable, Sendable {
    /// Every seat is taken.
    case full
    /// Peers are being dialled.
    case dialling
    /// Seeds are being asked for addresses.
    case lookingUp
    /// Nobody can be dialled: this machine has no network, or a gateway does not answer; why, for a person.
    case noWay(PeerNetwork, String)
    /// Peers were reached, and none of them serves filters.
    case noneServesFilters
    /// All that are known rest; the next is tried at this time.
    case resting(until: Duration)
    /// Those that are known would make the seats too much alike.
    case limited
    /// No peer is known on the networks that are used.
    case noneKnown
}

/// Something worth a line in the log.
public enum PeerNote: Hashable, Sendable {
    /// Over a network nobody is reached from here, whoever it is.
    case wayFailed(DialFailure)
    /// A connection ended; news if the one before ended for another reason.
    case left(PeerEndpoint, PeerFault, isNews: Bool)
    /// A peer was banned.
    case banned(PeerBan)
    /// Seeds were asked, and named so many addresses.
    case lookedUp(hosts: Int)
    /// The list that was kept is not used any more.
    case listRefused(SignedListError)
    /// A list was fetched and taken.
    case listFetched
    /// No list could be fetched; it is tried again. Told once for each reason in a row.
    case listNotFetched(String)
}

extension PeerPool {
    /// What there is to do.
    public enum Action: Hashable, Sendable {
        /// Connect, with encryption first if the peer may have it, and say `dialled` with the outcome
        /// within the time.
        case dial(DialID, PeerEndpoint, DialRoute, isEncrypted: Bool, timeout: Duration)
        /// Give an attempt up; no outcome is awaited.
        case cancel(DialID)
        /// Send a message.
        case send(PeerID, PeerMessage)
        /// Close a connection; nothing more is heard of it.
        case disconnect(PeerID)
        /// Look a name up, and say `resolved` with the answer.
        case resolve(ResolveID, name: String, by: ResolveMethod)
        /// Fetch a signed list of peers, and say `fetched` with the outcome.
        case fetchList(ListFetchID, url: String, ListRoute)
        /// A peer can be asked.
        case seated(PeerInfo)
        /// It cannot be asked any more.
        case unseated(PeerID, PeerFault)
        /// A message of a seated peer.
        case message(PeerID, PeerMessage)
        /// Keep this.
        case store(PeerChange)
        /// Log this.
        case note(PeerNote)
    }

    /// Numbers and times that may be tuned.
    public struct Limits: Hashable, Sendable {
        /// How many peers are held.
        public var seats = 3
        /// Attempts to connect at once.
        public var dials = 5
        /// How long an attempt may take.
        public var dialTimeout = Duration.seconds(10)
        /// The same through a gateway: Tor takes 4 to 29 seconds to reach a service.
        public var gatewayTimeout = Duration.seconds(60)
        /// Blocks by which a peer's claim may lie below our chain.
        public var behind = 100
        /// See `PeerSession.Limits`.
        public var session = PeerSession.Limits()
        /// See `AddressBook.Limits`.
        public var book = AddressBook.Limits()

        /// The limits of the product.
        public init() {}
    }
}
