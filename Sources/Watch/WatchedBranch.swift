public import Bitcoin
public import Descriptors

/// The addresses of one branch of a descriptor, as far as they are watched.
public struct WatchedBranch: Sendable {
    /// Whether its addresses take what is left of payments.
    public let isChange: Bool
    /// Whether it has an address for each index, or one in all.
    public let isRanged: Bool
    /// The highest index that a confirmed transaction has paid.
    public private(set) var lastUsed: UInt32?
    /// The highest index that was given out.
    public private(set) var lastIssued: UInt32?
    /// The script at the last index that there can be, or the only one. However a descriptor writes
    /// an account, its branches have the same; and as no address goes so far, it tells nothing of
    /// those that were used.
    public let lastScript: Script
    /// How many addresses from index 0 are watched.
    public private(set) var watchedCount: UInt32 = 0

    private let series: OutputSeries
    private let gapLimit: UInt32
    private let step: UInt32

    init(
        _ descriptor: Descriptor, branch: Int, gapLimit: UInt32, step: UInt32
    ) throws(DerivationError) {
        series = try OutputSeries(descriptor, branch: branch)
        isRanged = descriptor.isRanged
        lastScript = try series.output(at: isRanged ? ChildNumber.maximumIndex : 0).scriptPubKey
        isChange = branch > 0 || descriptor.isChangeAlone
        self.gapLimit = gapLimit
        self.step = step
    }

    /// The scripts that come to be watched now that `index` is used or given out, in order.
    mutating func extend() -> Range<UInt32> {
        let last = max(lastUsed.map { Int64($0) } ?? -1, lastIssued.map { Int64($0) } ?? -1)
        let needed = last + 1 + Int64(gapLimit)
        let wanted = isRanged ? (needed + Int64(step) - 1) / Int64(step) * Int64(step) : 1
        let end = UInt32(min(wanted, Int64(ChildNumber.maximumIndex)))
        guard end > watchedCount else { return watchedCount..<watchedCount }
        defer { watchedCount = end }
        return watchedCount..<end
    }

    func script(at index: UInt32) -> Script? { try? series.output(at: index).scriptPubKey }

    mutating func noteUse(of index: UInt32) { lastUsed = max(lastUsed ?? 0, index) }

    /// Takes back what transactions that are gone have said.
    mutating func setLastUsed(_ index: UInt32?) { lastUsed = index }

    /// The next address that nobody has seen yet: never one twice, and none so far from the last
    /// used one that a program which looks with this gap limit would miss its coins.
    ///
    /// - Throws: `gap`.
    mutating func issue() throws(AddressIssueError) -> (index: UInt32, script: Script) {
        let firstUnused = lastUsed.map { $0 + 1 } ?? 0
        var next = isRanged ? max(firstUnused, lastIssued.map { $0 + 1 } ?? 0) : 0
        while next < firstUnused + gapLimit {
            if let script = script(at: next) {
                lastIssued = next
                return (next, script)
            }
            next += 1
        }
        throw .gap(limit: gapLimit, firstUnused: firstUnused)
    }

    /// Restores what was given out before, for instance from a store.
    mutating func noteIssue(of index: UInt32) { lastIssued = max(lastIssued ?? 0, index) }
}

/// Why no new address is given out.
public enum AddressIssueError: Error, Hashable, Sendable {
    /// So many addresses were given out and none of them paid.
    case gap(limit: UInt32, firstUnused: UInt32)
    /// A change address, which is for the wallet's own transactions.
    case changeBranch
}

extension AddressIssueError: CustomStringConvertible {
    /// What is so, and what to do.
    public var description: String {
        switch self {
        case .gap(let limit, let first):
            "the last \(limit) addresses were never paid; a wallet restored from its words would not "
                + "look further, so give out one of those again, from index \(first) on"
        case .changeBranch: "addresses of the change branch are not given out"
        }
    }
}

extension Descriptor {
    /// Whether it is the change branch that stands in a descriptor of its own (`/1/*`), as Bitcoin
    /// Core lists them.
    fileprivate var isChangeAlone: Bool {
        guard branchCount == 1, isRanged, let steps = keys.first?.steps else { return false }
        return steps.last == .child(ChildNumber(rawValue: 1))
    }
}
