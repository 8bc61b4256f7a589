import TestSupport
import Testing

@testable import SignerCore

@Suite("Tally of refusals")
struct RefusalTallyTests {
    private static let day: UInt64 = 86_400

    @Test("refusals of a minute are told once, with their number and times")
    func gathers() {
        var tally = RefusalTally()
        #expect(tally.nextDue == nil)
        for second in UInt64(0)..<50 { tally.count("bad", now: 100 + second, time: 1000 + second) }
        tally.count("worse", now: 120, time: 1020)
        #expect(tally.nextDue == 160)
        #expect(tally.takeReports(now: 159) == [])
        #expect(
            tally.takeReports(now: 160) == [
                RefusalTally.Report(code: "bad", count: 50, first: 1000, last: 1049)
            ])
        #expect(
            tally.takeReports(now: 180) == [
                RefusalTally.Report(code: "worse", count: 1, first: 1020, last: 1020)
            ])
        #expect(tally.nextDue == nil)
    }

    @Test("the first refusal is told at once, and those after it by number")
    func tellsFirst() {
        var tally = RefusalTally()
        var told: [UInt64] = []
        for now in UInt64(100)..<160 where tally.mayTell("code", now: now, time: now) {
            told.append(now)
        }
        let isOtherTold = tally.mayTell("other", now: 130, time: 1)
        #expect(isOtherTold)
        #expect(told == [100])
        #expect(tally.takeReports(now: 160) == [])
        #expect(
            tally.takeReports(now: 170) == [
                RefusalTally.Report(code: "code", count: 59, first: 101, last: 159)
            ])
        #expect(tally.nextDue == nil)
        let isToldSoon = tally.mayTell("code", now: 200, time: 200)
        #expect(!isToldSoon)
    }

    @Test("while refusals go on they are told ever more rarely, and none is lost")
    func backsOff() {
        var tally = RefusalTally()
        var told: UInt64 = 0
        var reports: [UInt64] = []
        for now in UInt64(1)...(10 * Self.day) {
            tally.count("flood", now: now, time: now)
            for report in tally.takeReports(now: now) {
                told += report.count
                reports.append(now)
            }
        }
        // 61 s, then 2, 4, 8 … minutes later, then once a day.
        #expect(reports.count == 11 + 8)
        #expect(reports.prefix(3) == [61, 181, 421])
        #expect(told == reports.last)
    }

    @Test("a quiet day makes the next refusal told after a minute again")
    func resets() {
        var tally = RefusalTally()
        for now in UInt64(1)...5000 {
            tally.count("flood", now: now, time: now)
            _ = tally.takeReports(now: now)
        }
        _ = tally.takeReports(now: 3 * Self.day)
        tally.count("flood", now: 4 * Self.day, time: 0)
        #expect(tally.nextDue == 4 * Self.day + 60)
    }

    @Test("however requests come, a year of them makes few entries", arguments: 0..<6)
    func bound(seed: Int) {
        var tally = RefusalTally()
        var generator = SeededGenerator(seed: UInt64(seed))
        var now: UInt64 = 0
        var entries = 0
        while now < 365 * Self.day {
            // Bursts, floods and pauses, with codes that an attacker invents.
            let pauses: [UInt64] = [1, 60, 3600, Self.day, Self.day + 1]
            now += pauses.randomElement(using: &generator) ?? 1
            for _ in 0..<Int.random(in: 1...30, using: &generator) {
                tally.count(
                    "code \(Int.random(in: 0...40, using: &generator))", now: now, time: now)
            }
            entries += tally.takeReports(now: now).count
        }
        // At 300 bytes an entry, under 10 MB a year.
        #expect(entries < 30_000)
        #expect(entries > 0)
    }

    @Test("codes beyond the number that is told apart count as one")
    func codes() {
        var tally = RefusalTally()
        for number in 0..<100 { tally.count("code \(number)", now: 1, time: 1) }
        tally.count(String(repeating: "x", count: 65), now: 1, time: 1)
        let reports = tally.takeReports(now: 100)
        #expect(reports.count == RefusalTally.maximumCodes + 1)
        #expect(reports.first { $0.code == "other" }?.count == 85)
    }
}
