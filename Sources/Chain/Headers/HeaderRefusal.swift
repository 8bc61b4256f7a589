public import Bitcoin

/// Why a header was not taken. Heights are the one it would have had.
public enum HeaderRefusal: Error, Hashable, Sendable {
    /// It does not follow the header before it in the message.
    case unlinked(height: Int)
    /// Its target is not the one that the chain so far asks for.
    case wrongTarget(height: Int, found: CompactTarget, required: CompactTarget)
    /// Its hash is above its target.
    case noWork(height: Int)
    /// Its time is not after the median of the eleven before it.
    case timeTooEarly(height: Int, found: UInt32, median: UInt32)
    /// It starts a period and is too far before its predecessor (BIP94).
    case timewarp(height: Int, found: UInt32, previous: UInt32)
    /// Its version ended with BIP34, BIP66 or BIP65.
    case versionTooOld(height: Int, found: Int32, minimum: Int32)
    /// Its time is more than two hours ahead of our clock.
    case aheadOfClock(height: Int, found: UInt32, clock: Int64)
    /// The branch has more headers than is followed without work to show for them.
    case branchTooLong(height: Int)
    /// The headers are not those that were served before.
    case branchChanged(height: Int)

    /// Whether it proves that the peer breaks the rules. A clock that is behind, a branch that
    /// another peer would have to go on with and one that its node left meanwhile prove nothing.
    public var isFaultOfPeer: Bool {
        switch self {
        case .unlinked, .wrongTarget, .noWork, .timeTooEarly, .timewarp, .versionTooOld: true
        case .aheadOfClock, .branchTooLong, .branchChanged: false
        }
    }
}

extension HeaderRefusal: CustomStringConvertible {
    /// One sentence: what, where, how much.
    public var description: String {
        switch self {
        case .unlinked(let height): "header \(height) does not follow the one before it"
        case .wrongTarget(let height, let found, let required):
            "header \(height) has nBits \(found.rawValue), \(required.rawValue) is required"
        case .noWork(let height): "header \(height) does not prove the work that it claims"
        case .timeTooEarly(let height, let found, let median):
            "header \(height) has time \(found), not after the median \(median)"
        case .timewarp(let height, let found, let previous):
            "header \(height) has time \(found), too far before \(previous) at a new difficulty"
        case .versionTooOld(let height, let found, let minimum):
            "header \(height) has version \(found), at least \(minimum) is required"
        case .aheadOfClock(let height, let found, let clock):
            "header \(height) has time \(found), more than two hours ahead of this clock "
                + "(\(clock)): if the clock is behind, set it"
        case .branchTooLong(let height):
            "a branch without enough work goes on beyond header \(height)"
        case .branchChanged(let height):
            "header \(height) is not the one that was served before"
        }
    }
}
