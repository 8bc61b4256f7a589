import Wire

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
        return heldBack == 0
            ? line : "\(line) (\(counted(heldBack, "line")) before it were left out)"
    }
}

/// Leaves a listener alone for a while after a connection could not be accepted.
public struct AcceptGate: Hashable, Sendable {
    /// Until when nothing is to be accepted; nil while connections may be.
    public private(set) var closedUntil: Duration?
    private var isFailing = false

    /// A gate that is open.
    public init() {}

    /// Closes; whether this is the first failure since the last success, and so worth a line.
    public mutating func fail(until time: Duration) -> Bool {
        defer { isFailing = true }
        closedUntil = time
        return !isFailing
    }

    /// A connection was accepted.
    public mutating func succeed() { isFailing = false }

    /// Opens again when the time has come.
    public mutating func passTime(_ now: Duration) {
        guard let time = closedUntil, now >= time else { return }
        closedUntil = nil
    }
}
