import SecretMemory
import TestSupport
import Testing

@testable import Vault

@Suite("Texts of the kit")
struct CheckedTextTests {
    private static let alphabet = Array("0123456789ABCDEFGHJKMNPQRSTVWXYZ".utf8)
    private static let kinds: [CheckedText] = [.recoveryCode, .secretKey]

    private static func text(_ kind: CheckedText) -> [UInt8] {
        kind.encode(secret(fixedBytes("text", count: kind.byteCount))).revealed()
    }

    private static func error(_ kind: CheckedText, _ text: [UInt8]) -> CheckedTextError? {
        do throws(CheckedTextError) {
            _ = try kind.decode(secret(text))
            return nil
        } catch {
            return error
        }
    }

    @Test("codes and keys come back from their texts, however they are typed")
    func roundTrip() throws {
        for kind in Self.kinds {
            for _ in 0..<50 {
                let bytes = RandomSource.kernel.bytes(count: kind.byteCount)
                let text = kind.encode(secret(bytes)).text()
                let typed = [
                    text, text.lowercased(), text.replacing("-", with: ""),
                    text.replacing("-", with: " ") + "\n", text.replacing("0", with: "O"),
                    text.replacing("1", with: "l"), text.replacing("1", with: "I"),
                ]
                for text in typed {
                    #expect(try kind.decode(secret(text)).revealed() == bytes)
                }
            }
        }
        #expect(Self.text(.recoveryCode).count == 47)
        #expect(Self.text(.secretKey).count == 77)
    }

    @Test("every single wrong character is found and named by its group")
    func substitutions() {
        var tried = 0
        for kind in Self.kinds {
            let text = Self.text(kind)
            for place in text.indices where text[place] != UInt8(ascii: "-") {
                for character in Self.alphabet where character != text[place] {
                    var changed = text
                    changed[place] = character
                    #expect(
                        Self.error(kind, changed) == .slips(kind.kind, groups: [place / 6 + 1]))
                    tried += 1
                }
            }
        }
        #expect(tried == (40 + 65) * 31)
    }

    @Test("every two characters that changed places within a group are found")
    func transpositions() {
        for kind in Self.kinds {
            let text = Self.text(kind)
            for group in stride(from: 0, to: text.count, by: 6) {
                for first in group..<group + 4 {
                    for second in first + 1..<group + 5 where text[first] != text[second] {
                        var changed = text
                        changed.swapAt(first, second)
                        #expect(
                            Self.error(kind, changed)
                                == .slips(kind.kind, groups: [group / 6 + 1]))
                    }
                }
            }
        }
    }

    @Test("groups that changed places are found, both of them")
    func groups() {
        for kind in Self.kinds {
            let groups = Self.text(kind).split(separator: UInt8(ascii: "-")).map { Array($0) }
            for first in groups.indices {
                for second in groups.indices where first < second {
                    var changed = groups
                    changed.swapAt(first, second)
                    #expect(
                        Self.error(kind, Array(changed.joined(separator: [UInt8(ascii: "-")])))
                            == .slips(kind.kind, groups: [first + 1, second + 1]))
                }
            }
        }
    }

    @Test("a group of one kind never fits as one of the other")
    func otherKind() {
        let code = Self.text(.recoveryCode).split(separator: UInt8(ascii: "-"))
        let key = Self.text(.secretKey).split(separator: UInt8(ascii: "-"))
        let typed = Array(key.prefix(code.count).joined(separator: [UInt8(ascii: "-")]))
        #expect(
            Self.error(.recoveryCode, typed) == .slips(.recoveryCode, groups: Array(1...8)))
    }

    @Test("missing, additional and impossible characters are named")
    func counts() {
        var missing = Self.text(.recoveryCode)
        missing.remove(at: 13)
        #expect(
            Self.error(.recoveryCode, missing)
                == .wrongCount(.recoveryCode, found: 39, needed: 40, groups: [3]))
        #expect(
            Self.error(.recoveryCode, Self.text(.recoveryCode).dropLast(6))
                == .wrongCount(.recoveryCode, found: 35, needed: 40, groups: []))
        #expect(
            Self.error(.secretKey, [])
                == .wrongCount(.secretKey, found: 0, needed: 65, groups: []))
        var impossible = Self.text(.secretKey)
        impossible[6] = UInt8(ascii: "U")
        impossible[8] = 0xC3
        #expect(
            Self.error(.secretKey, impossible) == .unknownCharacters(.secretKey, places: [6, 8]))
        #expect(
            Self.error(.secretKey, [UInt8](repeating: 65, count: 513))
                == .tooLong(.secretKey, found: 513, allowed: 512))
    }

    @Test("bits behind the end of a key are refused in the last group")
    func bitsBehind() {
        // 256 bits fill 51 characters and the first bit of the next one.
        let groups = Self.text(.secretKey).split(separator: UInt8(ascii: "-")).map { Array($0) }
        for last in Self.lastGroups where last != groups[12] {
            let typed = Array((groups[..<12] + [last]).joined(separator: [UInt8(ascii: "-")]))
            #expect(Self.error(.secretKey, typed) == .slips(.secretKey, groups: [13]))
        }
    }

    /// The last group of a key whose bits behind the end are set, with a check character that fits.
    private static var lastGroups: [[UInt8]] {
        let data = [UInt8](repeating: 0, count: 31) + [1]
        let right = CheckedText.secretKey.encode(secret(data)).revealed().suffix(5)
        return alphabet.flatMap { place in
            alphabet.map { check in Array(right.prefix(3)) + [place, check] }
        }.filter { $0[3] != UInt8(ascii: "0") && $0[3] != UInt8(ascii: "G") }
    }

    @Test("nothing traps on whatever is typed")
    func mutations() {
        var generator = SeededGenerator(seed: 6)
        for kind in Self.kinds {
            for _ in 0..<2000 {
                let changed = generator.mutated(Self.text(kind))
                _ = Self.error(kind, changed)
            }
        }
    }
}
