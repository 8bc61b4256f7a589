import Testing

@testable import ConsoleCore

@Suite("Text table")
struct TextTableTests {
    @Test("columns are aligned and lines do not end in spaces")
    func aligned() {
        var table = TextTable(["process", "pid"])
        table.append(["signer", "12"])
        table.append(["x"])
        #expect(table.lines == ["process  pid", "signer   12", "x"])
    }
}
