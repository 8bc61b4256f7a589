/// How fast blocks are searched, and how large their filters are.
struct ScanMeter: Sendable {
    /// Bytes of filters that peers have sent.
    var bytes = 0
    /// Blocks a second over the last while; nil at first.
    private(set) var rate: Double?
    /// Bytes of a filter, on average of the latest.
    private(set) var filterSize: Double?

    private var since: Duration?
    private var count = 0

    /// How long blocks are counted for a rate.
    private static let span = Duration.seconds(5)

    /// A block was searched.
    mutating func passed(_ size: Int, at now: Duration) {
        filterSize = filterSize.map { $0 * 0.98 + Double(size) * 0.02 } ?? Double(size)
        count += 1
        guard let start = since else {
            since = now
            return
        }
        let seconds = (now - start).seconds
        guard now - start >= ScanMeter.span else { return }
        let measured = Double(count) / seconds
        rate = rate.map { $0 * 0.6 + measured * 0.4 } ?? measured
        since = now
        count = 0
    }

    /// After a pause what was measured before tells nothing.
    mutating func pause() {
        since = nil
        count = 0
    }
}
