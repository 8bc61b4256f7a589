import ConsoleCore
import Messages
import Testing

@Suite("What somebody is told who waits for the chain")
struct SyncNarrationTests {
    private var narration = SyncNarration(interval: .seconds(10))

    private func progress(
        _ phase: ChainProgress.Phase, place: UInt32 = 0, remark: String = ""
    ) -> ChainProgress {
        var progress = ChainProgress(phase)
        progress.height = 100
        progress.place = place
        progress.remark = remark
        return progress
    }

    @Test("A phase is told as it begins, and every ten seconds while it goes on")
    mutating func lines() {
        var told: [Int] = []
        for second in 0..<25 {
            let now = progress(.headers, place: UInt32(second))
            if narration.words(on: now, at: .seconds(second)) != nil { told.append(second) }
        }
        #expect(told == [0, 10, 20])
        let next = progress(.filterHeaders, place: 1)
        let words = narration.words(on: next, at: .seconds(25))
        #expect(words == .line(next.line))
    }

    @Test("Seconds until the next try are no progress: after thirty the advice comes, once")
    mutating func waiting() {
        var advised: [Int] = []
        for second in 0..<90 {
            let now = progress(.peersRest, remark: "the next one is tried in \(90 - second) s")
            if case .advice = narration.words(on: now, at: .seconds(second)) {
                advised.append(second)
            }
        }
        #expect(advised == [30])
        // Something moved: it may come again.
        _ = narration.words(on: progress(.headers, place: 7), at: .seconds(90))
        let words = narration.words(on: progress(.headers, place: 7), at: .seconds(120))
        guard case .advice = words else {
            Issue.record("no second advice")
            return
        }
    }
}
