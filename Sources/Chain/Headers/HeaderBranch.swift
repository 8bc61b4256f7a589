public import Bitcoin
import Wire

/// A header whose hash is known.
struct HashedHeader: Hashable, Sendable {
    let header: BlockHeader
    let hash: BlockHash
}

/// A branch that a peer serves and that has not yet earned a place in the chain, in bounded memory.
///
/// Every header of it is checked in full when it comes, with a context of some 200 bytes. While the
/// branch is short its headers are held. When it grows longer they are let go, and of every 2,000th
/// only the hash is kept. Once the branch has the most work (and the minimum of the network), a
/// `HeaderReplay` fetches it again and admits only headers that end in those hashes.
///
/// This bounds what a flood of headers without work can take, as the presynchronisation of Bitcoin
/// Core does, with another commitment: Core keeps one salted bit of every 600th header and a buffer
/// of 15,000 headers, so that a cheat is found with high probability. A whole hash of every 2,000th
/// leaves no probability: since each header names the one before, 2,000 headers that end in that
/// hash are the ones that were checked. It costs 32 bytes for 2,000 headers, 16 KB for mainnet, and
/// the parts between two hashes can be fetched from several peers at once, and from others than the
/// one that served the branch first.
public struct HeaderBranch: Sendable {
    /// Where it leaves the chain.
    public let fork: HeaderContext
    /// Its last header.
    public private(set) var tip: HeaderContext
    /// All its headers, while there are no more than `heldLimit`.
    private(set) var held: [HashedHeader]? = []
    /// The hash of every 2,000th header behind the fork.
    private(set) var marks: [BlockHash] = []

    /// Headers between two hashes that are kept: one message.
    static let markSpacing = 2_000
    /// Headers that are held: what a reorganisation or a pause of a month takes.
    static let heldLimit = 2 * markSpacing
    /// Sixteen million headers, seventeen times mainnet, in 256 KiB.
    static let markLimit = 8_192

    private let markLimit: Int

    init(after fork: HeaderContext, markLimit: Int = HeaderBranch.markLimit) {
        self.fork = fork
        tip = fork
        self.markLimit = markLimit
    }

    /// Checks the next header and moves on to it.
    mutating func extend(
        by item: HashedHeader, _ parameters: ChainParameters, clock: Int64
    ) throws(HeaderRefusal) {
        guard marks.count < markLimit else { throw .branchTooLong(height: tip.height) }
        try tip.extend(by: item.header, hash: item.hash, parameters, clock: clock)
        if held?.count == HeaderBranch.heldLimit { held = nil }
        held?.append(item)
        if (tip.height - fork.height) % HeaderBranch.markSpacing == 0 { marks.append(tip.hash) }
    }
}

/// The second download of a branch that has shown its work: admits only the same headers again.
public struct HeaderReplay: Sendable {
    /// Where the branch leaves the chain, or the last header that was handed on to it.
    public private(set) var fork: HeaderContext
    /// The last header that showed the work.
    public let end: HeaderContext
    /// The last header that came again.
    public private(set) var tip: HeaderContext
    /// The headers behind `fork`; those up to `proven` end in a hash that was kept.
    private(set) var staged: [HashedHeader] = []
    private(set) var proven: HeaderContext
    private let start: Int
    private let marks: [BlockHash]

    /// The download that follows a branch.
    init(of branch: HeaderBranch) {
        fork = branch.fork
        end = branch.tip
        tip = branch.fork
        proven = branch.fork
        start = branch.fork.height
        marks = branch.marks
    }

    /// The hash that the part which is being fetched ends in.
    public var target: BlockHash {
        let mark = (tip.height - start) / HeaderBranch.markSpacing
        return mark < marks.count ? marks[mark] : end.hash
    }

    /// Whether everything has come again.
    public var isComplete: Bool { proven.height == end.height }

    /// Checks the next header and moves on to it.
    mutating func extend(
        by item: HashedHeader, _ parameters: ChainParameters, clock: Int64
    ) throws(HeaderRefusal) {
        let target = target
        try tip.extend(by: item.header, hash: item.hash, parameters, clock: clock)
        staged.append(item)
        let isMark = (tip.height - start) % HeaderBranch.markSpacing == 0
        guard isMark || tip.height == end.height else { return }
        guard tip.hash == target else { throw .branchChanged(height: tip.height) }
        proven = tip
    }

    /// Goes back to the last header that ended in a kept hash.
    mutating func rewind() {
        staged.removeLast(tip.height - proven.height)
        tip = proven
    }

    /// Takes out the headers that ended in a kept hash; what remains follows `proven`.
    mutating func takeProven() -> [HashedHeader] {
        let count = proven.height - fork.height
        let taken = Array(staged[..<count])
        staged.removeFirst(count)
        fork = proven
        return taken
    }
}
