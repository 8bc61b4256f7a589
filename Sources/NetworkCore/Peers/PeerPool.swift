public import Chain
public import PeerMessages
public import Wire

/// Holds a few connections to peers that have what is needed and are unlike each other.
///
/// It dials those added by hand first, then those that served before, then those of a signed list, and
/// asks seeds only when nobody else is left. What it hears from them it passes on; who lied, it is told.
/// Set `clock` and `height` whenever they change.
public struct PeerPool: Sendable {
    /// Seconds since 1970.
    public var clock: Int64
    /// The height of the chain whose headers were checked.
    public var height = 0
    /// What is known of peers.
    public internal(set) var book: AddressBook
    /// Over which networks peers are reached.
    public internal(set) var policy: RoutingPolicy

    let chain: ChainParameters
    /// Numbers and times that may be tuned.
    public let limits: Limits
    var random: any RandomNumberGenerator & Sendable
    var lines: [PeerID: Line] = [:]
    var dials: [DialID: Dial] = [:]
    var lookup: SeedLookup
    /// Networks, by their number of BIP155, that failed as a whole.
    var closedWays: [UInt8: ClosedWay] = [:]
    var seedRest = Pause(failures: 0, until: .zero)
    /// Peers that had no filters since one last took a seat.
    var withoutFilters = 0
    /// The rate that is told to every peer, see `announceAbove`.
    var feeFilter: Int64 = PeerPool.noTransactions
    /// The keys of publishers of lists.
    let publishers: Set<Bytes32>
    /// When somebody who rests may be dialled again, or seeds asked.
    var wakeUp: Duration?
    private var nextDial: UInt64 = 1
    private var isRunning = false
    /// The list of an earlier run, until it was checked again.
    private var keptList: [UInt8]?
    /// Fetches lists; nil unless a person named where they are.
    var listFetch: PeerListFetch?
    /// Why the last list was not fetched, so that each reason is told once.
    var listFailure: String?

    /// A connection, seated or still introducing itself.
    struct Line: Sendable {
        var session: PeerSession
        let nonce: UInt64
        let sitter: Diversity.Sitter
        let transport: PeerTransport
        var isSeated = false
        var hasServed = false
    }

    /// A network over which nobody is reached: until when it rests, and why.
    struct ClosedWay: Sendable {
        let pause: Pause
        let reason: String
    }

    struct Dial: Sendable {
        let sitter: Diversity.Sitter
        let deadline: Duration
    }

    /// A pool that has dialled nobody yet.
    ///
    /// - Parameters:
    ///   - kept: what was kept of this chain's peers.
    ///   - configured: peers that the configuration file names.
    ///   - clock: seconds since 1970.
    ///   - publishers: keys whose signed lists are taken.
    ///   - list: where a signed list is fetched.
    ///   - seeds: names of DNS seeds; those of the network unless a person has others.
    public init(
        _ chain: ChainParameters, policy: RoutingPolicy = .standard, kept: KeptPeers = KeptPeers(),
        configured: [PeerEndpoint] = [], publishers: Set<Bytes32> = [],
        list: HTTPSLocation? = nil, seeds: [String]? = nil,
        limits: Limits = Limits(), clock: Int64,
        random: any RandomNumberGenerator & Sendable
    ) {
        self.chain = chain
        self.policy = policy
        self.limits = limits
        self.clock = clock
        self.random = random
        book = AddressBook(
            chain, kept, configured: configured, limits: limits.book, clock: clock)
        lookup = SeedLookup(chain, names: seeds)
        self.publishers = publishers
        keptList = kept.signedList
        listFetch = list.map { PeerListFetch($0) }
    }

    // MARK: What it looks like

    /// The peers that can be asked, the oldest first.
    public var seated: [PeerInfo] {
        lines.filter(\.value.isSeated).sorted { $0.key < $1.key }.compactMap { info($0.key) }
    }

    /// A peer that can be asked.
    public func info(_ id: PeerID) -> PeerInfo? {
        guard let line = lines[id], line.isSeated, let version = line.session.version else {
            return nil
        }
        return PeerInfo(
            id: id, endpoint: line.sitter.endpoint, source: line.sitter.source,
            transport: line.transport, version: version, usesWtxid: line.session.usesWtxid,
            feeFilter: line.session.feeFilter, roundTrip: line.session.roundTrip)
    }

    // MARK: Events

    /// Begins to dial.
    public mutating func start(at now: Duration) -> [Action] {
        isRunning = true
        var actions: [Action] = []
        var isFresh = false
        if let keptList {
            self.keptList = nil
            do throws(SignedListError) {
                isFresh = try enter(list: keptList, tip: nil).day >= Int(clamping: clock / 86400)
            } catch {
                actions.append(.note(.listRefused(error)))
            }
        }
        actions += startFetching(isFresh: isFresh, at: now)
        return actions + fill(at: now)
    }

    /// Closes everything and dials nobody any more.
    public mutating func stop() -> [Action] {
        isRunning = false
        let actions: [Action] =
            dials.keys.sorted().map { .cancel($0) } + lines.keys.sorted().map { .disconnect($0) }
        dials = [:]
        lines = [:]
        return actions
    }

    /// An attempt to connect has its outcome.
    public mutating func dialled(
        _ id: DialID, _ outcome: Result<LightClientEvent.DialledPeer, DialFailure>, at now: Duration
    ) -> [Action] {
        guard let dial = dials.removeValue(forKey: id) else {
            // It was given up before it succeeded.
            if case .success(let peer) = outcome { return [.disconnect(peer.id)] }
            return []
        }
        switch outcome {
        case .success(let peer): return opened(peer, dial, at: now)
        case .failure(let failure): return failed(dial, failure, at: now) + fill(at: now)
        }
    }

    /// Bytes came on a connection, some of them of messages that were skipped unread.
    public mutating func received(
        bytes: Int, skipped: Int, from id: PeerID, at now: Duration
    ) -> [Action] {
        guard let actions = lines[id]?.session.received(bytes: bytes, skipped: skipped, at: now)
        else { return [] }
        return run(actions, of: id, at: now)
    }

    /// A message came.
    public mutating func received(
        _ message: PeerMessage, from id: PeerID, at now: Duration
    ) -> [Action] {
        guard let actions = lines[id]?.session.received(message, at: now) else { return [] }
        return run(actions, of: id, at: now)
    }

    /// A connection is gone.
    public mutating func closed(
        _ id: PeerID, _ reason: CloseReason, at now: Duration
    ) -> [Action] {
        switch reason {
        case .closed: drop(id, .transport(.closed), isOpen: false, at: now)
        case .violation(let violation):
            drop(id, .misconduct(.violation(violation)), isOpen: false, at: now)
        }
    }

    /// Sends a message to a seated peer and, if it is a question, waits for the answer.
    ///
    /// - Parameter replies: see `PeerSession.send`.
    public mutating func send(
        _ message: PeerMessage, to id: PeerID, replies: Int = 1, at now: Duration
    ) -> [Action] {
        guard lines[id]?.isSeated == true,
            let actions = lines[id]?.session.send(message, replies: replies, at: now)
        else { return [] }
        return run(actions, of: id, at: now)
    }

    /// As many headers as a node announces at a time (Core's `MAX_BLOCKS_TO_ANNOUNCE`).
    static let announcedHeaders = 8
    /// How far below our tip a node may be that catches up beside another: a day's blocks. What lies
    /// deeper costs nobody anything to send again.
    static let announcedDepth = 144

    /// A few headers of the peer led beyond what it had shown before, near our tip.
    public mutating func headersLedOn(_ id: PeerID) { lines[id]?.session.headersLedOn() }

    /// Whoever asked the peer found a fault.
    public mutating func report(_ id: PeerID, _ fault: PeerFault, at now: Duration) -> [Action] {
        drop(id, fault, at: now)
    }

    /// The addresses behind a name; none if nobody knows any.
    public mutating func resolved(
        _ id: ResolveID, _ hosts: [PeerHost], at now: Duration
    ) -> [Action] {
        let actions = lookup.received(hosts, to: id, at: now)
        let fetching = listFetch?.resolved(hosts, to: id, at: now) ?? []
        return run(actions, at: now) + run(fetching, at: now)
    }

    /// Time has passed.
    public mutating func time(at now: Duration) -> [Action] {
        var actions: [Action] = []
        for id in lines.keys.sorted() {
            let nonce = random.next()
            guard let due = lines[id]?.session.time(random: nonce, at: now) else { continue }
            actions += run(due, of: id, at: now)
        }
        for (id, dial) in dials.sorted(by: { $0.key < $1.key }) where dial.deadline <= now {
            dials[id] = nil
            actions.append(.cancel(id))
            actions += failed(dial, DialFailure(.timeout, "nothing came in time"), at: now)
        }
        actions += run(lookup.time(at: now), at: now)
        actions += run(listFetch?.time(policy: policy, at: now) ?? [], at: now)
        return actions + fill(at: now)
    }

    /// Every peer was asked for headers and has nothing more: those that claim a chain far above and
    /// showed nothing of it make room for others.
    public mutating func settled(at now: Duration) -> [Action] {
        let limit = height + limits.behind
        let boasters = lines.filter { _, line in
            line.isSeated && line.sitter.source != .manual
                && Int(line.session.version?.startHeight ?? 0) > limit
        }
        return boasters.keys.sorted().flatMap { id in
            let claimed = lines[id]?.session.version?.startHeight ?? 0
            return drop(id, .unsuitable(.withholds(claimed: claimed)), at: now)
        }
    }

    mutating func number() -> DialID {
        defer { nextDial += 1 }
        return DialID(nextDial)
    }

    /// Whether new peers are wanted at all.
    var isDialling: Bool { isRunning }
}
