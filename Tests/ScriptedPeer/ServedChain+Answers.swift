import Bitcoin
import Chain
import Hashing
public import PeerMessages

extension ServedChain {
    /// What Bitcoin Core answers to a question about the chain; nil where it says nothing.
    public func answers(to message: PeerMessage) -> [PeerMessage]? {
        switch message {
        case .getheaders(let question): [.headers(following(question))]
        case .getcfcheckpt(let question): checkpoints(question.stop).map { [.cfcheckpt($0)] }
        case .getcfheaders(let range): filterHashes(range).map { [.cfheaders($0)] }
        case .getcfilters(let range): filters(range)
        case .getdata(let items): items.map(answer)
        default: nil
        }
    }

    private func following(_ question: GetHeaders) -> [BlockHeader] {
        let start = (question.locator.compactMap { height(of: $0) }.first ?? 0) + 1
        let end = min(start + PeerLimits.headers - 1, tipHeight)
        guard start <= end else { return [] }
        return Array(headers[start...end])
    }

    private func checkpoints(_ stop: BlockHash) -> CheckpointAnswer? {
        guard let last = height(of: stop) else { return nil }
        let heights = stride(from: 1000, through: last, by: 1000)
        return CheckpointAnswer(stop: stop, headers: heights.map { filterHeaders[$0] })
    }

    private func span(_ range: FilterRange, limit: Int) -> ClosedRange<Int>? {
        guard let last = height(of: range.stop), Int(range.start) <= last,
            last - Int(range.start) < limit
        else { return nil }
        return Int(range.start)...last
    }

    private func filterHashes(_ range: FilterRange) -> FilterHashes? {
        guard let span = span(range, limit: PeerLimits.filterHashes) else { return nil }
        let previous = span.lowerBound == 0 ? .beforeGenesis : filterHeaders[span.lowerBound - 1]
        return FilterHashes(
            stop: range.stop, previous: previous,
            hashes: filters[span].map { FilterHash(SHA256.doubleHash($0)) })
    }

    private func filters(_ range: FilterRange) -> [PeerMessage]? {
        guard let span = span(range, limit: PeerLimits.filters) else { return nil }
        return span.map { .cfilter(FilterAnswer(block: hashes[$0], filter: filters[$0])) }
    }

    private func answer(_ item: InventoryItem) -> PeerMessage {
        guard item.kind == .block || item.kind == .witnessBlock,
            let height = height(of: BlockHash(item.hash)), let block = try? Block(blocks[height])
        else { return .notfound([item]) }
        return .block(block)
    }
}
