import Messages
import StateFiles
import Testing
import Wire

@testable import ConsoleCore

/// What stands between spaces, in its order.
func words(of lines: [String]) -> [Substring] {
    lines.flatMap { $0.split(separator: " ") }
}

/// No amount, address, name or key may be cut at the edge of a screen, whatever its size.
@Suite("Screens of any size")
struct NarrowScreensTests {
    @Test("a line is broken behind its words, and only a word that fills a line within")
    func wrap() {
        let text = "  - sends 0.00300000 BTC to  bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080, a  b"
        for columns in 1...120 {
            let lines = TextWrap.lines(text, columns: columns, hang: 4)
            #expect(lines.allSatisfy { $0.count <= columns && $0.last != " " })
            let letters = lines.joined().filter { $0 != " " }
            #expect(letters == text.filter { $0 != " " })
            guard columns >= 50 else { continue }
            #expect(words(of: lines) == words(of: [text]))
            #expect(lines.dropFirst().allSatisfy { $0.hasPrefix("    ") })
        }
        #expect(TextWrap.lines("", columns: 5) == [""])
    }

    private func isRule(_ word: Substring) -> Bool { word.allSatisfy { $0 == "-" } }

    @Test("the home screen has every word of both sides, of a request, of its keys and its message")
    func home() {
        var status = Sample.status()
        status.problems = ["device.key is missing: the kit's secret key makes another"]
        status.weaknesses = ["this kernel has no Landlock, so that one wall less stands here"]
        var screen = HomeScreen(signer: .value(status))
        let request = "sends 0.00300000 BTC, fee 0.00002000 BTC, 1 warning, 1 min 15 s"
        screen.requests = [.init(id: 3, text: request)]
        screen.vaults = [Sample.vault(1, "Savings for a day without sun")]
        screen.message = "the disk did not take the change, and what it holds is as it was before"
        let wide = screen.lines(columns: 400, rows: 60)
        for columns in 40..<120 {
            let lines = screen.lines(columns: columns, rows: 60)
            #expect(lines.allSatisfy { $0.count <= columns })
            #expect(lines[0].contains("*** regtest: coins of no value ***"))
            let (found, all) = (words(of: Array(lines[1...])), words(of: Array(wide[1...])))
            #expect(found.filter { !isRule($0) } == all.filter { !isRule($0) })
        }
    }

    @Test("no line is wider than the screen where a name is wide, and columns stay in line")
    func wide() throws {
        var screen = Sample.home()
        screen.message = "貯金箱という名前の財布はもうありません、鍵も言葉もここには残っていません"
        screen.vaults = ["貯金", "Savings", "장기 저축 지갑"].enumerated().map {
            Sample.vault(UInt8($0.offset + 1), $0.element)
        }
        for columns in 40..<120 {
            let lines = screen.lines(columns: columns, rows: 40)
            #expect(lines.allSatisfy { $0.columns <= columns }, "\(lines)")
        }
        let rows = screen.lines(columns: 100, rows: 40).filter { $0.contains("wallet  made") }
        let places = rows.compactMap { row in
            row.firstRange(of: "wallet  made").map { row[..<$0.lowerBound].columns }
        }
        #expect(rows.count == 3 && Set(places).count == 1, "\(rows)")
        var review = ReviewScreen(
            title: String(repeating: "支払い", count: 30), report: ReportText([]), choices: [])
        #expect(review.lines(columns: 60, rows: 12)[0].columns == 60)
        var table = TextTable(["名前", "B"])
        table.append(["a", "b"])
        #expect(table.lines == ["名前  B", "a     b"])
    }

    @Test("a list without room says how many are above and below, and each can be reached")
    func list() throws {
        for (columns, rows) in [(80, 24), (40, 10), (60, 16)] {
            var screen = Sample.home()
            screen.vaults = (1...32).map { Sample.vault($0, "Wallet \($0).") }
            var reached: [Substring] = []
            for place in 0..<34 {
                let lines = screen.lines(columns: columns, rows: rows)
                #expect(lines.count == rows)
                let chosen = try #require(lines.first { $0.hasPrefix("> ") })
                reached.append(chosen.dropFirst(2).prefix { $0 != "." })
                func hidden(_ end: String) throws -> Int {
                    let mark = lines.first { $0.hasPrefix("  ... ") && $0.hasSuffix(end) }
                    return try #require(Int(mark?.split(separator: " ")[1] ?? "0"))
                }
                let shown = lines.count {
                    $0.contains("Wallet ") || $0.contains("3  pays") || $0.contains("4  evil")
                }
                let (above, below) = (try hidden("more above"), try hidden("more below"))
                #expect(above + shown + below == 34, "\(columns) columns, place \(place)")
                #expect(above <= place && below <= 33 - place)
                _ = screen.take(.down)
            }
            #expect(Set(reached).count == 34)
        }
    }

    @Test("32 wallets on a usual screen, and a request on a narrow one")
    func kept() throws {
        var screen = Sample.home()
        screen.vaults = (1...32).map { Sample.vault($0, "Wallet \($0)") }
        for _ in 0..<20 { _ = screen.take(.down) }
        try expectKept(screen.lines(columns: 80, rows: 24), "home-many")
        var narrow = Sample.home()
        narrow.requests = [
            .init(id: 3, text: "sends 0.00300000 BTC, fee 0.00002000 BTC, 1 warning, 1 min 15 s")
        ]
        try expectKept(narrow.lines(columns: 44, rows: 20), "home-narrow")
    }

    @Test("what is below the list says how much of it is left out")
    func weaknesses() {
        var status = Sample.status()
        status.weaknesses = (1...9).map { "weakness \($0)" }
        var screen = HomeScreen(signer: .value(status))
        screen.vaults = (1...32).map { Sample.vault($0, "Wallet \($0)") }
        let lines = screen.lines(columns: 80, rows: 24)
        let shown = lines.count { $0.hasPrefix("  - weakness") }
        #expect(shown > 0 && lines.contains("  and \(9 - shown) more lines: bulkhead status"))
        #expect(screen.lines(columns: 80, rows: 60).count { $0.hasPrefix("  - weakness") } == 9)
    }

    @Test("on a low screen requests and vaults come before what is weak, which is counted there")
    func low() {
        var status = Sample.status()
        status.weaknesses = (1...3).map {
            "weakness \($0), told in a sentence that is longer than one line of this screen"
        }
        var screen = HomeScreen(signer: .value(status))
        screen.requests = []
        screen.vaults = (1...3).map { Sample.vault($0, "Wallet \($0)") }
        let lines = screen.lines(columns: 60, rows: 20)
        #expect(lines.count { $0.contains("Wallet ") } == 3, "\(lines)")
        #expect(lines.contains { $0.contains("more lines: bulkhead status") })
    }

    @Test("of a report no word is torn, and it is approved only where its pages have room")
    func review() {
        let address = "bcrt 1qw5 08d6 qejx tdg4 y5r3 zarv ary0 c5xw 7kyg t080"
        let text = """
            WHAT LEAVES
              0  0.00300000 BTC (300,000 sat)
                 \(address)

            FEE
                 0.00002000 BTC (2,000 sat)

            """
        let report = ReportText(Array(text.utf8))
        for columns in 40..<80 {
            var screen = ReviewScreen(
                title: "Request 3", report: report, choices: [.approve, .reject])
            var found: [Substring] = []
            for _ in 0..<9 where !screen.isSeen {
                let lines = screen.lines(columns: columns, rows: 10)
                #expect(lines.count == 10 && lines.allSatisfy { $0.count <= columns })
                #expect(!lines.contains { $0.contains("more lines") })
                found += words(of: Array(lines.dropFirst(2).prefix { !$0.hasPrefix("---") }))
                _ = screen.take(.down)
            }
            #expect(found == words(of: report.lines), "\(columns) columns")
            let keys = screen.lines(columns: columns, rows: 10).suffix(4).joined(separator: " ")
            for key in ["a approve", "r reject", "q leave"] { #expect(keys.contains(key)) }
        }
        for (columns, rows) in [(39, 24), (80, 9), (1, 1)] {
            var screen = ReviewScreen(title: "a", report: report, choices: .approve)
            for _ in 0..<9 {
                let lines = screen.lines(columns: columns, rows: rows)
                #expect(lines.count == rows && lines.allSatisfy { $0.count <= columns })
                _ = screen.take(.down)
            }
            #expect(!screen.isSeen && screen.take(.character("a")) == .more)
        }
    }

    @Test("a screen that is too small says which size is needed, and nothing else")
    func tooSmall() {
        for (columns, rows) in [(39, 24), (80, 9)] {
            let lines = Sample.home().lines(columns: columns, rows: rows)
            let text = lines.joined(separator: " ")
            #expect(text.contains("40 by 10 at least, best 80 by 24"))
            #expect(!text.contains("pays"))
        }
    }

    @Test("a long title, answer or message ends with a mark where it is cut")
    func marks() {
        let name = String(repeating: "n", count: 90)
        var review = ReviewScreen(title: name, report: ReportText([]), choices: [])
        let head = review.lines(columns: 80, rows: 24)[0]
        #expect(head.contains("n…") && head.hasSuffix("page 1 of 1"))
        var screens = ConsoleScreens(Sample.home())
        _ = screens.take(.character("s"))
        for character in name + "end" { _ = screens.take(.character(character)) }
        let line = screens.lines(columns: 80, rows: 24)[2]
        #expect(line.hasPrefix("File: …n") && line.hasSuffix("end_"))
    }
}
