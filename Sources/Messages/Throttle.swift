/// A rate at which a channel may be used: so many a second, so many at once.
public struct Throttle: Hashable, Sendable {
    private let interval: Duration
    private let window: Duration
    /// When everything spent so far will have been earned.
    private var horizon = Duration.zero

    /// A rate of which nothing is spent.
    public init(perSecond: Int, atOnce: Int) {
        interval = .seconds(1) / perSecond
        window = interval * atOnce
    }

    /// Spends, into debt if need be.
    public mutating func spend(_ cost: Int, at now: Duration) {
        horizon = max(horizon, now) + interval * cost
    }

    /// Spends one if there is one.
    public mutating func trySpend(at now: Duration) -> Bool {
        guard max(horizon, now) + interval <= now + window else { return false }
        spend(1, at: now)
        return true
    }

    /// Until when nothing more should be taken; nil if more may come now.
    public func pausedUntil(at now: Duration) -> Duration? {
        horizon - now > window ? horizon - window : nil
    }
}

/// Lets a bounded number of lines through and says how many it held back.
public struct LogGate: Hashable, Sendable {
    private var throttle: Throttle
    private var heldBack = 0

    /// A gate that has let nothing through.
    public init(perSecond: Int, atOnce: Int) {
        throttle = Throttle(perSecond: perSecond, atOnce: atOnce)
    }

    /// The line to write, or nil to leave it out.
    public mutating func pass(_ line: String, at now: Duration) -> String? {
        guard throttle.trySpend(at: now) else {
            heldBack += 1
            return nil
        }
        defer { heldBack = 0 }
        return heldBack == 0 ? line : "\(line) (\(heldBack) lines before it were left out)"
    }
}
