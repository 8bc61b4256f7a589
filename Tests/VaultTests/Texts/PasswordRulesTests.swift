import Testing

@testable import Vault

@Suite("Rules for passwords")
struct PasswordRulesTests {
    private static func error(_ password: String) -> PasswordError? {
        error(Array(password.utf8))
    }

    private static func error(_ password: [UInt8]) -> PasswordError? {
        do throws(PasswordError) {
            try PasswordRules.check(secret(password))
            return nil
        } catch {
            return error
        }
    }

    @Test(
        "three of four classes in 8 to 64 characters are enough",
        arguments: [
            "Abcdefg1", "abcdef1!", "ABCDEF1!", "Abcdefg!", "Correct horse", " Abcdef ",
            "Пароль12", "пароль1!", "ÄÖÜäöü12", "密码密码abcD", "ǅabcdef1",
            String(repeating: "aA1", count: 21) + "a",
        ])
    func allowed(password: String) {
        #expect(Self.error(password) == nil)
    }

    @Test("too short, too long, too few classes")
    func refused() {
        #expect(Self.error("") == .length(found: 0, allowed: 8...64))
        #expect(Self.error("Abcdef1") == .length(found: 7, allowed: 8...64))
        #expect(
            Self.error(String(repeating: "aA1!", count: 17)) == .length(found: 68, allowed: 8...64))
        #expect(Self.error("abcdefgh") == .tooFewClasses(missing: [.upperCase, .digit, .symbol]))
        #expect(Self.error("abcdefg1") == .tooFewClasses(missing: [.upperCase, .symbol]))
        #expect(Self.error("ПАРОЛЬПА") == .tooFewClasses(missing: [.lowerCase, .digit, .symbol]))
        #expect(Self.error("пароль12") == .tooFewClasses(missing: [.upperCase, .symbol]))
        // Neither case nor ASCII: ideographs and the digits of other scripts are symbols.
        #expect(
            Self.error("密码密码密码密码")
                == .tooFewClasses(missing: [.upperCase, .lowerCase, .digit]))
        #expect(Self.error("abcdefg٣") == .tooFewClasses(missing: [.upperCase, .digit]))
    }

    @Test("characters are counted as Unicode scalars, not as bytes and not as they look")
    func counting() {
        #expect(Self.error("Añ1Añ1Añ") == nil)
        #expect(Self.error("Añ1Añ1A") == .length(found: 7, allowed: 8...64))
        #expect(Self.error("An\u{303}1An\u{303}1A") == nil)
        #expect(Self.error(String(repeating: "𝔸a1", count: 21) + "a") == nil)
    }

    @Test("control characters and bytes that are not UTF-8 are refused, with their place")
    func control() {
        #expect(Self.error("Abcdef1\t!") == .controlCharacter(place: 8))
        #expect(Self.error("Abcdef1!\n") == .controlCharacter(place: 9))
        #expect(Self.error("\u{0}Abcdef1!") == .controlCharacter(place: 1))
        #expect(Self.error("Abcdef1!\u{7F}") == .controlCharacter(place: 9))
        #expect(Self.error("Äbcdef1!\u{9B}") == .controlCharacter(place: 9))
        #expect(Self.error(Array("Abcdef1!".utf8) + [0xFF]) == .notUTF8(position: 8))
        #expect(Self.error(Array("Abcdef1!".utf8) + [0xED, 0xA0, 0x80]) == .notUTF8(position: 8))
    }

    @Test("whoever types a password that normal form C would change is warned")
    func composition() {
        for password in ["Abcdefg1", "Añ1Añ1Añ", "密码密码abcD", "x\u{302}yz", "각"] {
            let differs = PasswordRules.differsWhenComposed(secret(password))
            #expect(!differs)
        }
        for password in [
            "An\u{303}", "\u{212B}", "a\u{301}\u{323}", "\u{1112}\u{1161}", "\u{9C7}\u{9BE}",
            "\u{E0}\u{323}",
        ] {
            let differs = PasswordRules.differsWhenComposed(secret(password))
            #expect(differs)
        }
    }

    @Test("no message repeats what was typed")
    func silence() {
        for password in ["Zq7", "zqzqzqzq", "Zq7Zq7Zq\u{1}"] {
            guard let error = Self.error(password) else { continue }
            #expect(!"\(error)".lowercased().contains("zq"))
        }
    }
}
