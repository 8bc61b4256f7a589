/// How long a worker waits for whoever is at the other end of a pipe, so that nobody holds it, and with
/// it every other operation, by moving a byte now and then.
///
/// Only time in which the other end keeps us waiting counts; what the worker itself takes does not.
public final class TransferPace {
    /// So many bytes must move within the time, which then begins anew.
    public static let step = 64 << 10

    private let time: Duration
    private var moved = 0
    /// How much longer may be waited in all for the bytes that lack.
    public private(set) var left: Duration

    /// A pace of `step` bytes in each `time`. What has fewer bytes has that time as a whole.
    public init(_ time: Duration) {
        self.time = time
        left = time
    }

    /// Takes down a wait, which is over whether anything came or not.
    public func note(waited: Duration) { left = max(.zero, left - waited) }

    /// Takes down bytes that came or went.
    public func note(moved count: Int) {
        moved += count
        guard moved >= Self.step else { return }
        moved = 0
        left = time
    }
}
