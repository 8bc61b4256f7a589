/// How long to wait before the next try: twice as long after each failure, up to a limit.
public struct BackOff: Hashable, Sendable {
    /// After the first failure.
    public let first: Duration
    /// The longest.
    public let longest: Duration

    /// A rule from its two numbers.
    public init(first: Duration, longest: Duration) {
        self.first = first
        self.longest = longest
    }

    /// The wait after so many failures in a row; nothing after none.
    public func delay(afterFailures count: Int) -> Duration {
        guard count > 0 else { return .zero }
        var delay = first
        for _ in 1..<min(count, 64) where delay < longest { delay = delay * 2 }
        return min(delay, longest)
    }

    /// Of peers that could not be reached or did not serve.
    public static let peers = BackOff(first: .seconds(30), longest: .seconds(600))
    /// Of those of them that a person named: often the only one, the node of the house that is back soon.
    public static let manualPeers = BackOff(first: .seconds(10), longest: .seconds(60))
    /// Of a way to peers that failed as a whole: no network, no gateway.
    public static let ways = BackOff(first: .seconds(5), longest: .seconds(300))
    /// Of questions for seeds.
    public static let seeds = BackOff(first: .seconds(60), longest: .seconds(3600))
    /// Of announcements of a transaction.
    public static let broadcast = BackOff(first: .seconds(60), longest: .seconds(3600))
}

/// A wait after failures in a row.
struct Pause: Hashable, Sendable {
    var failures: Int
    /// When it ends.
    var until: Duration
}
