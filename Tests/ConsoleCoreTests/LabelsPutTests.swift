import ConsoleCore
import JSON
import Testing

@Suite("What became of a file of labels")
struct LabelsPutTests {
    @Test("labels of several parts have one total, and the first lines that are left out")
    func labels() {
        var sum = LabelsPut()
        sum.add(kept: 1, leftOut: 0, [])
        #expect(ChainReport.labels(sum).lines == ["1 label is kept"])
        sum.add(kept: 2, leftOut: 7, (1...7).map { "line \($0)" })
        sum.add(kept: 0, leftOut: 3, (8...10).map { "line \($0)" })
        let expected = ["3 labels are kept"] + (1...8).map { "line \($0)" }
        #expect(ChainReport.labels(sum).lines == expected + ["2 more lines are left out"])
        let json = ChainReport.labels(sum).json
        #expect(json["kept"] == .integer(3) && json["leftOut"] == .integer(10))
    }
}
