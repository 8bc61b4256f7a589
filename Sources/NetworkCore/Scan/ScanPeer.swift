/// What a scan knows of a peer.
struct ScanPeer: Sendable {
    /// A range of filters that the peer was asked for.
    struct Range: Sendable {
        let heights: ClosedRange<Int>
        /// Those still to come.
        var missing: Set<Int>
        let asked: Duration
        /// When another peer may be asked instead.
        var due: Duration
    }

    /// Through which height it may be asked.
    var height = -1
    var ranges: [Range] = []
    /// Heights that it was asked for and may still answer, the latest last.
    var late: [ClosedRange<Int>] = []
    /// Filters a second; nil until the first range is complete.
    var rate: Double?
    /// When it last sent what was asked, or was asked after a pause.
    var progress = Duration.zero
    /// Until when others are preferred.
    var slowUntil: Duration?

    private static let lateRanges = 8

    func isSlow(_ now: Duration) -> Bool { slowUntil.map { $0 > now } ?? false }

    /// How many filters to ask for so that they take about so long.
    func rangeSize(_ sizes: ClosedRange<Int>, taking time: Duration) -> Int {
        let wanted = (rate ?? 2) * time.seconds
        return Int(min(max(wanted, Double(sizes.lowerBound)), Double(sizes.upperBound)))
    }

    func deadline(silence: Duration) -> Duration? {
        guard let first = ranges.first else { return nil }
        return min(progress + silence, first.due)
    }

    func wasAsked(_ height: Int) -> Bool {
        ranges.contains { $0.heights.contains(height) } || late.contains { $0.contains(height) }
    }

    mutating func ask(_ heights: ClosedRange<Int>, expecting time: Duration, at now: Duration) {
        if ranges.isEmpty { progress = now }
        let seconds = Double(heights.count) / max(rate ?? 2, 0.01)
        // Four times as long as it usually takes, and never less than two ranges.
        let allowed = max(time * 2, .seconds(min(4 * seconds, 600)))
        let start = ranges.last?.due ?? now
        ranges.append(
            Range(heights: heights, missing: Set(heights), asked: now, due: start + allowed))
    }

    /// Notes that the filter of a height came.
    mutating func received(_ height: Int, at now: Duration) {
        progress = now
        guard let place = ranges.firstIndex(where: { $0.heights.contains(height) }) else { return }
        ranges[place].missing.remove(height)
        guard ranges[place].missing.isEmpty else { return }
        let done = ranges.remove(at: place)
        let seconds = max((now - done.asked).seconds, 0.001)
        let measured = Double(done.heights.count) / seconds
        rate = rate.map { $0 * 0.5 + measured * 0.5 } ?? measured
        slowUntil = nil
    }

    /// Its ranges are given to others.
    mutating func release() {
        late = Array((late + ranges.map(\.heights)).suffix(ScanPeer.lateRanges))
        if !ranges.isEmpty { rate = (rate ?? 2) / 2 }
        ranges = []
    }
}

extension Duration {
    /// Seconds and their fractions.
    var seconds: Double {
        Double(components.seconds) + Double(components.attoseconds) * 1e-18
    }
}
