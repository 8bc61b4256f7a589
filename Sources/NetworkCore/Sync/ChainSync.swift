import Bitcoin
public import Chain
public import PeerMessages
public import Watch

/// Follows the chain for some wallets, by peers that have introduced themselves: headers, filter
/// headers, filters, blocks. Everything that it holds can be written and loaded again.
///
/// What changes leaves as one commit that comes before every other action of an event, so that
/// nothing is asked for, and nobody is told anything, that rests on what may not be written.
public struct ChainSync: Sendable {
    /// What there is to do.
    public enum Action: Hashable, Sendable {
        /// Write all of these, or none.
        case commit([StoreChange])
        /// Read kept filters.
        case readFilters(ClosedRange<Int>)
        /// Ask a peer; so many messages answer.
        case ask(PeerID, PeerMessage, replies: Int)
        /// Let a peer go.
        case end(PeerID, PeerFault)
        /// Blocks above a height left the chain.
        case rolledBack(above: Int)
        /// Blocks up to a height were searched, and these transactions of wallets are in them.
        case found([WatchedTransaction], tip: Int)
        /// Tell the log.
        case log(LightClientAction.LogSeverity, String)
    }

    /// Times and numbers that may be tuned.
    public struct Limits: Hashable, Sendable {
        /// Of headers.
        public var headers = HeaderSync.Limits()
        /// Of filter headers.
        public var filterHeaders = FilterHeaderSync.Limits()
        /// Of filters.
        public var scan = BlockScan.Limits()
        /// Of blocks.
        public var blocks = BlockFetch.Limits()
        /// Bytes of filters that the store keeps.
        public var keptFilterBytes = 2 << 30
        /// Blocks that are searched, or filters that are held, before they are written.
        public var unwrittenBlocks = 40
        /// The number of watched addresses of a branch is rounded up to a multiple of this. Blocks are
        /// searched again for addresses that come to be watched: once in about as many payments.
        public var walletStep: UInt32 = 100
        /// The longest that searched blocks stay unwritten.
        public var unwrittenTime = Duration.seconds(10)

        /// The limits of the product.
        public init() {}
    }

    struct Peer: Sendable {
        /// The highest header of our chain that it has shown to know; -1 for none.
        var known = -1
        /// The tip about which it was last asked whether it knows it.
        var probed: BlockHash?
    }

    let limits: Limits
    /// The headers.
    public internal(set) var headers: HeaderSync
    /// The filter headers.
    public internal(set) var filterHeaders: FilterHeaderSync
    /// The wallets.
    public internal(set) var wallets: WalletBook
    /// Which filters the store keeps.
    public internal(set) var kept: KeptFilters
    var scan: BlockScan
    var fetch: BlockFetch
    var meter = ScanMeter()
    var walk: WalletBook.Walk?
    var peers: [PeerID: Peer] = [:]
    /// A block of the chain that breaks a rule, which no peer is to blame for.
    public internal(set) var invalidBlock: (height: Int, flaw: BlockFetch.Flaw)?

    // What is not written yet.
    var changes: [StoreChange] = []
    var unwritten: [Int: [UInt8]] = [:]
    var unwrittenBlocks = 0
    var unwrittenSince: Duration?
    var writtenFilterHeaders: Int
    var found: [WatchedTransaction] = []
    var mustWrite = false
    var actions: [Action] = []
    /// Whether peers may have come to agree on more or fewer filter headers.
    var areSeatsStale = true

    /// Goes on from what is stored.
    public init(_ stored: StoredState, limits: Limits = Limits()) {
        self.limits = limits
        var filters = stored.filterHeaders
        filters.truncate(to: stored.headers.height)
        headers = HeaderSync(stored.headers, limits: limits.headers)
        filterHeaders = FilterHeaderSync(filters, limits: limits.filterHeaders)
        scan = BlockScan(limits: limits.scan)
        fetch = BlockFetch(
            challenge: stored.headers.parameters.signetChallenge, limits: limits.blocks)
        kept = stored.keptFilters
        wallets = WalletBook(
            step: limits.walletStep, given: stored.given, lastNumber: stored.lastNumber)
        writtenFilterHeaders = filters.height
        if filters.height < stored.filterHeaders.height {
            changes.append(.rewindFilters(above: filters.height))
        }
        if let top = kept.runs.last?.heights.upperBound, top > filters.height {
            kept.remove(filters.height + 1...top)
        }
        for wallet in stored.wallets {
            changes += wallets.load(wallet, stored.headers, filters: filters.height)
        }
    }

    /// The headers.
    public var chain: HeaderChain { headers.chain }

    /// When `time` should be called at the latest.
    public var nextDeadline: Duration? {
        let unwrittenDeadline = unwrittenSince.map { $0 + limits.unwrittenTime }
        return [
            headers.nextDeadline, filterHeaders.nextDeadline, scan.nextDeadline,
            fetch.nextDeadline, unwrittenDeadline, isOverfull ? .zero : nil,
        ].compactMap { $0 }.min()
    }

    /// Filters and blocks that are held, and their bytes, for whoever watches the bounds.
    public var held: (filters: Int, filterBytes: Int, blocks: Int) {
        let held = scan.held
        let waiting = unwritten.values.reduce(0) { $0 + $1.count }
        return (held.filters + unwritten.count, held.bytes + waiting, held.blocks)
    }

    // MARK: Events

    /// What was not as it should be in the store is put right there.
    public mutating func begin(at now: Duration) -> [Action] {
        mustWrite = true
        return settle(now)
    }

    /// A peer has introduced itself, which serves headers, filters and blocks.
    public mutating func seated(
        _ id: PeerID, kind: PeerKind, at now: Duration
    ) -> [Action] {
        peers[id] = Peer()
        areSeatsStale = true
        fetch.seat(id, height: -1)
        run(filterHeaders.connected(id, kind: kind, height: -1, chain, at: now), now)
        run(headers.connected(id, at: now), now)
        return settle(now)
    }

    /// A peer is gone.
    public mutating func left(_ id: PeerID, at now: Duration) -> [Action] {
        forget(id, now)
        return settle(now)
    }

    /// A peer sent a message.
    ///
    /// - Parameter clock: seconds since 1970.
    public mutating func received(
        _ message: PeerMessage, from id: PeerID, at now: Duration, clock: Int64
    ) -> [Action] {
        guard peers[id] != nil else { return [] }
        switch message {
        case .headers(let list):
            run(headers.received(list, from: id, at: now, clock: clock), now)
            noteKnown(list, by: id, now)
        case .inv(let items): announced(items, by: id, now)
        case .cfcheckpt(let answer):
            areSeatsStale = true
            run(filterHeaders.received(answer, from: id, chain, at: now), now)
        case .cfheaders(let answer):
            areSeatsStale = true
            run(filterHeaders.received(answer, from: id, chain, at: now), now)
        case .cfilter(let answer):
            run(filterHeaders.received(answer, from: id, chain, at: now), now)
            meter.bytes += answer.filter.count
            run(scan.received(answer, from: id, chain, filterHeaders.filters, at: now), now)
        case .block(let block): received(block, from: id, now)
        case .notfound(let items): fetch.notFound(items, by: id)
        default: return []
        }
        return settle(now)
    }

    /// Kept filters came from the store; nil where one is missing.
    public mutating func filtersRead(
        _ filters: [[UInt8]?], from first: Int, at now: Duration
    ) -> [Action] {
        run(scan.received(kept: filters, from: first, filterHeaders.filters), now)
        return settle(now)
    }

    /// Time has passed.
    public mutating func time(at now: Duration) -> [Action] {
        run(headers.time(at: now), now)
        run(filterHeaders.time(chain, at: now), now)
        run(scan.time(at: now), now)
        run(fetch.time(at: now), now)
        if let since = unwrittenSince, since + limits.unwrittenTime <= now { mustWrite = true }
        return settle(now)
    }
}
