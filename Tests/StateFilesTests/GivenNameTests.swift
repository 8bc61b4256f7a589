import StateFiles
import Testing

@Suite("Names that people give")
struct GivenNameTests {
    @Test(
        "a name of visible characters with a letter or symbol among them is taken as it is",
        arguments: [
            "a", "Savings", "Für später, nicht jetzt", "年金", "☂", "2024 x", "a (2)", "Fu\u{308}r",
            "हिन्दी",
        ])
    func taken(_ text: String) throws {
        #expect(try GivenName(new: text).text == text)
        #expect(try GivenName(kept: text).text == text)
    }

    @Test("as many characters as are allowed are taken, and one more is not")
    func length() throws {
        let longest = String(repeating: "𝔸", count: 64)
        #expect(try GivenName(new: longest).text == longest)
        #expect(throws: GivenNameError.tooLong(found: 65, allowed: 64)) {
            try GivenName(new: longest + "b")
        }
    }

    @Test("what cannot be seen is no part of a name, and neither are spaces at its ends")
    func neverNames() {
        let refused: [(String, GivenNameError)] = [
            ("0123456789abcdef0123456789abcdef", .looksLikeID),
            ("", .empty), (" a", .spaceAtEnd), ("a ", .spaceAtEnd),
            ("a\tb", .invisible(place: 2)), ("a\u{202E}b", .invisible(place: 2)),
            ("a\u{200B}", .invisible(place: 2)), ("\u{1B}[1m", .invisible(place: 1)),
            ("a\u{85}", .invisible(place: 2)), ("a\u{2028}b", .invisible(place: 2)),
            ("a\u{A0}b", .invisible(place: 2)), ("\u{E000}", .invisible(place: 1)),
        ]
        for (text, error) in refused {
            #expect(throws: error, "\(error)") { try GivenName(new: text) }
            #expect(throws: error, "\(error)") { try GivenName(kept: text) }
        }
    }

    @Test(
        "what a command line could take for something else is no new name, and is still an old one")
    func newNames() throws {
        let refused: [(String, GivenNameError)] = [
            ("1", .noLetter), ("007", .noLetter), ("٣", .noLetter), (".", .noLetter),
            ("..", .noLetter), ("1.5 - 2", .noLetter), ("-a", .leadingDash), ("-", .leadingDash),
            ("x/y", .slash), ("/", .slash), ("number:7", .looksLikeNumber),
            ("Number:x", .looksLikeNumber),
        ]
        for (text, error) in refused {
            #expect(throws: error, "\(text)") { try GivenName(new: text) }
            #expect(try GivenName(kept: text).text == text)
        }
        let reference = GivenName.reference(toNumber: 7)
        #expect(throws: GivenNameError.looksLikeNumber) { try GivenName(new: reference) }
    }

    @Test("what shows nothing of its own, and marks without a letter, are in no new name")
    func unseen() throws {
        let refused: [(String, GivenNameError)] = [
            ("\u{2800}", .invisible(place: 1)), ("a\u{3164}", .invisible(place: 2)),
            ("\u{FFA0}", .invisible(place: 1)), ("\u{1160}", .invisible(place: 1)),
            ("Main\u{FE0F}", .invisible(place: 5)), ("a\u{E0100}", .invisible(place: 2)),
            ("a\u{34F}b", .invisible(place: 2)), ("a\u{180B}", .invisible(place: 2)),
            ("\u{301}a", .strayMark(place: 1)), ("Z\u{301}\u{302}\u{303}", .strayMark(place: 4)),
        ]
        for (text, error) in refused {
            #expect(throws: error, "\(error)") { try GivenName(new: text) }
        }
    }

    @Test(
        "names that differ by case, by how an accent is written, by spaces or by what is unseen are twins"
    )
    func twins() {
        #expect(GivenName.areTwins("Savings", "sAVINGS"))
        #expect(GivenName.areTwins("Für", "FU\u{308}R"))
        #expect(GivenName.areTwins("My till", "my  till"))
        #expect(GivenName.areTwins("Sav\u{3164}ings\u{2800}", "Savings"))
        #expect(!GivenName.areTwins("Savings", "Saving"))
        #expect(!GivenName.areTwins("My till", "Mytill"))
    }
}
