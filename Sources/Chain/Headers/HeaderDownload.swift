public import Bitcoin
import Wire

/// What is remembered between the messages of a peer that serves a branch.
public enum HeaderDownload: Sendable {
    /// The branch has to show its work.
    case branch(HeaderBranch)
    /// It has, and is fetched again.
    case replay(HeaderReplay)

    /// Whether it is a branch without a header.
    var isEmpty: Bool {
        guard case .branch(let branch) = self else { return false }
        return branch.tip.height == branch.fork.height
    }

    /// The work that the branch is known to have.
    var work: UInt256 {
        switch self {
        case .branch(let branch): branch.tip.work
        case .replay(let replay): replay.end.work
        }
    }

    /// The header that the next message has to follow.
    public var tip: HeaderContext {
        switch self {
        case .branch(let branch): branch.tip
        case .replay(let replay): replay.tip
        }
    }

    /// Headers that it holds in memory.
    public var heldHeaders: Int {
        switch self {
        case .branch(let branch): branch.held?.count ?? 0
        case .replay(let replay): replay.staged.count
        }
    }

    /// Whether it is further than another one: with more work shown, or as much and more of it here.
    public func isWorthKeeping(over other: HeaderDownload?) -> Bool {
        guard let other else { return true }
        return work == other.work ? tip.work > other.tip.work : work > other.work
    }

    var fork: HeaderContext {
        switch self {
        case .branch(let branch): branch.fork
        case .replay(let replay): replay.fork
        }
    }
}

/// What to ask a peer for with `getheaders`.
public struct HeaderRequest: Hashable, Sendable {
    /// Hashes of ours, the newest first.
    public let locator: [BlockHash]
    /// The last header wanted; all zero for as many as fit.
    public let stop: BlockHash
}

/// Headers left the chain and others took their place.
public struct ChainChange: Hashable, Sendable {
    /// The last header that both have.
    public let fork: Int
    /// How many headers above `fork` are no longer part of the chain.
    public let disconnected: Int
    /// The headers above `fork`, in order.
    public let connected: [BlockHeader]
}

/// What became of the headers of a message.
public struct HeaderReceipt: Sendable {
    /// How the headers relate to what is known.
    public enum Relation: Hashable, Sendable {
        /// They follow nothing that is known: ask with a locator.
        case unconnected
        /// All of them are in the chain, or there were none.
        case known
        /// They follow the chain or a branch of it.
        case connected
    }

    /// How the headers relate to what is known.
    public var relation: Relation
    /// Set if the chain changed.
    public var change: ChainChange?
    /// Set if a header was not taken; those before it were.
    public var refusal: HeaderRefusal?
}
