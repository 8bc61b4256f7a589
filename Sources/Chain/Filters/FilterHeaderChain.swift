/// The filter headers of consecutive blocks, from the one behind an anchor on.
///
/// Of what is no longer needed only the headers at multiples of 1,000 remain, which `cfcheckpt`
/// names and from which the others can be asked for again.
public struct FilterHeaderChain: Sendable {
    /// The height of the block whose filter header is the first one known.
    public let anchorHeight: Int
    private let anchor: FilterHeader
    /// The headers behind the anchor in runs that end at multiples of 1,000; a run that was let go
    /// has only its last.
    private var runs: [[FilterHeader]] = [[]]
    /// The height of the last header.
    public private(set) var height: Int

    /// Blocks between two headers that `cfcheckpt` names (BIP157).
    public static let checkpointSpacing = 1_000

    /// A chain that starts at a header whose truth was established elsewhere.
    public init(anchor: FilterHeader, at height: Int) {
        self.anchor = anchor
        anchorHeight = height
        self.height = height
    }

    /// A chain that starts before the genesis block.
    public init() { self.init(anchor: .beforeGenesis, at: -1) }

    /// The last header.
    public var tip: FilterHeader { runs.last?.last ?? runs.dropLast().last?.last ?? anchor }

    /// The header of a block; nil outside of what is known.
    public func header(at height: Int) -> FilterHeader? {
        guard height != anchorHeight else { return anchor }
        guard height > anchorHeight, height <= self.height else { return nil }
        let run = runs[number(of: height)]
        let back = min(end(of: number(of: height)), self.height) - height
        return back < run.count ? run[run.count - 1 - back] : nil
    }

    /// Appends the header that follows from the hash of the next block's filter.
    public mutating func append(_ hash: FilterHash) { append(hash.header(after: tip)) }

    /// Appends the header of the next block, which was found to follow.
    public mutating func append(_ header: FilterHeader) {
        if height == end(of: runs.count - 1) { runs.append([]) }
        runs[runs.count - 1].append(header)
        height += 1
    }

    /// Takes away the headers above a height, as far as the anchor. If the header at this height was
    /// let go, the chain goes back to the next lower one that is known, and says where it ends.
    @discardableResult
    public mutating func truncate(to height: Int) -> Int {
        var target = min(height, self.height)
        while target > anchorHeight, header(at: target) == nil { target -= 1 }
        target = max(target, anchorHeight)
        guard target > anchorHeight else {
            runs = [[]]
            self.height = anchorHeight
            return anchorHeight
        }
        let number = number(of: target)
        let last = min(end(of: number), self.height)
        runs.removeLast(runs.count - number - 1)
        runs[number].removeLast(last - target)
        self.height = target
        return target
    }

    /// Lets the headers below a height go, those at multiples of 1,000 aside.
    public mutating func forget(below height: Int) {
        for number in 0..<runs.count - 1 where end(of: number) < height {
            guard runs[number].count > 1, let last = runs[number].last else { continue }
            runs[number] = [last]
        }
    }

    private func number(of height: Int) -> Int {
        let spacing = FilterHeaderChain.checkpointSpacing
        return (height + spacing - 1) / spacing - (anchorHeight + spacing) / spacing
    }

    /// The height that a run ends at.
    private func end(of number: Int) -> Int {
        let spacing = FilterHeaderChain.checkpointSpacing
        return (number + (anchorHeight + spacing) / spacing) * spacing
    }
}
