import Testing

@testable import Wire

@Suite("Visible text")
struct VisibleTextTests {
    @Test(
        "nothing that a terminal obeys or that reorders text gets through",
        arguments: [
            "\u{1b}[2J", "\u{9b}31m", "a\nb", "a\rb", "\u{202e}cba", "\u{2066}x", "\u{200b}",
            "\u{feff}", "\u{2028}", "\u{7f}", "\u{0}", "\u{e0001}", "a\u{301}\u{301}", "\u{115f}",
            "\u{e000}", "\u{3000}", "\\u{41}",
        ])
    func hostile(text: String) {
        let shown = VisibleText(text).description
        for scalar in shown.unicodeScalars {
            #expect(scalar.value >= 0x20 && scalar.value < 0x7f, "\(scalar.value)")
        }
        #expect(shown.contains("\\u{"))
    }

    @Test("ordinary words of any language stay as they are")
    func ordinary() {
        for text in ["Miete März", "Аренда", "家賃", "rent 12.5% (2026)", "/Satoshi:29.0.0/"] {
            #expect(VisibleText(text).description == text)
        }
    }

    @Test("a long text is cut at the limit, and says so")
    func limit() {
        #expect(VisibleText(String(repeating: "x", count: 300), limit: 5).description == "xxxxx…")
    }

    @Test("bytes that are not UTF-8 are shown as replacement characters")
    func bytes() {
        #expect(VisibleText(utf8: [0x41, 0xFF, 0x42]).description == "A\u{FFFD}B")
    }

    @Test("two different texts never look the same by escaping")
    func unambiguous() {
        #expect(VisibleText("\u{1b}").description != VisibleText("\\u{1b}").description)
    }
}
