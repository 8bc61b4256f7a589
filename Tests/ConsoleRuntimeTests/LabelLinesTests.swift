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

    @Test("of the parts of a file the last one is said to be so, and no other")
    func lastPart() throws {
        let line = #"{"type":"tx","ref":"00","label":"x"}"# + "\n"
        for count in [1, 20_000] {
            let puts = ChainInput.puts(of: Array(String(repeating: line, count: count).utf8))
            var ends: [Bool] = []
            for case .putLabels(_, _, let isLast) in puts { ends.append(isLast) }
            #expect(ends.count == puts.count && (count == 1) == (puts.count == 1))
            #expect(ends.lastIndex(of: true) == ends.firstIndex(of: true))
            #expect(ends.last == true)
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
