import Hashing
public import SecretMemory
import Wire

/// A BIP39 recovery phrase in English, whose checksum holds.
public struct Mnemonic: ~Copyable {
    /// The words in lower case with one space between them, as the seed is made from.
    private let sentence: SecretBytes
    /// 12, 15, 18, 21 or 24.
    public let wordCount: Int

    /// What a phrase may have.
    public static let wordCounts = [12, 15, 18, 21, 24]
    /// What is read at most: 24 words of eight letters, and ample space between them.
    public static let maximumTextLength = 1024

    private static let bitsPerWord = 11
    static let longest = 24
    /// The bytes that the entropy and the checksum of the longest phrase fill.
    private static let bitsLength = longest * bitsPerWord / 8

    /// The bytes of entropy behind so many words.
    public static func entropyCount(wordCount: Int) -> Int { wordCount / 3 * 4 }

    /// The phrase of 16, 20, 24, 28 or 32 bytes of entropy.
    ///
    /// - Throws: `entropyLength`.
    public init(entropy: borrowing SecretBytes) throws(MnemonicError) {
        let wordCount = entropy.count / 4 * 3
        guard entropy.count % 4 == 0, Mnemonic.wordCounts.contains(wordCount) else {
            throw .entropyLength(found: entropy.count, allowed: [16, 20, 24, 28, 32])
        }
        self.wordCount = wordCount
        let bits = Mnemonic.withChecksum(entropy)
        sentence = SecretBytes(capacity: wordCount * 9) { text in
            var length = 0
            for word in 0..<wordCount {
                let index = bits.withUnsafeBytes { Mnemonic.index(ofWord: word, in: $0) }
                if word > 0 {
                    text[length] = UInt8(ascii: " ")
                    length += 1
                }
                for letter in EnglishWords.utf8(at: index) {
                    text[length] = letter
                    length += 1
                }
            }
            return length
        }
    }

    /// A phrase of fresh entropy.
    ///
    /// - Throws: `wordCount`.
    public static func random(wordCount: Int) throws(MnemonicError) -> Mnemonic {
        guard wordCounts.contains(wordCount) else {
            throw .wordCount(found: wordCount, allowed: wordCounts)
        }
        return try Mnemonic(entropy: SecretBytes.random(count: entropyCount(wordCount: wordCount)))
    }

    // DECLASSIFY: an error says how many words there are and which places hold words that are not
    // in the list, so that they can be typed again; and whether the checksum holds.
    /// Reads ASCII text: words of either case, with any spaces and line breaks around them.
    ///
    /// - Throws: `textTooLong`, `unknownWords` with all places, `wordCount`, `wrongChecksum`.
    public init(text: borrowing SecretBytes) throws(MnemonicError) {
        guard text.count <= Mnemonic.maximumTextLength else {
            throw .textTooLong(found: text.count, allowed: Mnemonic.maximumTextLength)
        }
        let words = SecretBytes(count: text.count) { words in
            text.withUnsafeBytes { text in
                for index in text.indices { words[index] = EnglishWords.lowerCased(text[index]) }
            }
        }
        var count = 0
        var unknown: [Int] = []
        let bits = try SecretBytes(count: Mnemonic.bitsLength) { bits throws(MnemonicError) in
            words.withUnsafeBytes { words in
                for word in words.split(whereSeparator: Mnemonic.isSpace) {
                    count += 1
                    let index = EnglishWords.index(of: UnsafeRawBufferPointer(rebasing: word))
                    guard let index else {
                        unknown.append(count)
                        continue
                    }
                    if count <= Mnemonic.longest {
                        Mnemonic.setIndex(index, ofWord: count - 1, in: bits)
                    }
                }
            }
            guard unknown.isEmpty else { throw .unknownWords(places: unknown) }
            guard Mnemonic.wordCounts.contains(count) else {
                throw .wordCount(found: count, allowed: Mnemonic.wordCounts)
            }
        }
        try self.init(bits: bits, wordCount: count)
    }

    /// Checks the checksum behind the entropy.
    private init(bits: borrowing SecretBytes, wordCount: Int) throws(MnemonicError) {
        let count = Mnemonic.entropyCount(wordCount: wordCount)
        let entropy = bits.slice(0..<count)
        guard Mnemonic.withChecksum(entropy).isEqual(to: bits.slice(0..<count + 1)) else {
            throw .wrongChecksum
        }
        try self.init(entropy: entropy)
    }

    // DECLASSIFY: for the person who writes the phrase down; the bytes must not leave `body`.
    /// Gives the words in lower case with one space between them, as ASCII.
    public borrowing func withText<Result: ~Copyable, Failure>(
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try sentence.withUnsafeBytes(body)
    }

    /// The entropy behind the words.
    public borrowing func entropy() -> SecretBytes {
        let count = Mnemonic.entropyCount(wordCount: wordCount)
        let bits = SecretBytes(count: Mnemonic.bitsLength) { bits in
            sentence.withUnsafeBytes { sentence in
                for (number, word) in sentence.split(separator: UInt8(ascii: " ")).enumerated() {
                    let index = EnglishWords.index(of: UnsafeRawBufferPointer(rebasing: word))
                    Mnemonic.setIndex(index ?? 0, ofWord: number, in: bits)
                }
            }
        }
        return bits.slice(0..<count)
    }

    /// The BIP39 seed, 64 bytes: PBKDF2-HMAC-SHA512 of the phrase over 2048 rounds, with the
    /// passphrase, UTF-8 in any normal form, brought to NFKD. No passphrase is an empty one.
    public borrowing func seed(
        passphrase: borrowing SecretBytes
    ) throws(NFKDError) -> SecretBytes {
        let passphrase = try NFKD.normalise(passphrase)
        let prefix: StaticString = "mnemonic"
        let salt = SecretBytes(count: prefix.utf8CodeUnitCount + passphrase.count) { salt in
            salt.copyMemory(
                from: UnsafeRawBufferPointer(
                    start: prefix.utf8Start, count: prefix.utf8CodeUnitCount))
            passphrase.withUnsafeBytes {
                UnsafeMutableRawBufferPointer(rebasing: salt[prefix.utf8CodeUnitCount...])
                    .copyMemory(from: $0)
            }
        }
        var mac = SecretValue(HMACSHA512())
        return SecretBytes(count: 64) { seed in
            mac.withValue { mac in
                sentence.withUnsafeBytes { mac.setKey($0) }
                salt.withUnsafeBytes { mac.stretch(salt: $0, iterations: 2048, into: seed) }
            }
        }
    }
}

extension Mnemonic {
    /// The entropy and one byte more, of which the first bits are those of the SHA-256 of it: one
    /// for each 32 of entropy.
    private static func withChecksum(_ entropy: borrowing SecretBytes) -> SecretBytes {
        let count = entropy.count
        return entropy.withUnsafeBytes { entropy in
            let digest = SecretBytes.sha256(entropy)
            return SecretBytes(count: count + 1) { bits in
                bits.copyMemory(from: entropy)
                let mask = UInt8(truncatingIfNeeded: 0xFF00 >> (count / 4))
                bits[count] = digest.withUnsafeBytes { $0[0] } & mask
            }
        }
    }

    private static func index(ofWord word: Int, in bits: UnsafeRawBufferPointer) -> Int {
        (word * bitsPerWord..<(word + 1) * bitsPerWord).reduce(0) { index, bit in
            index << 1 | Int(bits[bit / 8] >> UInt8(7 - bit % 8) & 1)
        }
    }

    private static func setIndex(
        _ index: Int, ofWord word: Int, in bits: UnsafeMutableRawBufferPointer
    ) {
        for offset in 0..<bitsPerWord {
            let bit = word * bitsPerWord + offset
            let value = UInt8(truncatingIfNeeded: index >> (bitsPerWord - 1 - offset) & 1)
            bits[bit / 8] |= value << UInt8(7 - bit % 8)
        }
    }

    static func isSpace(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: " ") || (0x09...0x0D).contains(byte)
    }
}

/// What is wrong with a recovery phrase. It holds places and counts, never words.
public enum MnemonicError: Error, Hashable, Sendable {
    /// Entropy of a length that BIP39 has no phrase for.
    case entropyLength(found: Int, allowed: [Int])
    /// More text than any phrase has.
    case textTooLong(found: Int, allowed: Int)
    /// Words that are not in the list; the first word has place 1.
    case unknownWords(places: [Int])
    /// A number of words that BIP39 does not have.
    case wordCount(found: Int, allowed: [Int])
    /// All words are known but do not belong together.
    case wrongChecksum
}

extension MnemonicError: CustomStringConvertible {
    /// One sentence: what, where, and what to do.
    public var description: String {
        switch self {
        case .entropyLength(let found, let allowed):
            "\(found) bytes of entropy, \(MnemonicError.choice(allowed)) needed"
        case .textTooLong(let found, let allowed):
            "recovery phrase of \(found) characters, at most \(allowed) allowed"
        case .unknownWords(let places):
            places.count == 1
                ? "word \(places[0]) is not in the list of recovery words: check its spelling"
                : "words \(places.map(String.init).joined(separator: ", ")) are not in the list of "
                    + "recovery words: check their spelling"
        case .wordCount(let found, let allowed):
            "recovery phrase of \(counted(found, "word")), \(MnemonicError.choice(allowed)) needed"
        case .wrongChecksum:
            "the checksum of the recovery phrase does not match: all words exist, but one is another "
                + "word of the list or they stand in another order"
        }
    }

    private static func choice(_ numbers: [Int]) -> String {
        let rest = numbers.dropLast().map(String.init).joined(separator: ", ")
        return numbers.last.map { "\(rest) or \($0)" } ?? ""
    }
}
