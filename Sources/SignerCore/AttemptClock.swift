import Messages
import StateFiles

/// Decides by the time since boot, which no clock setting moves, whether an attempt may be made.
///
/// Neither the machine's start nor this process's shortens a wait: each begins it anew in full. A
/// schedule with shorter waits does not shorten one that was imposed already.
struct AttemptClock: Sendable {
    private let schedule: AttemptSchedule
    private let started: Duration
    private var last: [VaultID: Duration] = [:]

    init(schedule: AttemptSchedule, started: Duration) {
        self.schedule = schedule
        self.started = started
    }

    /// Seconds until an attempt may be made, at least 1; nil if it may be made now.
    func wait(for vault: VaultID, _ count: AttemptCount, at now: Duration) -> UInt32? {
        let wait = max(count.wait, schedule.wait(after: count.failures))
        let left = max(started, last[vault] ?? started) + .seconds(Int64(wait)) - now
        guard left > .zero else { return nil }
        let (seconds, attoseconds) = left.components
        return UInt32(clamping: seconds + (attoseconds > 0 ? 1 : 0))
    }

    /// An attempt was made, or has just ended.
    mutating func note(_ vault: VaultID, at now: Duration) { last[vault] = now }
}
