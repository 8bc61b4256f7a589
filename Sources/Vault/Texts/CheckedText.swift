import SecretMemory

/// Secret bits as a person copies them from paper: Crockford's base 32 in groups of four characters,
/// each followed by a check character that depends on the group's place and on what the text is.
///
/// A check character finds every single wrong character of its group and every two that changed
/// places, so that a slip is named by its group; groups that changed places are found too.
struct CheckedText {
    let kind: TypedSecret
    /// The bytes that the text stands for.
    let byteCount: Int
    /// The number of the first group in the check: no group of one kind is right as one of another.
    private let firstNumber: UInt8

    static let recoveryCode = CheckedText(kind: .recoveryCode, byteCount: 20, firstNumber: 1)
    static let secretKey = CheckedText(kind: .secretKey, byteCount: 32, firstNumber: 9)

    private static let alphabet: StaticString = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
    private static let groupCount = 4
    private static let separator = UInt8(ascii: "-")
    /// What is read at most: ample space between the characters.
    private static let maximumTextCount = 512

    /// Groups of four data characters.
    private var groups: Int { (byteCount * 8 + 19) / 20 }
    /// Characters without what separates the groups.
    private var characterCount: Int { groups * (CheckedText.groupCount + 1) }

    /// ASCII: the groups with their check characters, hyphens between them.
    func encode(_ bytes: borrowing SecretBytes) -> SecretBytes {
        precondition(bytes.count == byteCount)
        return SecretBytes(count: characterCount + groups - 1) { text in
            bytes.withUnsafeBytes { bytes in
                var end = 0
                for group in 0..<groups {
                    if group > 0 {
                        text[end] = CheckedText.separator
                        end += 1
                    }
                    var check = firstNumber + UInt8(group)
                    for place in 0..<CheckedText.groupCount {
                        let value = CheckedText.value(
                            at: group * CheckedText.groupCount + place, in: bytes)
                        check ^= CheckedText.weighted(value, place: place)
                        text[end] = CheckedText.character(value)
                        end += 1
                    }
                    text[end] = CheckedText.character(check)
                    end += 1
                }
            }
        }
    }

    // DECLASSIFY: an error says at which places a slip is, so that they can be typed again.
    /// Reads a text: letters of either case, O for 0, I and L for 1, and any hyphens and spaces.
    ///
    /// - Throws: `tooLong`, `unknownCharacters`, `wrongCount`, `slips` with all groups that do not
    ///   match their check character.
    func decode(_ text: borrowing SecretBytes) throws(CheckedTextError) -> SecretBytes {
        guard text.count <= CheckedText.maximumTextCount else {
            throw .tooLong(kind, found: text.count, allowed: CheckedText.maximumTextCount)
        }
        let values = try text.withUnsafeBytes { text throws(CheckedTextError) in
            try self.values(text)
        }
        let slips = values.withUnsafeBytes { values in
            (0..<groups).filter { !isRight(group: $0, values) }
        }
        guard slips.isEmpty else { throw .slips(kind, groups: slips.map { $0 + 1 }) }
        var isFilledWithZeros = true
        let bytes = SecretBytes(count: byteCount) { bytes in
            values.withUnsafeBytes { values in
                var bits: UInt32 = 0
                var bitCount = 0
                var end = 0
                for group in 0..<groups {
                    for place in 0..<CheckedText.groupCount {
                        bits = bits << 5 | UInt32(values[group * 5 + place])
                        bitCount += 5
                        guard bitCount >= 8, end < byteCount else { continue }
                        bitCount -= 8
                        bytes[end] = UInt8(truncatingIfNeeded: bits >> UInt32(bitCount))
                        end += 1
                    }
                }
                isFilledWithZeros = bits & (1 << UInt32(bitCount) - 1) == 0
            }
        }
        guard isFilledWithZeros else { throw .slips(kind, groups: [groups]) }
        return bytes
    }

    /// The values of all characters, check characters among them.
    private func values(
        _ text: UnsafeRawBufferPointer
    ) throws(CheckedTextError) -> SecretBytes {
        var unknown: [Int] = []
        var found = 0
        let values = SecretBytes(count: characterCount) { values in
            for byte in text where !CheckedText.isSeparator(byte) {
                let value = CheckedText.value(of: byte)
                if value == nil { unknown.append(found + 1) }
                if found < characterCount { values[found] = value ?? 0 }
                found += 1
            }
        }
        guard unknown.isEmpty else { throw .unknownCharacters(kind, places: unknown) }
        guard found == characterCount else {
            throw .wrongCount(
                kind, found: found, needed: characterCount, groups: wrongGroups(text))
        }
        return values
    }

    /// The groups that have not five characters, where as many groups were typed as there are.
    private func wrongGroups(_ text: UnsafeRawBufferPointer) -> [Int] {
        let typed = text.split(whereSeparator: CheckedText.isSeparator)
        guard typed.count == groups else { return [] }
        return typed.indices.filter { typed[$0].count != CheckedText.groupCount + 1 }.map { $0 + 1 }
    }

    private func isRight(group: Int, _ values: UnsafeRawBufferPointer) -> Bool {
        var check = firstNumber + UInt8(group)
        for place in 0..<CheckedText.groupCount {
            check ^= CheckedText.weighted(values[group * 5 + place], place: place)
        }
        return check == values[group * 5 + CheckedText.groupCount]
    }

    // MARK: Arithmetic

    /// Five bits of `bytes`, the first ones of the first byte at place 0; zero bits behind the last.
    private static func value(at place: Int, in bytes: UnsafeRawBufferPointer) -> UInt8 {
        var value: UInt8 = 0
        for bit in place * 5..<place * 5 + 5 {
            let isSet = bit / 8 < bytes.count ? bytes[bit / 8] >> UInt8(7 - bit % 8) & 1 : 0
            value = value << 1 | isSet
        }
        return value
    }

    /// `value` times x to the power of `place` + 1 in GF(32) with x^5 + x^2 + 1.
    private static func weighted(_ value: UInt8, place: Int) -> UInt8 {
        (0...place).reduce(value) { product, _ in
            let doubled = product << 1
            return doubled ^ 0b10_0101 &* (doubled >> 5)
        }
    }

    /// Looks at the whole alphabet: a secret is no index.
    private static func character(_ value: UInt8) -> UInt8 {
        (0..<UInt8(32)).reduce(0) { found, index in
            found | alphabet.utf8Start[Int(index)] &* (index == value ? 1 : 0)
        }
    }

    private static func value(of byte: UInt8) -> UInt8? {
        let upper = (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) ? byte & ~0x20 : byte
        let character =
            switch upper {
            case UInt8(ascii: "O"): UInt8(ascii: "0")
            case UInt8(ascii: "I"), UInt8(ascii: "L"): UInt8(ascii: "1")
            default: upper
            }
        let place = (0..<UInt8(32)).reduce(UInt8(0)) { found, index in
            found | (index + 1) &* (alphabet.utf8Start[Int(index)] == character ? 1 : 0)
        }
        return place == 0 ? nil : place - 1
    }

    private static func isSeparator(_ byte: UInt8) -> Bool {
        byte == separator || byte == UInt8(ascii: " ") || (0x09...0x0D).contains(byte)
    }
}
