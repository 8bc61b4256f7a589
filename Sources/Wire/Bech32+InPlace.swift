extension Bech32 {
    /// Writes the ASCII text of `bytes` to the start of `text` and returns its length. Nothing is
    /// written anywhere else, so that the caller can wipe what must not stay.
    ///
    /// - Precondition: the prefix is ASCII without upper case; `text` has room for it and 7
    ///   characters more than five bits each make of `bytes`.
    public static func encode(
        prefix: StaticString, bytes: UnsafeRawBufferPointer, variant: Variant,
        into text: UnsafeMutableRawBufferPointer
    ) -> Int {
        let prefix = UnsafeBufferPointer(start: prefix.utf8Start, count: prefix.utf8CodeUnitCount)
        precondition(text.count >= prefix.count + 1 + (bytes.count * 8 + 4) / 5 + checksumLength)
        var remainder: UInt32 = 1
        for character in prefix { remainder = step(remainder, character >> 5) }
        remainder = step(remainder, 0)
        for character in prefix { remainder = step(remainder, character & 31) }
        var length = 0
        func append(_ character: UInt8) {
            text[length] = character
            length += 1
        }
        for character in prefix { append(character) }
        append(UInt8(ascii: "1"))
        for start in stride(from: 0, to: bytes.count * 8, by: 5) {
            var group: UInt8 = 0
            for bit in start..<start + 5 {
                // The last group is filled up with zeros.
                let byte = bit / 8 < bytes.count ? bytes[bit / 8] : 0
                group = group << 1 | byte >> UInt8(7 - bit % 8) & 1
            }
            remainder = step(remainder, group)
            append(alphabet.utf8Start[Int(group)])
        }
        for _ in 0..<checksumLength { remainder = step(remainder, 0) }
        let sum = remainder ^ variant.constant
        for index in 0..<checksumLength {
            append(alphabet.utf8Start[Int(sum >> UInt32(5 * (5 - index)) & 31)])
        }
        return length
    }
}
