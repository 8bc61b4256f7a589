import Foundation
import Testing

@testable import StateFiles

@Suite("Moments in UTC")
struct UTCTimeTests {
    @Test("a moment reads as another calendar reads it, over four centuries and every leap rule")
    func against() {
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.timeZone = TimeZone(identifier: "UTC")
        formatter.dateFormat = "yyyy-MM-dd HH:mm:ss 'UTC'"
        var seconds: UInt64 = 0
        var checked = 0
        while seconds < 13_000_000_000 {
            let expected = formatter.string(from: Date(timeIntervalSince1970: Double(seconds)))
            #expect(UTCTime(seconds: seconds).text == expected)
            seconds += 86_399 * 31
            checked += 1
        }
        #expect(checked > 4000)
    }

    @Test("a day is read as it is written, and none that there is not")
    func days() {
        for text in ["1970-01-01", "2024-02-29", "2026-11-30", "2100-02-28", "9999-12-31"] {
            #expect(UTCTime(date: text)?.date == text)
        }
        for text in [
            "2023-02-29", "2024-13-01", "2024-00-10", "2024-1-1", "1969-12-31", "2024-04-31", "",
            "2024-01-01-01", "x-y-z", "+2024-01-01",
        ] { #expect(UTCTime(date: text) == nil, "\(text)") }
    }
}
