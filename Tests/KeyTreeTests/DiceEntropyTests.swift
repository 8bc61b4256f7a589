import SecretMemory
import Testing

@testable import KeyTree

@Suite("Dice")
struct DiceEntropyTests {
    /// `printf %s 000102…1f123456123456… | sha256sum`, computed with GNU coreutils.
    private static let rolls = String(repeating: "123456", count: 17).prefix(99)

    @Test("the entropy is what sha256sum says of the 64 digits and the rolls")
    func mixing() throws {
        let rolls = try DiceEntropy.rolls(
            text: SecretBytes(text: String(Self.rolls)), wordCount: 24)
        let long = DiceEntropy.mix(kernel: .counting(), rolls: rolls, wordCount: 24)
        #expect(long.hex == "e72568e2203c5ebe5b641a6f329b9afe707eed3a2f3197d75d46493648f79965")
        let short = DiceEntropy.mix(kernel: .counting(), rolls: rolls, wordCount: 12)
        #expect(
            short.hex
                == String(
                    "e72568e2203c5ebe5b641a6f329b9afe707eed3a2f3197d75d46493648f79965".prefix(32)))
    }

    @Test("spaces and line breaks between rolls change nothing; any roll changes all")
    func rollsText() throws {
        let typed = Self.rolls.map { "\($0) \n" }.joined()
        let rolls = try DiceEntropy.rolls(text: SecretBytes(text: typed), wordCount: 24)
        #expect(rolls.text == Self.rolls)
        let other = SecretBytes(text: Self.rolls.dropLast() + "6")
        let one = DiceEntropy.mix(kernel: .counting(), rolls: rolls, wordCount: 24).hex
        let two = DiceEntropy.mix(kernel: .counting(), rolls: other, wordCount: 24).hex
        #expect(one != two)
    }

    @Test("other characters, too few rolls and too many are refused with place and number")
    func refusals() throws {
        for (text, error) in [
            ("12x456", DiceError.notARoll(position: 2)), ("1 7", .notARoll(position: 2)),
            ("0", .notARoll(position: 0)),
            (String(repeating: "1", count: 49), .tooFew(found: 49, needed: 50)),
            (String(repeating: "1", count: 1025), .tooMany(found: 1025, allowed: 1024)),
        ] {
            #expect(throws: error) {
                _ = try DiceEntropy.rolls(text: SecretBytes(text: text), wordCount: 12)
            }
        }
        #expect(throws: DiceError.tooFew(found: 98, needed: 99)) {
            let text = SecretBytes(text: String(Self.rolls.dropLast()))
            _ = try DiceEntropy.rolls(text: text, wordCount: 24)
        }
        #expect(
            DiceError.tooFew(found: 49, needed: 50).description
                == "49 rolls of the dice, 50 needed: fewer do not carry the recovery phrase by "
                + "themselves; roll on, or leave the dice out")
    }
}

extension SecretBytes {
    fileprivate static func counting() -> SecretBytes { SecretBytes(Array(0..<32)) }
}
