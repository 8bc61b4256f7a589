/// When the signer tries again what it does of its own accord, after a worker of it failed: killed
/// for memory, say, or starved until it took too long. None of it may be lost to a bad moment.
struct OwnWork: Sendable {
    /// Nothing is started before this; nil while nothing failed.
    private(set) var due: Duration?
    private var failures = 0

    /// Seconds from a failure to the next try: 5, then twice as long each time, up to 5 minutes.
    mutating func failed(at now: Duration) {
        due = now + .seconds(min(5 << min(failures, 6), 300))
        failures += 1
    }

    mutating func succeeded() { self = OwnWork() }

    func mayStart(at now: Duration) -> Bool { due.map { now >= $0 } ?? true }
}
