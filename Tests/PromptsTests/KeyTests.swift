import KeyTree
import SecretMemory
import Testing

@testable import Prompts

@Suite("Keys and lines")
struct KeyTests {
    private func keys(_ text: String) -> [Key] {
        var decoder = KeyDecoder()
        return text.utf8.compactMap { decoder.take($0) }
    }

    @Test(
        "sequences of a terminal are one key, and no part of one is text",
        arguments: [
            ("a\r", [Key.byte(0x61), .enter]), ("\u{1b}[A\u{1b}OB", [.up, .down]),
            ("\u{1b}[200~x\u{1b}[201~", [.other, .byte(0x78), .other]),
            ("\u{1b}[1;5C", [.right]), ("\u{1b}a", [.byte(0x61)]), ("\u{1b}\u{1b}[D", [.left]),
            (
                "\u{7F}\u{8}\t\u{15}\u{3}\u{4}",
                [.backspace, .backspace, .tab, .clear, .cancel, .cancel]
            ),
            ("\u{1b}[5~\u{1b}[6~\u{1b}[5;2~", [.pageUp, .pageDown, .pageUp]),
            ("\u{1b}[H\u{1b}OF\u{1b}[1~\u{1b}[4~", [.home, .end, .home, .end]),
            ("\u{1b}[7~\u{1b}[8~\u{1b}[15~\u{1b}[55555~", [.home, .end, .other, .other]),
            ("\u{1}", [.other]), ("ä", [.byte(0xC3), .byte(0xA4)]),
        ])
    func decoding(text: String, expected: [Key]) { #expect(keys(text) == expected) }

    @Test("backspace takes a whole character, and a full line takes no more")
    func line() {
        var line = SecretLine(limit: 6)
        for byte in "aä€".utf8 { line.append(byte) }
        let isFull = !line.append(0x62)
        #expect(isFull)
        line.removeLast()
        #expect(line.copy().text() == "aä")
        line.removeLast()
        line.removeLast()
        line.removeLast()
        let isEmpty = line.isEmpty
        #expect(isEmpty)
    }

    @Test("no word is taken that is not in the list, and a phrase ends only when it is one")
    func wordEntry() {
        var entry = WordEntry()
        func type(_ text: String) -> WordEntry.Step {
            var last = WordEntry.Step.more
            for key in keys(text) { last = entry.take(key) }
            return last
        }
        // "act" is a word and the start of others; "ac" is the start of several.
        _ = type("act ")
        var count = entry.count
        #expect(count == 1)
        _ = type("ac ")
        count = entry.count
        let message = entry.message
        #expect(count == 1 && message.contains("Several"))
        _ = type("\u{15}qqq ")
        count = entry.count
        #expect(count == 1)
        _ = type("\u{15}" + String(repeating: "abandon ", count: 11))
        let end = type("\r")
        let reason = entry.message
        #expect(end == .more && reason.contains("checksum"))
        _ = type("\u{3}")
        #expect(type("\u{3}") == .cancelled)
    }

    @Test("every word of the list can be taken by typing it")
    func everyWord() {
        for index in 0..<EnglishWords.count {
            var entry = WordEntry()
            for byte in EnglishWords.utf8(at: index) { _ = entry.take(.byte(byte)) }
            _ = entry.take(.byte(0x20))
            let word = entry.phrase().text()
            #expect(word == String(decoding: EnglishWords.utf8(at: index), as: UTF8.self))
        }
    }
}
