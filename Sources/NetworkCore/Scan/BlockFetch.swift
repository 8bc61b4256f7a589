public import Bitcoin
public import Chain
public import PeerMessages

/// Fetches blocks, each from a peer that is not to be avoided if there is one, and from the next if it
/// does not come.
public struct BlockFetch: Sendable {
    /// What there is to do.
    public enum Action: Hashable, Sendable {
        /// Ask for a block with its witnesses.
        case ask(PeerID, BlockHash)
        /// The transactions that the peer sent are not those of the header.
        case fault(PeerID, BlockHash)
        /// The peer left blocks unanswered, several in a row; nothing is proven.
        case silent(PeerID)
        /// The block is what its header commits to, and breaks a rule: its miner did that.
        case invalid(BlockHash, Flaw)
    }

    /// The rule that a block breaks.
    public enum Flaw: Error, Hashable, Sendable, CustomStringConvertible {
        /// One that its own bytes show.
        case defect(Block.Defect)
        /// The signers of the signet did not make it (BIP325), or it cannot be told whether they did.
        case notSigned(SignetVerdict)

        /// What is wrong, in words that follow "block 7".
        public var description: String {
            switch self {
            case .defect(let defect): "breaks a rule: \(defect)"
            case .notSigned(.unsupported):
                "cannot be checked: its signet's challenge is of a form that is not evaluated here"
            case .notSigned: "is not signed by the signers of its signet"
            }
        }
    }

    /// Times and numbers that may be tuned.
    public struct Limits: Hashable, Sendable {
        /// How long a block may take before another peer is asked as well.
        public var timeout = Duration.seconds(60)
        /// How long to wait when everybody was asked.
        public var pause = Duration.seconds(20)
        /// How long to wait after a block that breaks a rule: nobody has it otherwise.
        public var invalidPause = Duration.seconds(600)
        /// Blocks in a row that a peer may leave unanswered.
        public var failures = 3

        /// The limits of the product.
        public init() {}
    }

    private struct Want: Sendable {
        let height: Int
        var avoided: Set<PeerID> = []
        /// Who was asked, and may still answer.
        var tried: Set<PeerID> = []
        var asked: (id: PeerID, deadline: Duration)?
        /// When everybody may be asked again.
        var again: Duration?
    }

    private struct Peer: Sendable {
        /// The highest header that it has shown to know.
        var height = -1
        var failures = 0
        /// When it was last asked, by the number of the question.
        var turn = 0
    }

    private let limits: Limits
    private let challenge: Script?
    private var wants: [BlockHash: Want] = [:]
    private var peers: [PeerID: Peer] = [:]
    private var turn = 0

    /// Nothing is wanted.
    ///
    /// - Parameter challenge: what blocks of a signet have to satisfy; nil on every other network.
    public init(challenge: Script? = nil, limits: Limits = Limits()) {
        self.challenge = challenge
        self.limits = limits
    }

    /// How many blocks are wanted.
    public var count: Int { wants.count }

    /// When `time` should be called at the latest.
    public var nextDeadline: Duration? {
        wants.values.compactMap { $0.asked?.deadline ?? $0.again }.min()
    }

    // MARK: Wishes

    /// Wants a block.
    ///
    /// - Parameter avoided: who is asked only if nobody else is there.
    public mutating func want(_ hash: BlockHash, at height: Int, avoiding avoided: PeerID?) {
        if wants[hash] == nil { wants[hash] = Want(height: height) }
        if let avoided { wants[hash]?.avoided.insert(avoided) }
    }

    /// Wants no block any more, but one.
    public mutating func cancel(except kept: BlockHash? = nil) {
        guard !wants.isEmpty else { return }
        wants = wants.filter { $0.key == kept }
    }

    /// Asks for whatever can be asked for.
    public mutating func proceed(at now: Duration) -> [Action] {
        var actions: [Action] = []
        for (hash, want) in wants.sorted(by: { $0.value.height < $1.value.height })
        where want.asked == nil {
            if let again = want.again, again > now { continue }
            if want.again != nil {
                wants[hash]?.again = nil
                wants[hash]?.tried = []
            }
            guard let id = choose(for: wants[hash] ?? want) else {
                let isAnybodyThere = peers.contains { $0.value.height >= want.height }
                if isAnybodyThere { wants[hash]?.again = now + limits.pause }
                continue
            }
            turn += 1
            peers[id]?.turn = turn
            wants[hash]?.tried.insert(id)
            wants[hash]?.asked = (id, now + limits.timeout)
            actions.append(.ask(id, hash))
        }
        return actions
    }

    /// Somebody who knows the block and was not asked: none to be avoided if there are others, none
    /// that failed, then whoever has waited longest.
    private func choose(for want: Want) -> PeerID? {
        let able = peers.filter { $0.value.height >= want.height && !want.tried.contains($0.key) }
        return able.min { left, right in
            let avoided = (want.avoided.contains(left.key), want.avoided.contains(right.key))
            if avoided.0 != avoided.1 { return avoided.1 }
            if left.value.failures != right.value.failures {
                return left.value.failures < right.value.failures
            }
            let turns = (left.value.turn, right.value.turn)
            return turns.0 == turns.1 ? left.key < right.key : turns.0 < turns.1
        }?.key
    }

    // MARK: Events

    /// A peer has shown that it knows a header.
    public mutating func seat(_ id: PeerID, height: Int) {
        peers[id, default: Peer()].height = height
    }

    /// A peer is gone.
    public mutating func remove(_ id: PeerID) {
        peers[id] = nil
        for (hash, want) in wants where want.asked?.id == id { wants[hash]?.asked = nil }
    }

    /// A peer sent a block. The block is returned if it was wanted and is right.
    public mutating func received(
        _ block: Block, from id: PeerID, at now: Duration
    ) -> (block: Block?, actions: [Action]) {
        let hash = block.header.hash
        guard let want = wants[hash], want.tried.contains(id) else { return (nil, []) }
        do throws(Block.Defect) {
            try block.check()
        } catch {
            switch error {
            case .wrongMerkleRoot, .repeatedTransactions, .unexpectedWitness, .invalidWitnessNonce,
                .wrongWitnessCommitment:
                remove(id)
                return (nil, [.fault(id, hash)])
            case .noCoinbase, .misplacedCoinbase, .tooHeavy, .transaction:
                return (nil, [refuse(hash, .defect(error), from: id, at: now)])
            }
        }
        // Work alone makes no block of a signet: its difficulty is anybody's.
        if let challenge {
            let verdict = block.signetVerdict(challenge)
            guard verdict == .valid else {
                return (nil, [refuse(hash, .notSigned(verdict), from: id, at: now)])
            }
        }
        peers[id]?.failures = 0
        wants[hash] = nil
        return (block, [])
    }

    /// A block that nobody can have otherwise: it stays wanted, since the chain may leave it.
    private mutating func refuse(
        _ hash: BlockHash, _ flaw: Flaw, from id: PeerID, at now: Duration
    ) -> Action {
        peers[id]?.failures = 0
        wants[hash]?.asked = nil
        wants[hash]?.again = now + limits.invalidPause
        return .invalid(hash, flaw)
    }

    /// A peer says that it has not what it was asked for.
    public mutating func notFound(_ items: [InventoryItem], by id: PeerID) {
        // No more than are on their way from one peer; the rest means nothing.
        for item in items.prefix(limits.failures * 8) {
            let hash = BlockHash(item.hash)
            if wants[hash]?.asked?.id == id {
                wants[hash]?.asked = nil
                peers[id]?.failures += 1
            }
        }
    }

    /// Time has passed.
    public mutating func time(at now: Duration) -> [Action] {
        var actions: [Action] = []
        for (hash, want) in wants.sorted(by: { $0.value.height < $1.value.height }) {
            guard let asked = want.asked, asked.deadline <= now else { continue }
            wants[hash]?.asked = nil
            peers[asked.id]?.failures += 1
            if let peer = peers[asked.id], peer.failures >= limits.failures {
                remove(asked.id)
                actions.append(.silent(asked.id))
            }
        }
        return actions
    }
}
