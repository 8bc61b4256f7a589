import Testing

@testable import ConsoleCore

@Suite("Review screen")
struct ReviewScreenTests {
    private static let text = """
        This payment on regtest can be signed if you accept all 2 warnings.

        WHAT LEAVES
          0  0.00300000 BTC (300,000 sat)
             bcrt 1qw5 08d6 qejx tdg4 y5r3 zarv ary0 c5xw 7kyg t080

        WHAT COMES BACK
          1  0.00798000 BTC (798,000 sat)
             change, m/84h/1h/0h/1/8
             bcrt 1qaj 6xxr j2n2 ddqx e3a0 wncx vc0j rwd3 qrtx sj3x

        FEE
             0.00002000 BTC (2,000 sat)

        WARNINGS
          The fee is 12 % of what is sent. Ask for a lower one.
            [fee-share-high]

          Output 1: far away. Look. [change-index-far]

          Output 2: far away. Look. [change-index-far]

        NAMES
          txid without signatures 00

        """

    private static let report = ReportText(Array(text.utf8))

    private func screen(_ choices: ReviewScreen.Choices = [.approve, .reject]) -> ReviewScreen {
        ReviewScreen(title: "Request 3", report: Self.report, choices: choices)
    }

    @Test("a page ends between two blocks, and all pages hold all lines")
    func pages() {
        let lines = Self.text.split(separator: "\n", omittingEmptySubsequences: false).map(
            String.init)
        #expect(Self.report.lines == lines.dropLast())
        for rows in 5...40 {
            let pages = Self.report.pages(columns: 80, rows: rows)
            #expect(pages.allSatisfy { $0.count <= rows })
            let shown = pages.flatMap { $0 }.filter { !$0.isEmpty }
            #expect(shown == lines.filter { !$0.isEmpty })
            for page in pages where page.contains(where: { $0.hasPrefix("  1  ") }) {
                #expect(page.contains("WHAT COMES BACK"))
                #expect(page.contains { $0.contains("bcrt 1qaj") })
            }
        }
        #expect(
            Self.report.pages(columns: 10, rows: 5).allSatisfy { $0.allSatisfy { $0.count <= 10 } })
        #expect(ReportText([]).pages(columns: 80, rows: 20) == [[]])
    }

    @Test("what a terminal could obey is shown as a question mark")
    func escapes() {
        let text = ReportText(Array("a\u{1b}[2J\u{7}\u{9b}b\r\n\u{202E}c".utf8))
        #expect(text.lines == ["a?[2J???b?", "???c"])
    }

    @Test("the first and the last page, with their keys at the bottom")
    func kept() throws {
        var screen = screen()
        try expectKept(screen.lines(columns: 80, rows: 24), "review-first")
        #expect(screen.take(.character("a")) == .more)
        try expectKept(screen.lines(columns: 80, rows: 24), "review-too-early")
        #expect(screen.take(.character(" ")) == .more)
        try expectKept(screen.lines(columns: 80, rows: 24), "review-last")
        #expect(screen.take(.character("a")) == .approve)
    }

    @Test("every key that pages turns the pages, and Home and End go to the first and the last")
    func paging() {
        let forward: [ScreenKey] = [
            .character(" "), .character("n"), .down, .right, .pageDown, .enter,
        ]
        let back: [ScreenKey] = [.character("b"), .character("p"), .up, .left, .pageUp, .backspace]
        var screen = screen()
        func page() -> String { String(screen.lines(columns: 80, rows: 12)[0].suffix(11)) }
        #expect(page() == "page 1 of 4")
        for (next, previous) in zip(forward, back) {
            #expect(screen.take(next) == .more && page() == "page 2 of 4", "\(next)")
            #expect(screen.take(previous) == .more && page() == "page 1 of 4", "\(previous)")
        }
        #expect(screen.take(.end) == .more && page() == "page 4 of 4")
        #expect(!screen.isSeen, "the pages between were not on the screen")
        #expect(screen.take(.home) == .more && page() == "page 1 of 4")
    }

    @Test("nothing is approved before every page was on the screen, in the size that it has")
    func seen() {
        var screen = screen()
        _ = screen.lines(columns: 80, rows: 12)
        for _ in 0..<9 { _ = screen.take(.down) }
        _ = screen.lines(columns: 80, rows: 12)
        #expect(!screen.isSeen && screen.take(.character("a")) == .more)
        for _ in 0..<9 {
            _ = screen.take(.up)
            _ = screen.lines(columns: 80, rows: 12)
        }
        #expect(screen.isSeen && screen.take(.character("a")) == .approve)
        _ = screen.take(.down)
        let other = screen.lines(columns: 80, rows: 11)
        #expect(other[0].contains("page 1 of "))
        #expect(!screen.isSeen && screen.take(.character("a")) == .more)
    }

    @Test("a file that lacks no signature is read to its end before its transaction is written")
    func finish() {
        var screen = screen([.finish])
        func keys() -> String { screen.lines(columns: 80, rows: 12).last ?? "" }
        #expect(!keys().contains("write transaction") && screen.take(.character("a")) == .more)
        for _ in 0..<4 {
            _ = screen.take(.pageDown)
            _ = keys()
        }
        #expect(keys().contains("a write transaction") && !keys().contains("approve"))
        #expect(screen.take(.character("a")) == .approve)
    }

    @Test("what cannot be done has no key")
    func choices() {
        var screen = screen([])
        let keys = screen.lines(columns: 80, rows: 60).last
        #expect(screen.isSeen && keys == "q leave")
        #expect(screen.take(.character("a")) == .more)
        #expect(screen.take(.character("r")) == .more)
        #expect(screen.take(.cancel) == .leave && screen.take(.character("q")) == .leave)
        var other = self.screen(.reject)
        #expect(other.take(.character("r")) == .reject)
    }

    @Test("a warning is accepted by typing its code, and by nothing else")
    func accept() throws {
        let first = AcceptScreen(code: "fee-share-high", place: 0, total: 2, report: Self.report)
        try expectKept(first.lines(columns: 80), "accept")
        for typed in ["fee-share-high", " Fee share HIGH ", "fee share-high"] {
            #expect(first.isAccepted(by: typed), "\(typed)")
        }
        for typed in ["", "y", "yes", "fee-share", "fee-share-high-x", "feesharehigh"] {
            #expect(!first.isAccepted(by: typed), "\(typed)")
        }
        let second = AcceptScreen(code: "change-index-far", place: 1, total: 2, report: Self.report)
        #expect(second.lines(columns: 80).contains("  and 1 more of the same kind"))
        let unknown = AcceptScreen(code: "no-such", place: 0, total: 1, report: Self.report)
        #expect(unknown.lines(columns: 80).contains("  no-such"))
    }
}
