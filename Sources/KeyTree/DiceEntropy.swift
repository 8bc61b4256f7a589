public import SecretMemory
import Wire

/// Entropy of a recovery phrase from the kernel's random bytes and a person's dice.
///
/// The result is SHA-256 of an ASCII text: 64 lower-case hexadecimal digits of the kernel's 32
/// bytes, and behind them the rolls, one digit each. Whoever is shown the 64 digits recomputes it with
/// `printf %s DIGITSROLLS | sha256sum`; 12 words take the first 16 bytes of it, 24 words all 32. It
/// is as hard to guess as the harder of its two parts.
public enum DiceEntropy {
    /// Bytes taken from the kernel.
    public static let kernelByteCount = 32
    /// More than anybody rolls.
    public static let maximumRolls = 1024

    /// The rolls that carry so many words by themselves, at 2.585 bits a roll: 50 for 12 words, 99
    /// for 24.
    public static func neededRolls(wordCount: Int) -> Int {
        let bits = Mnemonic.entropyCount(wordCount: wordCount) * 8
        return (bits * 1000 + 1292) / 2585
    }

    /// Digits 1 to 6, with any spaces and line breaks between them, as the digits alone.
    ///
    /// - Throws: `notARoll`, `tooFew`, `tooMany`.
    public static func rolls(
        text: borrowing SecretBytes, wordCount: Int
    ) throws(DiceError) -> SecretBytes {
        let rolls = try SecretBytes(capacity: text.count) { out throws(DiceError) in
            try text.withUnsafeBytes { text throws(DiceError) in
                var count = 0
                for (place, byte) in text.enumerated() where !Mnemonic.isSpace(byte) {
                    guard (UInt8(ascii: "1")...UInt8(ascii: "6")).contains(byte) else {
                        throw .notARoll(position: place)
                    }
                    out[count] = byte
                    count += 1
                }
                return count
            }
        }
        let needed = neededRolls(wordCount: wordCount)
        guard rolls.count >= needed else { throw .tooFew(found: rolls.count, needed: needed) }
        guard rolls.count <= maximumRolls else {
            throw .tooMany(found: rolls.count, allowed: maximumRolls)
        }
        return rolls
    }

    /// The entropy of so many words.
    ///
    /// - Precondition: 32 bytes from the kernel, and a number of words that BIP39 has.
    public static func mix(
        kernel: borrowing SecretBytes, rolls: borrowing SecretBytes, wordCount: Int
    ) -> SecretBytes {
        precondition(kernel.count == kernelByteCount && Mnemonic.wordCounts.contains(wordCount))
        let digits = hexDigits(kernel)
        let text = SecretBytes(count: digits.count + rolls.count) { text in
            digits.withUnsafeBytes { text.copyMemory(from: $0) }
            rolls.withUnsafeBytes {
                UnsafeMutableRawBufferPointer(rebasing: text[digits.count...]).copyMemory(from: $0)
            }
        }
        return text.withUnsafeBytes { SecretBytes.sha256($0) }
            .slice(0..<Mnemonic.entropyCount(wordCount: wordCount))
    }

    /// The bytes as lower-case hexadecimal digits in ASCII, as a person is shown them.
    public static func hexDigits(_ bytes: borrowing SecretBytes) -> SecretBytes {
        SecretBytes(count: 2 * bytes.count) { text in
            bytes.withUnsafeBytes { bytes in
                for (place, byte) in bytes.enumerated() {
                    text[2 * place] = digit(byte >> 4)
                    text[2 * place + 1] = digit(byte & 15)
                }
            }
        }
    }

    /// Without a table that a secret would be an index into.
    private static func digit(_ nibble: UInt8) -> UInt8 {
        nibble + (nibble < 10 ? UInt8(ascii: "0") : UInt8(ascii: "a") - 10)
    }
}

/// What is wrong with rolls of dice. It holds places and counts, never rolls.
public enum DiceError: Error, Hashable, Sendable {
    /// Something other than a digit from 1 to 6; counts bytes of the text from 0.
    case notARoll(position: Int)
    /// Fewer rolls than carry the phrase by themselves.
    case tooFew(found: Int, needed: Int)
    /// More rolls than are read.
    case tooMany(found: Int, allowed: Int)
}

extension DiceError: CustomStringConvertible {
    /// One sentence: what, where, and what to do.
    public var description: String {
        switch self {
        case .notARoll(let position):
            "character \(position + 1) of the rolls is no digit from 1 to 6"
        case .tooFew(let found, let needed):
            "\(counted(found, "roll")) of the dice, \(needed) needed: fewer do not carry the recovery phrase by "
                + "themselves; roll on, or leave the dice out"
        case .tooMany(let found, let allowed):
            "\(found) rolls of the dice, at most \(allowed) allowed"
        }
    }
}
