public import Bitcoin
public import Chain
public import PeerMessages

/// Keeps the chain of headers that has the most work, by asking peers.
///
/// One peer is asked at a time until it has nothing new, then every other one, so that none can hold
/// the chain back: what counts is work, never a height that a peer claims. A peer that leaves in the
/// middle of a branch costs nothing, the next one goes on with it.
public struct HeaderSync: Sendable {
    /// What there is to do.
    public enum Action: Hashable, Sendable {
        /// Send a question.
        case ask(PeerID, GetHeaders)
        /// The chain changed: store it, and roll back what was built on headers that left it.
        case changed(ChainChange)
        /// The peer broke a rule, which the headers prove.
        case fault(PeerID, HeaderRefusal)
        /// The peer is of no use at the moment; nothing is proven.
        case rest(PeerID, RestReason)
    }

    /// Why a peer should be let go for a while.
    public enum RestReason: Hashable, Sendable {
        /// It did not answer in time.
        case silent
        /// It sends headers that follow nothing we know, again and again.
        case unconnected
        /// It served other headers than before, or too many without work.
        case branch(HeaderRefusal)
    }

    /// How far it is.
    public enum Phase: Hashable, Sendable {
        /// No peer can be asked.
        case waitingForPeers
        /// A branch has to show the least work of the network, up to this header so far.
        case provingWork(height: Int)
        /// A branch that has shown its work is fetched.
        case fetching(height: Int, of: Int)
        /// Headers are being asked for.
        case asking(height: Int)
        /// Every peer has said that it has nothing new.
        case current(height: Int)
    }

    /// Times and numbers that may be tuned.
    public struct Limits: Hashable, Sendable {
        /// How long an answer may take.
        public var answerTimeout = Duration.seconds(30)
        /// How often everybody is asked again, in case an announcement was lost.
        public var pollInterval = Duration.seconds(600)
        /// How soon after headers that were ahead of the clock.
        public var clockInterval = Duration.seconds(60)
        /// Messages in a row of a peer that follow nothing.
        public var unconnectedMessages = 8

        /// The limits of the product.
        public init() {}
    }

    /// Headers that were ahead of the clock: the clock is behind, or several hours of work were spent
    /// to make it seem so.
    public struct ClockNotice: Hashable, Sendable {
        /// The time of the header.
        public let header: UInt32
        /// The clock then.
        public let clock: Int64
    }

    /// The chain.
    public private(set) var chain: HeaderChain
    /// Set while headers cannot be taken because of the clock.
    public private(set) var clockNotice: ClockNotice?

    private let limits: Limits
    private var peers: [PeerID: Peer] = [:]
    /// A branch that a peer was serving when it left.
    private var orphan: HeaderDownload?

    private struct Peer: Sendable {
        var download: HeaderDownload?
        /// Until when an answer is awaited.
        var deadline: Duration?
        /// When it has to be asked next; nil while it is being asked.
        var due: Duration?
        /// Whether it has said that it has nothing new since it was last due.
        var hasNothingNew = false
        /// Whether it announced something while it was being asked.
        var hasAnnounced = false
        var unconnected = 0
    }

    /// Starts from the headers that are stored.
    public init(_ chain: HeaderChain, limits: Limits = Limits()) {
        self.chain = chain
        self.limits = limits
    }

    /// How far it is.
    public var phase: Phase {
        guard !peers.isEmpty else { return .waitingForPeers }
        let downloads = peers.values.compactMap(\.download) + [orphan].compactMap { $0 }
        for case .replay(let replay) in downloads {
            return .fetching(height: replay.tip.height, of: replay.end.height)
        }
        let highest = downloads.map(\.tip.height).max()
        if !chain.hasMinimumWork, let highest { return .provingWork(height: highest) }
        return peers.values.allSatisfy(\.hasNothingNew)
            ? .current(height: chain.height) : .asking(height: chain.height)
    }

    /// Headers of branches that are held beside the chain.
    public var heldHeaders: Int {
        peers.values.reduce(orphan?.heldHeaders ?? 0) { $0 + ($1.download?.heldHeaders ?? 0) }
    }

    /// When `time` should be called at the latest.
    public var nextDeadline: Duration? {
        let isBusy = peers.values.contains { $0.deadline != nil }
        let deadlines = peers.values.compactMap { $0.deadline ?? (isBusy ? nil : $0.due) }
        return deadlines.min()
    }

    // MARK: Events

    /// A peer has introduced itself and can be asked.
    public mutating func connected(_ id: PeerID, at now: Duration) -> [Action] {
        peers[id] = Peer(due: now)
        return askNext(at: now)
    }

    /// A peer is gone.
    public mutating func disconnected(_ id: PeerID, at now: Duration) -> [Action] {
        guard let peer = peers.removeValue(forKey: id) else { return [] }
        keep(peer.download)
        return askNext(at: now)
    }

    /// A peer announced a block by its hash.
    public mutating func announced(_ hash: BlockHash, by id: PeerID, at now: Duration) -> [Action] {
        guard let peer = peers[id], chain.height(of: hash) == nil else { return [] }
        if peer.deadline == nil { makeDue(id, at: now) } else { peers[id]?.hasAnnounced = true }
        return askNext(at: now)
    }

    /// Time has passed.
    public mutating func time(at now: Duration) -> [Action] {
        var actions: [Action] = []
        for (id, peer) in peers.sorted(by: { $0.key < $1.key }) {
            guard let deadline = peer.deadline, deadline <= now else { continue }
            keep(peer.download)
            peers[id]?.download = nil
            peers[id]?.deadline = nil
            peers[id]?.due = now + limits.pollInterval
            actions.append(.rest(id, .silent))
        }
        return actions + askNext(at: now)
    }

    /// A peer sent headers, asked or not.
    ///
    /// - Parameter clock: seconds since 1970.
    public mutating func received(
        _ headers: [BlockHeader], from id: PeerID, at now: Duration, clock: Int64
    ) -> [Action] {
        guard var peer = peers[id] else { return [] }
        let wasAsked = peer.deadline != nil
        // A peer that lacks the branch it was asked to go on with follows its own.
        if wasAsked, let download = peer.download, let first = headers.first,
            first.previous != download.tip.hash, chain.height(of: first.previous) != nil
        {
            keep(download)
            peer.download = nil
        }
        let receipt = chain.receive(headers, &peer.download, clock: clock)
        // The answer to a locator follows something; this was an announcement.
        if receipt.relation != .unconnected { peer.deadline = nil }
        peers[id] = peer
        var actions: [Action] = []
        if let change = receipt.change {
            actions = [.changed(change)]
            forgetStale()
        }
        if let refusal = receipt.refusal {
            actions += refused(refusal, by: id, at: now)
        } else {
            if receipt.change != nil { clockNotice = nil }
            actions += settle(id, receipt.relation, headers, wasAsked: wasAsked, at: now)
        }
        return actions + askNext(at: now)
    }
}

// MARK: - What follows

extension HeaderSync {
    /// Decides whether and when the peer is asked again.
    private mutating func settle(
        _ id: PeerID, _ relation: HeaderReceipt.Relation, _ headers: [BlockHeader], wasAsked: Bool,
        at now: Duration
    ) -> [Action] {
        let isFull = headers.count == PeerLimits.headers
        if relation == .unconnected {
            peers[id]?.unconnected += 1
            guard let peer = peers[id], peer.unconnected <= limits.unconnectedMessages else {
                peers[id]?.due = now + limits.pollInterval
                return [.rest(id, .unconnected)]
            }
            if peer.deadline == nil { makeDue(id, at: now) }
            return []
        }
        peers[id]?.unconnected = 0
        if relation == .known, isFull, let last = headers.last {
            peers[id]?.download = chain.download(after: last.hash)
        }
        var isReplay = false
        if case .replay? = peers[id]?.download { isReplay = true }
        if isFull || isReplay || peers[id]?.hasAnnounced == true {
            peers[id]?.hasAnnounced = false
            makeDue(id, at: now)
        } else if wasAsked {
            // Said when nothing was asked, it tells nothing about what else there is.
            hasNothingNew(id, at: now)
        }
        return []
    }

    private mutating func refused(
        _ refusal: HeaderRefusal, by id: PeerID, at now: Duration
    ) -> [Action] {
        switch refusal {
        case .aheadOfClock(_, let time, let clock):
            clockNotice = ClockNotice(header: time, clock: clock)
            peers[id]?.hasNothingNew = true
            peers[id]?.due = now + limits.clockInterval
            return []
        case .branchChanged, .branchTooLong:
            if case .branchChanged = refusal { keep(peers[id]?.download) }
            peers[id]?.download = nil
            peers[id]?.due = now + limits.pollInterval
            return [.rest(id, .branch(refusal))]
        case .unlinked, .wrongTarget, .noWork, .timeTooEarly, .timewarp, .versionTooOld:
            if case .replay? = peers[id]?.download { keep(peers[id]?.download) }
            peers[id] = nil
            return [.fault(id, refusal)]
        }
    }

    /// Asks the peer again as soon as nobody else is being asked.
    private mutating func makeDue(_ id: PeerID, at now: Duration) {
        peers[id]?.due = now
        peers[id]?.hasNothingNew = false
    }

    private mutating func hasNothingNew(_ id: PeerID, at now: Duration) {
        peers[id]?.hasNothingNew = true
        peers[id]?.due = now + limits.pollInterval
    }

    /// Remembers the heaviest branch that nobody serves any more. A light one beside a chain that has
    /// its work is not missed.
    private mutating func keep(_ download: HeaderDownload?) {
        guard let download, download.isWorthKeeping(over: orphan) else { return }
        var isReplay = false
        if case .replay = download { isReplay = true }
        if isReplay || !chain.hasMinimumWork { orphan = download }
    }

    /// After a change of the chain, branches from headers that left it lead nowhere.
    private mutating func forgetStale() {
        for id in peers.keys { chain.dropStale(&peers[id, default: Peer()].download) }
        chain.dropStale(&orphan)
    }

    /// Asks one peer, if none is being asked: one that is in the middle of a branch first, then the
    /// one that has waited longest.
    private mutating func askNext(at now: Duration) -> [Action] {
        guard !peers.values.contains(where: { $0.deadline != nil }) else { return [] }
        let due = peers.filter { ($0.value.due ?? .zero) <= now }
        let next = due.min { left, right in
            let isBusy = (left.value.download != nil, right.value.download != nil)
            if isBusy.0 != isBusy.1 { return isBusy.0 }
            let dues = (left.value.due ?? .zero, right.value.due ?? .zero)
            return dues.0 == dues.1 ? left.key < right.key : dues.0 < dues.1
        }
        guard let id = next?.key else { return [] }
        if peers[id]?.download == nil, orphan != nil {
            peers[id]?.download = orphan
            orphan = nil
        }
        let request = chain.request(for: peers[id]?.download)
        peers[id]?.deadline = now + limits.answerTimeout
        peers[id]?.due = nil
        return [.ask(id, GetHeaders(locator: request.locator, stop: request.stop))]
    }
}
