import ConsoleCore
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
