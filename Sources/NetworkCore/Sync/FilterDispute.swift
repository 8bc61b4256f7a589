public import Bitcoin
public import Chain
import Hashing

/// A block of which peers name different filters, until the filters and the block tell who is right.
public struct FilterDispute: Sendable {
    /// The block.
    public let block: BlockHash
    /// Its height.
    public let height: Int
    /// The filter header below, on which all agree.
    public let previous: FilterHeader
    /// Who stands behind which filter header; nobody, for one that only we held.
    public private(set) var candidates: [FilterHeader: Set<PeerID>]
    /// The one that is believed so far; nil if none is.
    private let held: FilterHeader?

    /// The kind of each peer, for the weight of its word.
    private let kinds: [PeerID: PeerKind]
    private var filters: [FilterHeader: [UInt8]] = [:]
    private var verdicts: [FilterHeader: FilterVerdict]?

    /// How it ended.
    public struct Outcome: Hashable, Sendable {
        /// The filter header that stands; nil if nothing decides.
        public var winner: FilterHeader?
        /// Peers whose filter the block refutes, or who sent another one than they had named.
        public var liars: Set<PeerID>
        /// Peers that nothing was proven of and that are not needed: outvoted, or tied.
        public var rested: Set<PeerID>
    }

    /// A dispute over one block.
    ///
    /// - Parameters:
    ///   - held: the filter header that is believed so far.
    ///   - kinds: the kind of each peer that has a say.
    public init(
        block: BlockHash, height: Int, previous: FilterHeader, held: FilterHeader? = nil,
        candidates: [FilterHeader: Set<PeerID>], kinds: [PeerID: PeerKind]
    ) {
        self.block = block
        self.height = height
        self.previous = previous
        self.held = held
        self.candidates = candidates
        self.kinds = kinds
    }

    /// Peers whose filter is still to come: one for each candidate, others if it does not answer.
    public var missing: [PeerID] {
        candidates.filter { filters[$0.key] == nil }.compactMap { $0.value.min() }.sorted()
    }

    /// Takes a filter from a peer. False if it is another one than the peer had named, which makes
    /// the peer a liar: it has said two things of one block.
    public mutating func received(filter: [UInt8], from id: PeerID) -> Bool {
        guard let named = candidates.first(where: { $0.value.contains(id) })?.key else {
            return true
        }
        let header = FilterHash(SHA256.doubleHash(filter)).header(after: previous)
        guard header == named else { return false }
        filters[named] = filter
        return true
    }

    /// A peer has no say any more: it is gone, silent or a liar.
    public mutating func remove(_ id: PeerID) {
        for header in candidates.keys { candidates[header]?.remove(id) }
    }

    /// Takes the block, whose merkle root and witnesses were checked.
    ///
    /// - Parameter known: scripts of spent outputs that are known from elsewhere.
    public mutating func received(block: Block, known: [OutPoint: Script] = [:]) {
        guard block.header.hash == self.block, missing.isEmpty else { return }
        verdicts = filters.mapValues { block.judge(filter: $0, known: known) }
    }

    /// How it ended; nil while filters or the block are missing.
    public var outcome: Outcome? {
        guard missing.isEmpty, let verdicts else { return nil }
        var outcome = Outcome(winner: nil, liars: [], rested: [])
        var standing: [FilterHeader] = []
        for (header, peers) in candidates {
            switch verdicts[header] {
            case .proven:
                outcome.winner = header
                standing.append(header)
            case .undecided: standing.append(header)
            case .refuted: outcome.liars.formUnion(peers)
            // Nobody could show it.
            case nil: outcome.rested.formUnion(peers)
            }
        }
        if outcome.winner == nil { outcome.winner = heaviest(standing) }
        let unshown = candidates.keys.filter { verdicts[$0] == nil }
        if standing.isEmpty, unshown.count == 1 {
            // Nobody could show it, and all who spoke against it are refuted.
            outcome.winner = unshown[0]
            outcome.rested = []
        }
        for header in standing where header != outcome.winner {
            let peers = candidates[header] ?? []
            // Beside a filter that is proven every other one is a lie.
            let isLie = outcome.winner.map { verdicts[$0] == .proven } ?? false
            if isLie { outcome.liars.formUnion(peers) } else { outcome.rested.formUnion(peers) }
        }
        return outcome
    }

    /// The only one, or the one that more groups of peers stand behind than behind any other. A group
    /// has one voice, however many addresses it holds. Those of one source outvote nobody of another:
    /// whoever fills a source, a seed or a list, has as many groups there as it likes. Not so peers that
    /// a person named; and what is held already falls to none but those, or any newcomer could take it
    /// back.
    private func heaviest(_ headers: [FilterHeader]) -> FilterHeader? {
        let voices = headers.map { header in
            (header: header, kinds: (candidates[header] ?? []).compactMap { kinds[$0] })
        }
        guard let most = voices.map(\.kinds.groups).max() else { return nil }
        let best = voices.filter { $0.kinds.groups == most }
        guard best.count == 1 else { return nil }
        let others = voices.filter { $0.header != best[0].header }.flatMap(\.kinds)
        guard let source = best[0].kinds.onlySource, source != .manual,
            others.contains(where: { $0.source != source })
        else { return best[0].header }
        let isHeld = best[0].header == held
        return isHeld && !others.contains { $0.source == .manual } ? held : nil
    }
}
