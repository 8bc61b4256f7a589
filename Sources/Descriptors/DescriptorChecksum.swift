/// The eight characters after `#` that guard a descriptor against typing errors (BIP380).
public enum DescriptorChecksum {
    /// How many characters a checksum has.
    public static let length = 8

    /// Characters in groups of 32: case errors and neighbouring groups cost the code the least.
    private static let inputCharset: StaticString = """
        0123456789()[],'/*abcdefgh@:$%{}\
        IJKLMNOPQRSTUVWXYZ&+-.;<=>?!^_|~\
        ijklmnopqrstuvwxyzABCDEFGH`#"\\ 
        """
    private static let checksumCharset: StaticString = "qpzry9x8gf2tvdw0s3jn54khce6mua7l"

    private static let inputValues = table(inputCharset)
    private static let checksumValues = table(checksumCharset)

    private static func table(_ charset: StaticString) -> [UInt8?] {
        var values = [UInt8?](repeating: nil, count: 256)
        for index in 0..<charset.utf8CodeUnitCount {
            values[Int(charset.utf8Start[index])] = UInt8(index)
        }
        return values
    }

    /// How many characters a descriptor may choose from.
    static let characterCount = 95

    /// The place of an allowed character in the set: three groups of 32.
    static func symbol(_ character: UInt8) -> UInt8 { inputValues[Int(character)] ?? 0 }

    /// Whether a descriptor may contain this character.
    static func isAllowed(_ character: UInt8) -> Bool { inputValues[Int(character)] != nil }

    /// The checksum of a descriptor's text, which must have none yet.
    ///
    /// Throws `.invalidCharacter` for text outside the character set.
    public static func compute(_ text: String) throws(DescriptorError) -> String {
        try compute(utf8: Array(text.utf8))
    }

    static func compute(utf8 text: [UInt8]) throws(DescriptorError) -> String {
        let remainder = try remainder(of: text)
        return String(
            decoding: (0..<length).map { index in
                checksumCharset.utf8Start[Int(remainder >> (5 * (7 - UInt64(index))) & 31)]
            }, as: UTF8.self)
    }

    private static func remainder(of text: [UInt8]) throws(DescriptorError) -> UInt64 {
        var code = try Code(feeding: text)
        for _ in 0..<length { code.feed(0) }
        return code.value ^ 1
    }

    private static func packed(_ checksum: [UInt8]) -> UInt64 {
        checksum.reduce(0) { $0 << 5 | UInt64(checksumValues[Int($1)] ?? 0) }
    }

    /// Takes the checksum off a text and verifies it.
    ///
    /// Returns the text before `#`, and whether there was a checksum. A text without one is fine
    /// here; where it must be there, ask for it.
    static func strip(_ text: [UInt8]) throws(DescriptorError) -> (body: [UInt8], verified: Bool) {
        let mark = UInt8(ascii: "#")
        guard let index = text.firstIndex(of: mark) else { return (text, false) }
        if let second = text[(index + 1)...].firstIndex(of: mark) {
            throw DescriptorError(.severalChecksums, at: second)
        }
        let found = Array(text[(index + 1)...])
        guard found.count == length else {
            throw DescriptorError(.checksumLength(found: found.count), at: index + 1)
        }
        if let bad = found.firstIndex(where: { checksumValues[Int($0)] == nil }) {
            throw DescriptorError(.checksumCharacter, at: index + 1 + bad)
        }
        let body = Array(text[..<index])
        let difference = try remainder(of: body) ^ packed(found)
        guard difference == 0 else {
            let place = mistakenChecksumCharacter(difference).map { index + 1 + $0 }
            throw DescriptorError(
                .checksumMismatch, at: place ?? mistakenCharacter(in: body, difference) ?? index + 1
            )
        }
        return (body, true)
    }

    /// The remainder of a polynomial over GF(32) modulo the generator of BIP380.
    struct Code {
        var value: UInt64

        /// What one bit of the newest symbol becomes in the remainder: the code is linear, so a
        /// difference of texts has a remainder of its own.
        init(bit: Int) { value = 1 << UInt64(bit) }

        init(value: UInt64) { self.value = value }

        init(feeding text: [UInt8]) throws(DescriptorError) {
            value = 1
            var groups: UInt64 = 0
            var groupCount = 0
            for (position, character) in text.enumerated() {
                guard let symbol = inputValues[Int(character)] else {
                    throw DescriptorError(.invalidCharacter, at: position)
                }
                feed(UInt64(symbol & 31))
                groups = groups * 3 + UInt64(symbol >> 5)
                groupCount += 1
                if groupCount == 3 {
                    feed(groups)
                    (groups, groupCount) = (0, 0)
                }
            }
            if groupCount > 0 { feed(groups) }
        }

        mutating func feed(_ symbol: UInt64) {
            let top = value >> 35
            value = (value & 0x7_FFFF_FFFF) << 5 ^ symbol
            if top & 1 != 0 { value ^= 0xF5_DEE5_1989 }
            if top & 2 != 0 { value ^= 0xA9_FDCA_3312 }
            if top & 4 != 0 { value ^= 0x1B_AB10_E32D }
            if top & 8 != 0 { value ^= 0x37_06B1_677A }
            if top & 16 != 0 { value ^= 0x64_4D62_6FFD }
        }
    }
}
