import ConsoleCore
import Testing

@testable import ConsoleRuntime

@Suite("Labels of a file and by hand")
struct LabelLinesTests {
    @Test(
        "each line of a file keeps its number, whatever parts it is cut into",
        arguments: [2, 3, 5, 8, 100])
    func parts(_ limit: Int) {
        let file = Array("\n\na\n\nbb\nccc\n\n\ndddd\n\ne".utf8)
        var lines: [UInt32: String] = [:]
        for part in ChainInput.parts(of: file, limit: limit) {
            #expect(part.bytes.count <= limit && part.bytes.first != 0x0A)
            var number = part.firstLine
            for line in part.bytes.split(separator: 0x0A, omittingEmptySubsequences: false) {
                if !line.isEmpty { lines[number] = String(decoding: line, as: UTF8.self) }
                number += 1
            }
        }
        let whole: [UInt32: String] = [3: "a", 5: "bb", 6: "ccc", 9: "dddd", 11: "e"]
        #expect(lines == whole.mapValues { String($0.prefix(limit - 1)) })
    }

    @Test("a file without a line has no parts", arguments: ["", "\n", "\n\n\n"])
    func empty(_ text: String) {
        #expect(ChainInput.parts(of: Array(text.utf8)).isEmpty)
    }

    @Test("where a later part is not taken, it is said which lines are kept")
    func brokenOff() throws {
        let line = #"{"type":"tx","ref":"00","label":"x"}"# + "\n"
        let parts = ChainInput.parts(
            of: Array(String(repeating: line, count: 6).utf8), limit: 2 * line.utf8.count)
        try #require(parts.count == 3)
        for broken in parts.indices {
            var count = 0
            var said = ""
            do throws(CommandEnd) {
                _ = try ChainCommand.put(parts) { _ throws(CommandEnd) in
                    defer { count += 1 }
                    guard count < broken else { throw .problem(.unreachable, "it is gone") }
                    return [.labelsPut(kept: 2, leftOut: 0, [])]
                }
            } catch {
                #expect(error.exitCode == .unreachable)
                said = error.sentence
            }
            let line = 2 * broken + 1
            #expect(
                broken == 0
                    ? said == "it is gone"
                    : said.hasPrefix("it is gone. The \(2 * broken) labels before line \(line) "),
                "\(said)")
        }
    }

    @Test("a label by hand is of one of the types of BIP329")
    func types() throws {
        for type in ["tx", "addr", "pubkey", "input", "output", "xpub"] {
            #expect(try end(type).code.isEmpty, "\(type)")
        }
        for type in ["TX", "coin", "", "address"] {
            let refused = try end(type)
            #expect(refused.code == "usage", "\(type)")
            #expect(refused.sentence.contains("tx, addr, pubkey, input, output, xpub"), "\(type)")
        }
    }

    private func end(_ type: String) throws -> (code: String, sentence: String) {
        let words = try CommandLineWords(["labels", "set", type, "00", "x"])
        do throws(CommandEnd) {
            _ = try ChainInput.request(words)
            return ("", "")
        } catch {
            return ("\(error.exitCode)", error.sentence)
        }
    }
}
