import SecretMemory
import Testing

@testable import Prompts

@Suite("Quiz on a phrase, and lines that are seen")
struct QuizTests {
    private static let phrase =
        "abandon ability able about above absent absorb abstract absurd abuse"

    private func phrase() -> SecretBytes {
        let bytes = Array(Self.phrase.utf8)
        return SecretBytes(count: bytes.count) { $0.copyBytes(from: bytes) }
    }

    private func answer(_ keys: String, _ person: TypingPerson) throws -> Bool {
        let phrase = phrase()
        return try person.answer(keys) { prompter throws(PromptEnd) in
            try prompter.quiz(phrase, places: [2, 5, 10], title: "What you wrote down")
        }
    }

    @Test(
        "whole words and their first four letters pass, in any case, with any key that ends a word")
    func passes() throws {
        #expect(try answer("ability\rABOV abus\t", TypingPerson()))
    }

    @Test("a wrong word is told, and is asked for again")
    func wrong() throws {
        let person = TypingPerson()
        #expect(try answer("abo\rabil\rabove\rabuse\r", person))
        #expect(person.screen(with: "\u{1b}[?1049l").contains("That is not word 2."))
    }

    @Test("Enter alone goes back to the words, Control-C gives up, and the screen is emptied")
    func leaves() throws {
        let person = TypingPerson()
        #expect(try !answer("ability\r\r", person))
        #expect(person.screen(with: "?1049l").contains("\u{1b}[2J\u{1b}[?25h\u{1b}[?1049l"))
        #expect(throws: PromptEnd.cancelled) { try answer("abil\u{3}", TypingPerson()) }
    }

    @Test("nothing typed for the limit drops what was typed")
    func idle() {
        let phrase = phrase()
        #expect(throws: PromptEnd.idle(seconds: 1)) {
            try TypingPerson().answer("abil", idle: .seconds(1)) { prompter throws(PromptEnd) in
                try prompter.quiz(phrase, places: [2], title: "x")
            }
        }
    }

    @Test("a line is seen while it is typed, can be corrected, and takes nothing a terminal obeys")
    func visible() throws {
        let person = TypingPerson()
        let keys = "Sav\u{1b}[Aings\u{7F}\u{7F}\u{c2}\u{9b}2J\u{202E}\u{7} \u{e4}€\r"
        let typed = try person.answer(keys) { prompter throws(PromptEnd) in
            try prompter.visible("Name: ")
        }
        #expect(typed == "SavinÂ2J ä€")
        #expect(person.screen(with: "€").contains("Name: Savin"))
        #expect(!person.screen(with: "€").contains("\u{202E}"))
        let long = try TypingPerson().answer(String(repeating: "x", count: 300) + "\r") {
            prompter throws(PromptEnd) in
            try prompter.visible("Name: ", limit: 10)
        }
        #expect(long == "xxxxxxxxxx")
    }
}
