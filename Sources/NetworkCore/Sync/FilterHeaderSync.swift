public import Bitcoin
public import Chain
public import PeerMessages

/// Keeps the filter header of every block, by asking peers of different kinds.
///
/// Filter headers have no proof of work: what peers agree on is believed, and where they differ the
/// block itself is fetched and judges. Every 1,000th header is asked of all peers; the hashes between
/// two on which they agree come from one of them, since they must lead from one to the other. What
/// lies behind the last is asked of three. A peer that comes later is compared with what is held, so
/// that an earlier lie is found, and taken back, once one honest peer is there.
public struct FilterHeaderSync: Sendable {
    /// What there is to do.
    public enum Action: Hashable, Sendable {
        /// Send a question.
        case ask(PeerID, PeerMessage)
        /// Fetch a block from any peer and check it.
        case fetchBlock(BlockHash)
        /// The filter headers up to a height are known: store them.
        case extended(through: Int)
        /// Those above a height are no longer believed: take back what was built on them.
        case rewound(to: Int)
        /// The peer lied, which its own messages or a block prove.
        case fault(PeerID, Fault)
        /// The peer is of no use at the moment; nothing is proven.
        case rest(PeerID, RestReason)
    }

    /// What a peer was found to have done.
    public enum Fault: Hashable, Sendable {
        /// An answer to what was asked, of another length than was asked.
        case wrongLength
        /// Two of its answers exclude each other.
        case contradiction
        /// The filter it named of this block cannot be it.
        case refuted(height: Int)
    }

    /// Why a peer should be let go for a while.
    public enum RestReason: Hashable, Sendable {
        /// It did not answer in time: filters may still be indexed there.
        case silent
        /// It is one of those who differ over a block that does not decide.
        case disputed(height: Int)
    }

    /// How far it is.
    public enum Phase: Hashable, Sendable {
        /// No peer serves filters.
        case waitingForPeers
        /// Filter headers are being asked for.
        case asking(height: Int, of: Int)
        /// A block has to tell which peers lie.
        case settling(height: Int)
        /// Peers differ over a block, and nothing decides until another peer comes.
        case disputed(height: Int)
        /// The filter header of the last block is known.
        case current(height: Int)
    }

    /// Times and numbers that may be tuned.
    public struct Limits: Hashable, Sendable {
        /// How long an answer may take.
        public var answerTimeout = Duration.seconds(30)
        /// How soon a question about the last block is asked again, and then after twice as long.
        public var firstRepeat = Duration.seconds(2)
        /// How many peers are asked where none has agreed before.
        public var voters = 3

        /// The limits of the product.
        public init() {}
    }

    struct Peer: Sendable {
        let kind: PeerKind
        /// The highest header of our chain that it has shown to know: it may hang up on questions
        /// about others.
        var height: Int
        /// Filter headers of blocks 1,000, 2,000 and so on; nil until it was asked.
        var checkpoints: [FilterHeader]?
        /// The last block of the checkpoints that it was asked for.
        var askedHeight: Int?
        /// Whether what it says is still to be compared with what is held.
        var isUnreviewed = true
        /// The height through which it has named, one by one or by a header above, what is held.
        var agreed = -1
        var open: OpenQuestion?
        /// The last block of a question that was asked more than once: answers to it of another length
        /// may be those to an earlier asking.
        var repeated: BlockHash?

        var isAsked: Bool { open != nil }
    }

    /// What a peer has not answered yet.
    struct OpenQuestion: Sendable {
        let message: PeerMessage
        let deadline: Duration
        /// When to ask it again, and how long after that; nil if one asking is enough.
        var again: (at: Duration, wait: Duration)?
    }

    /// The filter headers.
    public internal(set) var filters: FilterHeaderChain
    let limits: Limits
    var peers: [PeerID: Peer] = [:]
    var vote: FilterVote?
    /// Who has not answered the vote.
    var voters: Set<PeerID> = []
    var dispute: FilterDispute?
    /// Who has said what it stands behind in the dispute; the others were only found to agree before.
    var speakers: Set<PeerID> = []
    var isBlockAsked = false
    /// The height of a block over which nothing decided.
    var undecided: Int?

    /// Starts from the filter headers that are stored.
    public init(_ filters: FilterHeaderChain = FilterHeaderChain(), limits: Limits = Limits()) {
        self.filters = filters
        self.limits = limits
    }

    /// How far it is.
    public func phase(_ chain: HeaderChain) -> Phase {
        if let dispute { return .settling(height: dispute.height) }
        if let undecided { return .disputed(height: undecided) }
        if filters.height == chain.height { return .current(height: chain.height) }
        return peers.isEmpty
            ? .waitingForPeers : .asking(height: filters.height, of: chain.height)
    }

    /// When `time` should be called at the latest.
    public var nextDeadline: Duration? {
        peers.values.compactMap { $0.open.map { min($0.deadline, $0.again?.at ?? $0.deadline) } }
            .min()
    }

    /// The height through which a peer has named the filter headers that are held, so that another
    /// filter from it contradicts itself; -1 for none.
    public func agreedHeight(of id: PeerID) -> Int {
        guard let peer = peers[id], firstMismatch(of: id) == nil else { return -1 }
        let spacing = FilterHeaderChain.checkpointSpacing
        let named = min(
            (peer.checkpoints?.count ?? 0) * spacing, filters.height / spacing * spacing)
        return min(filters.height, max(peer.agreed, named > 0 ? named : -1))
    }

    // MARK: Events

    /// A peer that serves filters has introduced itself.
    ///
    /// - Parameter height: the highest header of our chain that it has shown to know.
    public mutating func connected(
        _ id: PeerID, kind: PeerKind, height: Int, _ chain: HeaderChain, at now: Duration
    ) -> [Action] {
        peers[id] = Peer(kind: kind, height: height)
        undecided = nil
        return proceed(chain, at: now)
    }

    /// A peer has shown that it knows a header of our chain.
    public mutating func knows(
        _ id: PeerID, height: Int, _ chain: HeaderChain, at now: Duration
    ) -> [Action] {
        guard let peer = peers[id], height > peer.height else { return [] }
        peers[id]?.height = height
        // What others said of blocks that are new to it has to be compared as well.
        if filters.height > agreedHeight(of: id) { peers[id]?.isUnreviewed = true }
        return proceed(chain, at: now)
    }

    /// A peer is gone.
    public mutating func disconnected(
        _ id: PeerID, _ chain: HeaderChain, at now: Duration
    ) -> [Action] {
        remove(id)
        return proceed(chain, at: now)
    }

    /// Headers above a height left the chain or came to it.
    public mutating func changed(
        above fork: Int, _ chain: HeaderChain, at now: Duration
    ) -> [Action] {
        var actions: [Action] = []
        // Of an open question only the answer to the chain as it is counts.
        let asked = peers.values.compactMap(\.askedHeight)
        let open = asked + [vote?.range.upperBound, dispute?.height].compactMap { $0 }
        if filters.height > fork || open.contains(where: { $0 > fork }) { abandonQuestions() }
        if filters.height > fork { actions.append(.rewound(to: filters.truncate(to: fork))) }
        if let height = undecided, height > fork { undecided = nil }
        // Of a dispute that goes on the block may be wanted no more, with all that were.
        isBlockAsked = false
        let kept = fork / FilterHeaderChain.checkpointSpacing
        for (id, peer) in peers {
            peers[id]?.height = min(peer.height, fork)
            peers[id]?.agreed = min(peer.agreed, fork)
            if let checkpoints = peer.checkpoints, checkpoints.count > kept {
                peers[id]?.checkpoints = Array(checkpoints.prefix(kept))
            }
        }
        return actions + proceed(chain, at: now)
    }

    /// Time has passed.
    public mutating func time(_ chain: HeaderChain, at now: Duration) -> [Action] {
        let late = peers.filter { $0.value.open.map { $0.deadline <= now } ?? false }.keys.sorted()
        for id in late { remove(id) }
        let repeated = askAgain(at: now)
        return late.map { .rest($0, .silent) } + repeated + proceed(chain, at: now)
    }

    /// A peer named every 1,000th filter header.
    public mutating func received(
        _ answer: CheckpointAnswer, from id: PeerID, _ chain: HeaderChain, at now: Duration
    ) -> [Action] {
        guard let asked = peers[id]?.askedHeight, answer.type == basicFilterType,
            answer.stop == chain.hash(at: asked)
        else { return [] }
        peers[id]?.askedHeight = nil
        peers[id]?.open = nil
        guard answer.headers.count == asked / FilterHeaderChain.checkpointSpacing else {
            return accuse(id, .wrongLength) + proceed(chain, at: now)
        }
        peers[id]?.checkpoints = answer.headers
        peers[id]?.isUnreviewed = true
        return proceed(chain, at: now)
    }

    /// A peer named hashes of filters.
    public mutating func received(
        _ answer: FilterHashes, from id: PeerID, _ chain: HeaderChain, at now: Duration
    ) -> [Action] {
        // What belongs to no open question is late, and says nothing.
        guard voters.contains(id), vote?.stop == answer.stop else { return [] }
        peers[id]?.open = nil
        var actions: [Action] = []
        switch vote?.received(answer, from: id) {
        case nil: break
        case .wrongRange where peers[id]?.repeated == answer.stop:
            remove(id)
            actions = [.rest(id, .silent)]
        case .wrongRange: actions = accuse(id, .wrongLength)
        case .missesReference: actions = accuse(id, .contradiction)
        case .otherPrevious: actions = differsBelow(id)
        }
        voters.remove(id)
        return actions + proceed(chain, at: now)
    }

    /// A peer showed a filter. Filters that no dispute is about are nobody's business here.
    public mutating func received(
        _ answer: FilterAnswer, from id: PeerID, _ chain: HeaderChain, at now: Duration
    ) -> [Action] {
        guard let open = dispute, answer.block == open.block, open.missing.contains(id) else {
            return []
        }
        peers[id]?.open = nil
        var actions: [Action] = []
        if dispute?.received(filter: answer.filter, from: id) == true {
            speakers.insert(id)
        } else if speakers.contains(id) {
            actions = accuse(id, .contradiction)
        } else {
            dispute?.remove(id)
            peers[id]?.isUnreviewed = true
        }
        return actions + proceed(chain, at: now)
    }

    /// A block, or the filter itself, shows that what is held of it is false: all who named it lied.
    public mutating func refuted(
        height: Int, _ chain: HeaderChain, at now: Duration
    ) -> [Action] {
        guard filters.header(at: height) != nil else { return [] }
        let liars = peers.keys.filter { agreedHeight(of: $0) >= height }.sorted()
        var actions = liars.flatMap { accuse($0, .refuted(height: height)) }
        actions.append(.rewound(to: filters.truncate(to: height - 1)))
        abandonQuestions()
        for (id, peer) in peers {
            peers[id]?.agreed = min(peer.agreed, height - 1)
            peers[id]?.isUnreviewed = true
        }
        return actions + proceed(chain, at: now)
    }

    /// A block that was fetched, with its transactions checked.
    public mutating func received(
        _ block: Block, _ chain: HeaderChain, at now: Duration
    ) -> [Action] {
        guard dispute?.block == block.header.hash else { return [] }
        dispute?.received(block: block)
        return proceed(chain, at: now)
    }
}
