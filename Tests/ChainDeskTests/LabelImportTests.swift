import Labels
import Messages
import NetworkCore
import StateFiles
import TestSupport
import Testing

@testable import ChainDesk

@Suite("Files of labels at the desk of the light client")
struct LabelImportTests {
    private static let other = QueryID(2)

    private func lines(_ numbers: Range<Int>, _ text: String) -> [UInt8] {
        Array(
            numbers.map { #"{"type":"x","ref":"r\#($0)","label":"\#(text)"}"# + "\n" }.joined()
                .utf8)
    }

    private func take(
        _ lines: [UInt8], isLast: Bool, from asker: QueryID, _ desk: inout DeskUnderTest
    ) -> ChainAnswer? {
        let request = ChainRequest.putLabels(lines, firstLine: 1, isLast: isLast)
        let step = desk.desk.take(
            request, from: asker, desk.client, desk.store, reason: "", at: .zero)
        guard case .answer(let answer) = step else { return nil }
        return answer
    }

    /// Does all that there is to do; what was answered, and in how many steps.
    private func finish(_ desk: inout DeskUnderTest) -> (answers: [ChainAnswer], steps: Int) {
        var (answers, steps) = ([ChainAnswer](), 0)
        while desk.desk.hasLabelsToStep(desk.store) {
            if let told = desk.desk.stepLabels(desk.store) { answers.append(told.answer) }
            steps += 1
        }
        return (answers, steps)
    }

    private func texts(_ desk: DeskUnderTest) throws -> [String?: Int] {
        var counts: [String?: Int] = [:]
        var last: Label.Subject?
        while true {
            let page = try desk.store.labels(after: last, limit: 200)
            guard let end = page.last else { return counts }
            for label in page { counts[label.text, default: 0] += 1 }
            last = end.subject
        }
    }

    @Test("A file in parts counts once its last part is written, in steps that are small")
    func parts() throws {
        var desk = try DeskUnderTest()
        let asker = DeskUnderTest.asker
        let first = take(lines(0..<2_000, "a"), isLast: false, from: asker, &desk)
        #expect(first == .labelsPut(kept: 2_000, leftOut: 0, []))
        #expect(!desk.desk.hasLabelsToStep(desk.store) || desk.store.mayTidyLabels)
        #expect(take(lines(2_000..<5_000, "a"), isLast: true, from: asker, &desk) == nil)
        #expect(try texts(desk).isEmpty)
        let (answers, steps) = finish(&desk)
        #expect(answers == [.labelsPut(kept: 3_000, leftOut: 0, [])])
        #expect(steps > 5_000 / 256)
        #expect(try texts(desk) == ["a": 5_000])
        // And what it replaces is gone in small steps, too.
        #expect(take(lines(0..<5_000, "b"), isLast: false, from: asker, &desk) != nil)
        #expect(take([], isLast: true, from: asker, &desk) == nil)
        #expect(finish(&desk).steps > 2 * 5_000 / 256)
        #expect(try texts(desk) == ["b": 5_000])
    }

    @Test(
        "Many labels are not held in memory: the part that fills a batch waits until it is written")
    func batches() throws {
        var desk = try DeskUnderTest()
        let asker = DeskUnderTest.asker
        var waited = 0
        for part in 0..<10 {
            let range = part * 5_000..<(part + 1) * 5_000
            let answer = take(lines(range, "a"), isLast: part == 9, from: asker, &desk)
            if answer == nil {
                waited += 1
                let again = take(lines(range, "b"), isLast: false, from: asker, &desk)
                guard case .refused(.full, _) = again else {
                    Issue.record("taken while the one before waits")
                    return
                }
                #expect(finish(&desk).answers == [.labelsPut(kept: 5_000, leftOut: 0, [])])
            }
        }
        #expect(waited == 3)
        #expect(try texts(desk) == ["a": 50_000])
    }

    @Test("Whoever leaves in the middle of a file leaves the labels of before")
    func leaving() throws {
        var desk = try DeskUnderTest()
        _ = try desk.ask(.putLabels(lines(0..<100, "before"), firstLine: 1, isLast: true))
        for stepsBefore in [0, 1, 5, 20] {
            #expect(take(lines(0..<9_000, "a"), isLast: false, from: Self.other, &desk) != nil)
            #expect(take(lines(9_000..<18_000, "a"), isLast: false, from: Self.other, &desk) == nil)
            for _ in 0..<stepsBefore { #expect(desk.desk.stepLabels(desk.store) == nil) }
            desk.desk.forget(Self.other)
            #expect(try texts(desk) == ["before": 100])
            #expect(finish(&desk).answers.isEmpty)
            #expect(try texts(desk) == ["before": 100])
        }
        let replaced = take(lines(50..<150, "after"), isLast: true, from: Self.other, &desk)
        #expect(replaced == .labelsPut(kept: 100, leftOut: 0, []))
        #expect(try texts(desk) == ["before": 50, "after": 100])
    }

    @Test("While a file is imported one label can be set, and a second file is refused")
    func others() throws {
        var desk = try DeskUnderTest()
        let asker = DeskUnderTest.asker
        #expect(take(lines(0..<300, "a"), isLast: false, from: asker, &desk) != nil)
        guard
            case .refused(.full, _)? = take(
                lines(0..<9, "b"), isLast: false, from: Self.other, &desk)
        else {
            Issue.record("a second file is taken")
            return
        }
        #expect(take(lines(500..<501, "b"), isLast: true, from: Self.other, &desk) != nil)
        #expect(take([], isLast: true, from: asker, &desk) == nil)
        #expect(finish(&desk).answers.count == 1)
        #expect(try texts(desk) == ["a": 300, "b": 1])
    }

    @Test("Where the disk is full the file is refused, and the labels of before stay")
    func full() throws {
        var desk = try DeskUnderTest()
        let asker = DeskUnderTest.asker
        _ = try desk.ask(.putLabels(lines(0..<100, "before"), firstLine: 1, isLast: true))
        #expect(take(lines(0..<5_000, "a"), isLast: false, from: asker, &desk) != nil)
        #expect(take([], isLast: true, from: asker, &desk) == nil)
        for _ in 0..<4 { #expect(desk.desk.stepLabels(desk.store) == nil) }
        desk.disk.fault = (desk.disk.steps, .brokenFrom(.noSpace))
        guard case .refused(.store, let sentence)? = finish(&desk).answers.first else {
            Issue.record("not refused")
            return
        }
        #expect(sentence.contains("no room is left"))
        desk.disk.mend()
        #expect(try texts(desk) == ["before": 100])
        #expect(take(lines(0..<200, "a"), isLast: false, from: asker, &desk) != nil)
        #expect(take([], isLast: true, from: asker, &desk) == nil)
        #expect(finish(&desk).answers.count == 1)
        #expect(try texts(desk) == ["a": 200])
    }
}
