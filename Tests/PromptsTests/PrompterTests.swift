import Foundation
import KeyTree
import SecretMemory
import Testing
import Vault

@testable import Prompts

@Suite("Prompts at a terminal")
struct PrompterTests {
    private static let phrase =
        "abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon about"

    @Test("a password is not echoed, can be corrected, and is kept byte for byte")
    func hidden() throws {
        let person = TypingPerson()
        let typed = try person.answer("Wrong\u{15}Hörse 1x\u{7F}\r") { prompter throws(PromptEnd) in
            try prompter.hidden("password of Savings").text()
        }
        #expect(typed == "Hörse 1")
        let screen = person.screen(with: "\n")
        #expect(screen.contains("Password of Savings: "))
        #expect(!screen.contains("rse"))
    }

    @Test("a new password is held to the rules while it is typed, and wanted twice")
    func newPassword() throws {
        let person = TypingPerson()
        // Enter does nothing before the rules are kept; the first pair differs.
        let keys = "short\rLong-1xx\rother-one\rLong-1xxy\rLong-1xxy\r"
        let typed = try person.answer(keys) { prompter throws(PromptEnd) in
            try prompter.newPassword("new password").text()
        }
        #expect(typed == "Long-1xxy")
        let screen = person.screen(with: "The two differ")
        for part in ["at least 8 characters", "also one of", "(good)", "The two differ"] {
            #expect(screen.contains(part), "\(part)")
        }
        #expect(!screen.contains("Long"))
    }

    @Test("nothing typed for the limit, Control-C, and a terminal that goes each end a prompt")
    func ends() {
        func end(_ keys: String, idle: Duration = .seconds(20), hangUp: Bool = false) -> PromptEnd?
        {
            let person = TypingPerson()
            if hangUp {
                person.type(keys)
                person.hangUp()
            }
            do throws(PromptEnd) {
                _ = try person.answer(hangUp ? "" : keys, idle: idle) {
                    prompter throws(PromptEnd) in
                    try prompter.hidden("password").count
                }
                return nil
            } catch {
                return error
            }
        }
        #expect(end("abc", idle: .seconds(1)) == .idle(seconds: 1))
        #expect(end("abc\u{3}") == .cancelled)
        #expect(end("", hangUp: true) == .gone)
    }

    @Test("what is typed after a machine's sleep comes too late for what was typed before it")
    func sleep() throws {
        let person = TypingPerson()
        person.type("abc")
        // The wait for a key stands still while the machine sleeps: what it ends with is a key.
        let hour = Duration.seconds(3600)
        var asleep = Duration.zero
        let keys = KeyInput(person.inner, idleLimit: .seconds(20)) {
            defer { asleep += hour }
            return asleep
        }
        do throws(PromptEnd) {
            let key = try keys.next()
            Issue.record("\(key) was taken")
        } catch {
            #expect(error == .idle(seconds: 20))
        }
    }

    @Test("what is shown to be written down outlasts the limit for typing")
    func reading() throws {
        let person = TypingPerson()
        Thread.detachNewThread {
            Thread.sleep(forTimeInterval: 1.5)
            person.type("\r")
        }
        let phrase = Array(Self.phrase.utf8)
        let secret = SecretBytes(count: phrase.count) { $0.copyBytes(from: phrase) }
        try person.answer("", idle: .milliseconds(300)) { prompter throws(PromptEnd) in
            try prompter.show(phrase: secret, title: "Words")
        }
    }

    @Test("words are completed, corrected and checked on a screen that is empty afterwards")
    func words() throws {
        let person = TypingPerson()
        // "aba" is unique; "abandn" is nothing, its nearest is taken by Tab; "zoo" is taken back.
        let keys =
            String(repeating: "aba ", count: 9) + "abandn\tabandon zoo "
            + String(repeating: "\u{7F}", count: 4) + "\r" + "about\r\r"
        let typed = try person.answer(keys) { prompter throws(PromptEnd) in
            try prompter.words("Words").text()
        }
        #expect(typed == Self.phrase)
        let screen = person.screen(with: "\u{1b}[?1049l")
        #expect(screen.hasPrefix("\u{1b}[?1049h"))
        #expect(screen.contains("did you mean"))
        #expect(screen.hasSuffix("\u{1b}[2J\u{1b}[?25h\u{1b}[?1049l"))
    }

    @Test("a text of the kit is typed in groups, and a slip is named by its group")
    func kitText() throws {
        let code = RecoveryCode.random().text().text()
        var groups = code.split(separator: "-").map(String.init)
        #expect(groups.count == GroupEntry.groups(of: .recoveryCode))
        let right = groups[2]
        groups[2] = String(right.dropLast()) + (right.hasSuffix("0") ? "1" : "0")
        let person = TypingPerson()
        let keys = groups.joined(separator: "-").lowercased() + "\r" + right + "\r"
        let typed = try person.answer(keys) { prompter throws(PromptEnd) in
            try prompter.kitText(.recoveryCode, "Code").text()
        }
        #expect(typed == code)
        #expect(person.screen(with: "\u{1b}[?1049l").contains("a slip in group 3"))
        let key = VaultSecretKey.random().text().text()
        #expect(key.split(separator: "-").count == GroupEntry.groups(of: .secretKey))
        let again = try TypingPerson().answer(key + "\r") { prompter throws(PromptEnd) in
            try prompter.kitText(.secretKey, "Key").text()
        }
        #expect(again == key)
    }

    @Test("dice are counted and not shown, and too few are not taken")
    func dice() throws {
        let person = TypingPerson()
        let needed = DiceEntropy.neededRolls(wordCount: 12)
        let rolls = String(repeating: "123456", count: 20).prefix(needed)
        let keys = rolls.dropLast() + "\r7x" + rolls.suffix(1) + "\r"
        let typed = try person.answer(String(keys)) { prompter throws(PromptEnd) in
            try prompter.dice(wordCount: 12).text()
        }
        #expect(typed == rolls)
        let screen = person.screen(with: "so far \(needed))")
        #expect(screen.contains("so far \(needed - 1)"))
        #expect(!screen.contains("123456"))
    }

    @Test("only the whole word yes is a yes")
    func confirms() throws {
        for (keys, answer) in [
            ("yes\r", true), ("y\r", false), ("yess\u{7F}\r", true), ("\r", false),
        ] {
            let found = try TypingPerson().answer(keys) { prompter throws(PromptEnd) in
                try prompter.confirms("Really?")
            }
            #expect(found == answer)
        }
    }

    @Test("a phrase is shown in a grid on a screen that is empty afterwards")
    func showsPhrase() throws {
        let person = TypingPerson()
        let words = (0..<24).map { String(decoding: EnglishWords.utf8(at: $0 * 80), as: UTF8.self) }
        let phrase = words.joined(separator: " ")
        let secret = SecretBytes(count: phrase.utf8.count) { $0.copyBytes(from: phrase.utf8) }
        person.type("\r")
        try Prompter(terminal: person.inner).show(phrase: secret, title: "Title")
        let screen = person.screen(with: PromptOutput.normal)
        for (number, word) in zip(1..., words) {
            #expect(screen.contains("\(number). \(word)"))
        }
        #expect(screen.hasSuffix(PromptOutput.normal))
    }

    @Test("a script answers line by line, is held to the same rules, and is told what is missing")
    func script() throws {
        var ends: [Int32] = [-1, -1]
        try #require(pipe(&ends) == 0)
        let lines = "first\nGood-Pass1\nbad\nlast"
        _ = write(ends[1], lines, lines.utf8.count)
        close(ends[1])
        defer { close(ends[0]) }
        let prompter = Prompter(answers: ends[0])
        #expect(try prompter.hidden("password").text() == "first")
        #expect(try prompter.newPassword("new password").text() == "Good-Pass1")
        #expect(throws: PromptEnd.self) { _ = try prompter.newPassword("new password") }
        #expect(try prompter.hidden("password").text() == "last")
        #expect(throws: PromptEnd.noAnswer("password")) { _ = try prompter.hidden("password") }
        #expect(try !prompter.confirms("Really?"))
    }
}
