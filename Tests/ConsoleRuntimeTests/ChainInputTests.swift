import ConsoleCore
import Foundation
import Testing

@testable import ConsoleRuntime

@Suite("What a command line says to the light client")
struct ChainInputTests {
    private func end(_ body: () throws(CommandEnd) -> Void) -> (code: String, sentence: String) {
        do throws(CommandEnd) {
            try body()
            return ("", "")
        } catch {
            return ("\(error.exitCode)", error.sentence)
        }
    }

    private func end(of words: [String]) throws -> (code: String, sentence: String) {
        let words = try CommandLineWords(words)
        return end { () throws(CommandEnd) in _ = try ChainInput.request(words) }
    }

    @Test("a height that is none is told apart from a height that is missing")
    func heights() throws {
        #expect(try end(of: ["rescan"]).sentence.contains("--from HEIGHT"))
        for text in ["2147483647", "-1", "x", "", "4294967296"] {
            let refused = try end(of: ["rescan", "--from=" + text])
            #expect(refused.code == "usage", "\(text)")
            #expect(refused.sentence.contains("from 0 to 2147483646"), "\(text)")
        }
        #expect(try end(of: ["rescan", "--from", "2147483646"]).code.isEmpty)
    }

    @Test(
        "a PSBT is no transaction, in whatever form it comes, and what to do is said",
        arguments: ["psbt\u{ff}", "70736274ff01", " \n70736274FF01\n", "cHNidP8BAHECAAAAAQ=="])
    func psbt(_ text: String) throws {
        let path = "/tmp/bulkhead-psbt-\(UUID().uuidString)"
        try Data(text.unicodeScalars.map { UInt8($0.value) }).write(to: URL(filePath: path))
        defer { try? FileManager.default.removeItem(atPath: path) }
        let refused = try end(of: ["broadcast", path])
        #expect(refused.code == "input" && refused.sentence.contains("is a PSBT"))
        #expect(refused.sentence.contains("bulkhead sign \(path) --final"))
    }

    @Test("an id of a transaction has 64 digits, as a flag and as an argument")
    func txids() throws {
        let digits = String(repeating: "0f", count: 32)
        for text in ["", "12", digits + "0f", String(repeating: "x", count: 64)] {
            for words in [["history", "--txid=" + text], ["broadcast", "withdraw", text]] {
                let refused = try end(of: words)
                #expect(refused.code == "usage", "\(words)")
                #expect(refused.sentence.contains("64 hexadecimal digits"), "\(words)")
            }
        }
        #expect(try end(of: ["broadcast", "withdraw", digits]).code.isEmpty)
    }

    @Test("a birthday is today at the latest")
    func birthdays() throws {
        let words = try CommandLineWords(["watch", "import", "f", "--birthday", "1970-01-02"])
        #expect(try words.birthday(now: 86_400) == 86_400)
        let early = end { () throws(CommandEnd) in _ = try words.birthday(now: 86_399) }
        #expect(early.code == "usage" && early.sentence.contains("still to come"))
        let none = try CommandLineWords(["watch", "import", "f"])
        #expect(try none.birthday(now: 0) == nil)
        let later = try end(of: [
            "watch", "import", "/dev/null", "--birthday", "9999-12-31",
        ])
        #expect(later.code == "usage" && later.sentence.contains("still to come"))
    }
}
