import Bitcoin
import Chain
public import PeerMessages
public import Wire

/// The light client: peers, the chain, wallets. One state machine without any I/O: events and the time
/// go in, actions come out, and the same events lead to the same actions.
///
/// What it holds and what is written are the same whenever its actions are done: an event's changes
/// leave as one commit, before everything else. If that commit fails, nothing of the rest is done and
/// the light client is loaded again from what is written.
public struct LightClient: Sendable {
    /// Times and numbers that may be tuned.
    public struct Limits: Hashable, Sendable {
        /// Of peers.
        public var pool = PeerPool.Limits()
        /// Of the chain.
        public var sync = ChainSync.Limits()
        /// How long to wait before what could not be written is tried again.
        public var reloadPause = Duration.seconds(30)

        /// The limits of the product.
        public init() {}
    }

    /// The peers.
    public internal(set) var pool: PeerPool
    /// The chain and the wallets.
    public internal(set) var sync: ChainSync
    /// Transactions that no block has yet.
    public internal(set) var relay: Relay
    let limits: Limits

    /// Set once something could not be written: what is here is not what is stored.
    public internal(set) var fault: StoreFault?
    /// Commands whose answer rests on the commit that was handed out last.
    var promised: [CommandID] = []
    var changes: [StoreChange] = []
    var actions: [LightClientAction] = []
    private var wasCurrent = false

    /// Goes on from what is stored.
    ///
    /// - Parameters:
    ///   - peers: peers that the configuration file names.
    ///   - publishers: keys whose signed lists of peers are taken.
    ///   - list: where such a list is fetched.
    ///   - seeds: names of DNS seeds; those of the network unless a person has others.
    ///   - clock: seconds since 1970.
    public init(
        _ stored: StoredState, policy: RoutingPolicy = .standard, peers: [PeerEndpoint] = [],
        publishers: Set<Bytes32> = [], list: HTTPSLocation? = nil, seeds: [String]? = nil,
        limits: Limits = Limits(),
        at now: Duration, clock: Int64,
        random: any RandomNumberGenerator & Sendable
    ) {
        self.limits = limits
        sync = ChainSync(stored, limits: limits.sync)
        pool = PeerPool(
            stored.headers.parameters, policy: policy, kept: stored.peers, configured: peers,
            publishers: publishers, list: list, seeds: seeds, limits: limits.pool, clock: clock,
            random: random)
        pool.height = stored.headers.height
        let (broadcasts, mended) = LightClient.mend(stored.broadcasts, sync)
        relay = Relay(Broadcast(broadcasts, damage: stored.broadcastDamage, at: now))
        changes = mended.map { .broadcast(.kept($0)) }
    }

    /// Which block has a transaction that is sent is known from what was searched. Where the store lost the
    /// end of the chain, or a crash came between its files, what it says of that is put right.
    ///
    /// - Returns: all records, and those that are other ones now.
    private static func mend(
        _ records: [BroadcastRecord], _ sync: ChainSync
    ) -> ([BroadcastRecord], [BroadcastRecord]) {
        guard !records.isEmpty else { return ([], []) }
        var heights: [Txid: Int] = [:]
        var searched = sync.chain.height
        for entry in sync.wallets.all {
            for line in entry.wallet.transactions { heights[line.txid] = Int(line.height) }
            searched = min(searched, entry.progress?.scanned ?? searched)
        }
        let right = records.map { record in
            var record = record
            let known = heights[record.transaction.txid]
            // What is to be searched again may have it again.
            if known != nil || record.confirmed ?? 0 > searched { record.confirmed = known }
            return record
        }
        return (right, zip(records, right).filter { $0 != $1 }.map(\.1))
    }

    /// When `.time` has to come at the latest; nil while only other events can lead on.
    public var nextDeadline: Duration? {
        guard fault == nil else { return nil }
        return [pool.nextDeadline, sync.nextDeadline, relay.nextDeadline].compactMap { $0 }.min()
    }

    /// Takes one event and says what to do, in this order.
    ///
    /// - Parameters:
    ///   - now: time that never goes back.
    ///   - clock: seconds since 1970, as this machine has it.
    public mutating func handle(
        _ event: LightClientEvent, at now: Duration, clock: Int64
    ) -> [LightClientAction] {
        guard fault == nil else { return refuse(event) }
        if case .commitFailed(let fault) = event { return fail(fault) }
        pool.clock = clock
        promised = []
        switch event {
        case .started:
            run(sync.begin(at: now), now, clock)
            run(pool.start(at: now), now, clock)
        case .dialled(let id, let outcome):
            run(pool.dialled(id, outcome, at: now), now, clock)
        case .traffic(let id, let bytes, let skipped):
            run(pool.received(bytes: bytes, skipped: skipped, from: id, at: now), now, clock)
        case .message(let id, let message):
            run(pool.received(message, from: id, at: now), now, clock)
        case .closed(let id, let reason): run(pool.closed(id, reason, at: now), now, clock)
        case .resolved(let id, let hosts): run(pool.resolved(id, hosts, at: now), now, clock)
        case .listFetched(let id, let result):
            run(pool.fetched(id, result, isCurrent: isCurrent, at: now), now, clock)
        case .filtersRead(let first, let filters):
            run(sync.filtersRead(filters, from: first, at: now), now, clock)
        case .command(let id, let command): run(command, id, now, clock)
        case .time:
            run(sync.time(at: now), now, clock)
            run(pool.time(at: now), now, clock)
            run(relay.time(at: now), now, clock)
        case .commitFailed: break
        }
        noticeTip(now, clock)
        return finish()
    }

    /// Whether our own chain is known to be current.
    var isCurrent: Bool { if case .current = sync.headers.phase { true } else { false } }

    /// The pool learns how high the chain is, and when nobody has more of it.
    private mutating func noticeTip(_ now: Duration, _ clock: Int64) {
        pool.height = sync.chain.height
        let isCurrent = isCurrent
        defer { wasCurrent = isCurrent }
        if isCurrent, !wasCurrent { run(pool.settled(at: now), now, clock) }
        run(pool.announceAbove(relay.announcementRate), now, clock)
    }

    private mutating func finish() -> [LightClientAction] {
        defer {
            changes = []
            actions = []
        }
        return changes.isEmpty ? actions : [.commit(changes)] + actions
    }
}

// MARK: - Faults of the store

extension LightClient {
    private mutating func fail(_ fault: StoreFault) -> [LightClientAction] {
        self.fault = fault
        defer { promised = [] }
        let answers = promised.map {
            LightClientAction.answer($0, .refused(.store(fault)))
        }
        return [.log(.warning, fault.sentence)] + answers + [.reload(after: limits.reloadPause)]
    }

    /// Until it is loaded again it takes part in nothing.
    private func refuse(_ event: LightClientEvent) -> [LightClientAction] {
        guard case .command(let id, _) = event, let fault else { return [] }
        return [.answer(id, .refused(.store(fault)))]
    }
}
