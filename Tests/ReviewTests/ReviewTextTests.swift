import Bitcoin
import Foundation
import Review
import Testing

@Suite("The report as a person reads it")
struct ReviewTextTests {
    static let honest = """
        This payment on regtest can be signed.

        WHAT LEAVES
          0  0.00300000 BTC (300,000 sat)
             bcrt 1qw5 08d6 qejx tdg4 y5r3 zarv ary0 c5xw 7kyg t080

        WHAT COMES BACK
          1  0.00798000 BTC (798,000 sat)
             change, m/84h/1h/0h/1/8
             bcrt 1qaj 6xxr j2n2 ddqx e3a0 wncx vc0j rwd3 qrtx sj3x

        FEE
             0.00002000 BTC (2,000 sat)
             9.5 sat/vB at least

        WHAT IS SPENT
          0  0.00600000 BTC (600,000 sat), proven
             own, m/84h/1h/0h/0/3
        """

    @Test("an honest payment reads as it is: what leaves, what comes back, the fee")
    func honestPayment() throws {
        let lines = try Own.reviewer().review(Draft.honest().bytes).textBlocks().flatMap { $0 }
        let expected = Self.honest.split(separator: "\n", omittingEmptySubsequences: false)
        #expect(lines.prefix(expected.count).joined(separator: "\n") == Self.honest)
    }

    @Test("lines are printable ASCII of at most the width, whatever the file holds")
    func width() throws {
        for attack in Attack.all {
            let report = try Own.reviewer().review(attack.bytes())
            for columns in [40, 80] {
                for line in report.textBlocks(columns: columns).flatMap({ $0 }) {
                    #expect(line.utf8.count <= columns, "\(line)")
                    #expect(line.utf8.allSatisfy { (0x20...0x7E).contains($0) }, "\(line)")
                }
            }
        }
    }

    @Test("every output, every finding and every input stands in the text, in the order of reading")
    func order() throws {
        for attack in Attack.all {
            let report = try Own.reviewer().review(attack.bytes())
            let text = report.textBlocks().flatMap { $0 }
            let titles = [
                "WHAT LEAVES", "WHAT COMES BACK", "FEE", "WHY IT IS NOT SIGNED", "WARNINGS",
                "NOTES",
                "WHAT IS SPENT", "NAMES",
            ]
            let found = titles.compactMap { text.firstIndex(of: $0) }
            #expect(found == found.sorted(), "\(attack.name)")
            for finding in report.findings {
                #expect(
                    text.joined(separator: " ").contains("[\(finding.check.code)]"),
                    "\(attack.name)")
            }
            guard report.transaction != nil else { continue }
            let amounts = text.count { $0.contains(" BTC (") && $0.hasPrefix("  ") }
            #expect(amounts >= report.outputs.count, "\(attack.name)")
            #expect(found.count >= 5)
        }
    }

    @Test("pages hold all lines in their order, none longer than the screen")
    func pages() throws {
        for attack in Attack.all {
            let report = try Own.reviewer().review(attack.bytes())
            let lines = report.textBlocks().flatMap { $0 }
            for rows in [1, 7, 20] {
                let pages = report.textPages(rows: rows)
                #expect(pages.flatMap { $0 } == lines)
                #expect(pages.allSatisfy { !$0.isEmpty && $0.count <= rows })
            }
        }
    }

    @Test("an output is not torn over two pages where it fits on one")
    func blocks() throws {
        var draft = try Draft.honest()
        for _ in 0..<30 { draft.addOutput(1_000, try Stranger(1).p2wpkh()) }
        let pages = try Own.reviewer().review(draft.bytes).textPages(rows: 20)
        let address = "bcrt 1qw5 08d6 qejx tdg4 y5r3 zarv ary0 c5xw 7kyg t080"
        for page in pages {
            for (place, line) in page.enumerated() where line.contains(address) {
                #expect(place > 0 && page[place - 1].contains("sat)"))
            }
        }
    }

    @Test("data that would steer a terminal stand there as codes")
    func escapes() throws {
        var draft = try Draft.honest()
        draft.addOutput(0, .opReturn(Array("hi\u{1B}[2J\r\n\u{202E}\\".utf8)))
        let text = try Own.reviewer().review(draft.bytes).textBlocks().flatMap { $0 }
            .joined(separator: "\n")
        #expect(text.contains(#"hi\x1b[2J\x0d\x0a\xe2\x80\xae\x5c"#))
        #expect(!text.contains("\u{1B}"))
    }

    /// The text without the ends of its lines.
    private func words(_ draft: Draft) throws -> String {
        try Own.reviewer().review(draft.bytes).textBlocks().flatMap { $0 }
            .flatMap { $0.split(separator: " ") }.joined(separator: " ")
    }

    @Test("where others spend too, the text says what leaves us alone")
    func net() throws {
        var draft = try Draft.honest()
        try draft.addStranger()
        var text = try words(draft)
        #expect(text.contains("known as yours. You get 0.00098000 BTC (98,000 sat) more"))
        draft.pay(output: 1, sats: 300_000)
        text = try words(draft)
        #expect(text.contains("known as yours. Of yours you give 0.00300000 BTC (300,000 sat)"))
    }

    @Test("a file that names another fingerprint for own coins is not told as one of others")
    func wrongFingerprint() throws {
        var draft = try Draft.honest()
        for index in draft.inputs.indices {
            draft.edit(input: index, 0x06) { $0.replaceSubrange(0..<4, with: [1, 2, 3, 4]) }
        }
        let text = try words(draft)
        #expect(text.contains("No coin that is spent is known as yours."))
        #expect(text.contains("names keys of 01020304"))
        #expect(!text.lowercased().contains("others spend"))
    }

    @Test("nothing is counted as several where there is one, and a missing coin is said once")
    func wording() throws {
        for attack in Attack.all {
            let report = try Own.reviewer().review(attack.bytes())
            let text = report.textBlocks().flatMap { $0 }.joined(separator: " ")
            #expect(
                text.firstMatch(of: /\b1 (fields|inputs|outputs|bytes|keys|steps|coins|wallets)\b/)
                    == nil,
                "\(attack.name): \(text)")
            let missing = report.findings.filter { $0.check == .coinMissing }
            #expect(Set(missing.map { "\($0.place)" }).count == missing.count, "\(attack.name)")
            for finding in missing {
                let advice =
                    finding.sentence.components(separatedBy: "revious transaction").count - 1
                #expect(advice == 1, "\(finding.sentence)")
            }
        }
    }
}
