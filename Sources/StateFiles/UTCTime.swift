/// A moment as people read it, in UTC, from seconds since 1970.
public struct UTCTime: Hashable, Sendable {
    private let seconds: UInt64

    /// A moment before the year 10000.
    public init(seconds: UInt64) { self.seconds = min(seconds, 253_402_300_799) }

    /// The start of a day that is written as `date` writes it; nil for anything else, or before 1970.
    public init?(date text: String) {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false).map { Int($0) }
        guard parts.count == 3, let year = parts[0], let month = parts[1], let day = parts[2],
            (1970...9999).contains(year), (1...12).contains(month), (1...31).contains(day)
        else { return nil }
        let shifted = month > 2 ? month - 3 : month + 9
        let from = month > 2 ? year : year - 1
        let dayOfYear = (153 * shifted + 2) / 5 + day - 1
        let days = from * 365 + from / 4 - from / 100 + from / 400 + dayOfYear - 719_468
        self.init(seconds: UInt64(days) * 86400)
        // A day that the month does not have comes out as one of the next.
        guard date == text else { return nil }
    }

    /// Seconds since 1970.
    public var secondsSince1970: UInt64 { seconds }

    /// `2026-11-30`.
    public var date: String {
        let (year, month, day) = civil
        return "\(padded(year, 4))-\(padded(month, 2))-\(padded(day, 2))"
    }

    /// `2026-11-30 09:05:07 UTC`.
    public var text: String {
        let time = [seconds / 3600 % 24, seconds / 60 % 60, seconds % 60]
        return date + " " + time.map { padded(Int($0), 2) }.joined(separator: ":") + " UTC"
    }

    /// The day in the Gregorian calendar: years are counted from March, so that the leap day is
    /// their last.
    private var civil: (year: Int, month: Int, day: Int) {
        let days = Int(seconds / 86400) + 719_468
        let era = days / 146_097
        let dayOfEra = days % 146_097
        let yearOfEra =
            (dayOfEra - dayOfEra / 1460 + dayOfEra / 36524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shifted = (5 * dayOfYear + 2) / 153
        let month = shifted < 10 ? shifted + 3 : shifted - 9
        let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
        return (year, month, dayOfYear - (153 * shifted + 2) / 5 + 1)
    }

    private func padded(_ number: Int, _ width: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
}
