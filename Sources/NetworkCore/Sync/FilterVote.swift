import Bitcoin
import Chain
import PeerMessages

/// The answers of several peers to one question for hashes of filters.
struct FilterVote: Sendable {
    /// The heights that are asked for.
    let range: ClosedRange<Int>
    /// The last block.
    let stop: BlockHash
    /// The filter header below the range.
    let previous: FilterHeader
    /// What the last filter header has to be, where peers have agreed on it before.
    let reference: FilterHeader?
    /// The filter headers that follow from each answer.
    private(set) var answers: [PeerID: [FilterHeader]] = [:]

    /// Why an answer is no answer.
    enum Misfit: Hashable {
        /// It is for another block, or of another length.
        case wrongRange
        /// It follows another filter header than ours.
        case otherPrevious
        /// It does not lead to the header on which its sender had agreed.
        case missesReference
    }

    /// Takes an answer; says why it cannot be one.
    mutating func received(_ answer: FilterHashes, from id: PeerID) -> Misfit? {
        guard answer.type == basicFilterType, answer.stop == stop,
            answer.hashes.count == range.count
        else { return .wrongRange }
        guard answer.previous == previous else { return .otherPrevious }
        var header = previous
        var headers: [FilterHeader] = []
        headers.reserveCapacity(answer.hashes.count)
        for hash in answer.hashes {
            header = hash.header(after: header)
            headers.append(header)
        }
        if let reference, header != reference { return .missesReference }
        answers[id] = headers
        return nil
    }

    /// The first height at which the answers, and what we hold, differ: who says what there, and the
    /// header below.
    func difference(
        held: (Int) -> FilterHeader?
    ) -> (height: Int, previous: FilterHeader, candidates: [FilterHeader: Set<PeerID>])? {
        var below = previous
        for (place, height) in range.enumerated() {
            var candidates: [FilterHeader: Set<PeerID>] = [:]
            for (id, headers) in answers { candidates[headers[place], default: []].insert(id) }
            if let ours = held(height) { candidates[ours, default: []].formUnion([]) }
            guard candidates.count < 2 else { return (height, below, candidates) }
            below = candidates.keys.first ?? below
        }
        return nil
    }
}
