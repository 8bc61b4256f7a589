import Testing
import Wire

@Suite("Columns of a terminal")
struct TextColumnsTests {
    @Test("what is wide in East Asian writing, and a picture, take two columns, all else one")
    func widths() {
        let cases = [
            ("", 0), ("Savings", 7), ("Spaß", 4), ("тест", 4), ("貯金", 4), ("한국어", 6),
            ("ｱｲｳ", 3), ("Ａ１", 4), ("、。", 4), ("🔑x", 3), ("✂x", 2), ("a語b", 4), ("𠮷", 2),
        ]
        for (text, columns) in cases { #expect(text.columns == columns, "\(text)") }
    }

    @Test("a start and an end fit into their columns, and no wide character is cut")
    func parts() {
        let text = "a語b語c"
        let starts = (0...7).map { String(text.prefix(columns: $0)) }
        #expect(starts == ["", "a", "a", "a語", "a語b", "a語b", "a語b語", text])
        let ends = (0...7).map { String(text.suffix(columns: $0)) }
        #expect(ends == ["", "c", "c", "語c", "b語c", "b語c", "語b語c", text])
    }
}
