/// Gathers refusals of requests that come over the link, or from consoles without a password, so that
/// the ledger grows slowly however many there are.
///
/// Each code is told at most once in an interval, with the number and the times of the refusals since. The
/// interval starts at a minute, doubles up to a day while refusals go on, and starts anew after a
/// whole day without one. Beyond `maximumCodes` codes the rest counts as one.
public struct RefusalTally: Sendable {
    /// What the ledger is to be told.
    public struct Report: Hashable, Sendable {
        /// The code, or `other`.
        public let code: String
        /// How many refusals since the last report of this code.
        public let count: UInt64
        /// When the first of them was, in seconds since 1970.
        public let first: UInt64
        /// When the last of them was.
        public let last: UInt64
    }

    /// How many codes are told apart.
    public static let maximumCodes = 16
    /// The longest code, in bytes.
    public static let maximumCode = 64
    /// The shortest and the longest interval between two reports of one code, in seconds.
    private static let intervals: (first: UInt64, last: UInt64) = (60, 86_400)
    private static let other = "other"

    private struct Line {
        var count: UInt64 = 0
        var first: UInt64 = 0
        var last: UInt64 = 0
        var interval = RefusalTally.intervals.first
        /// When the last refusal was, by the clock that only goes on.
        var latest: UInt64 = 0
        /// Not to be told before.
        var due: UInt64 = 0
    }

    private var lines: [String: Line] = [:]

    /// Nothing refused yet.
    public init() {}

    /// Counts a refusal. `now` is in seconds by a clock that only goes on; `time` is the date, in seconds
    /// since 1970.
    public mutating func count(_ code: String, now: UInt64, time: UInt64) {
        let isKnown = lines[code] != nil
        let isNew = lines.count < Self.maximumCodes && code.utf8.count <= Self.maximumCode
        let code = isKnown || isNew ? code : Self.other
        var line = lines[code] ?? Line()
        if now - min(now, line.latest) >= Self.intervals.last {
            line.interval = Self.intervals.first
        }
        if line.count == 0 {
            line.first = time
            line.due = max(line.due, now + Self.intervals.first)
        }
        line.count += 1
        line.last = time
        line.latest = now
        lines[code] = line
    }

    /// Takes down a refusal that can be told at once and in full, if that is due; counts it otherwise.
    public mutating func mayTell(_ code: String, now: UInt64, time: UInt64) -> Bool {
        var line = lines[code] ?? Line()
        guard line.count == 0, line.due <= now else {
            count(code, now: now, time: time)
            return false
        }
        if now - min(now, line.latest) >= Self.intervals.last {
            line.interval = Self.intervals.first
        }
        line.latest = now
        line.due = now + line.interval
        line.interval = min(2 * line.interval, Self.intervals.last)
        lines[code] = line
        return true
    }

    /// When `takeReports` has something next; nil while nothing was refused.
    public var nextDue: UInt64? { lines.values.filter { $0.count > 0 }.map(\.due).min() }

    /// What is to be told now, in the order of the codes.
    public mutating func takeReports(now: UInt64) -> [Report] {
        var reports: [Report] = []
        for (code, line) in lines.sorted(by: { $0.key < $1.key })
        where line.count > 0 && line.due <= now {
            reports.append(
                Report(code: code, count: line.count, first: line.first, last: line.last))
            var next = line
            next.count = 0
            next.interval = min(2 * line.interval, Self.intervals.last)
            next.due = now + next.interval
            lines[code] = next
        }
        return reports
    }
}
