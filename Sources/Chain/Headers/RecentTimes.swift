/// The times of the last eleven headers, for the median that the next one must exceed (BIP113).
struct RecentTimes: Sendable {
    /// A ring; only the first eleven lanes are used.
    private var lanes = SIMD16<UInt32>(repeating: .max)
    private var count = 0
    private var next = 0

    private static let size = 11

    /// Adds the time of a header, in the place of the oldest if there are eleven.
    mutating func add(_ time: UInt32) {
        lanes[next] = time
        next = next + 1 == RecentTimes.size ? 0 : next + 1
        count = min(count + 1, RecentTimes.size)
    }

    /// Whether `time` is after the median: more than half of the times are before it.
    func medianIsBefore(_ time: UInt32) -> Bool {
        var before = 0
        for lane in 0..<count where lanes[lane] < time { before += 1 }
        return before > count / 2
    }

    /// The median, the later of two in the middle; zero without any time.
    var median: UInt32 {
        let times = (0..<count).map { lanes[$0] }.sorted()
        return times.isEmpty ? 0 : times[times.count / 2]
    }
}
