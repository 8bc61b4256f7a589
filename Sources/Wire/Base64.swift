/// Base 64 (RFC 4648, section 4) read strictly: the standard alphabet, padding to a multiple of
/// four characters, no line breaks, and no bits set that encode nothing.
public enum Base64 {
    /// Why a text is not base 64. Positions count UTF-8 bytes from 0.
    public enum Failure: Error, Hashable, Sendable {
        /// A character outside the alphabet, or padding before the end.
        case notADigit(position: Int)
        /// Not a multiple of four characters.
        case wrongLength(Int)
        /// The last digit before the padding sets bits that no byte takes.
        case nonCanonical(position: Int)
    }

    private static let alphabet: StaticString =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
    private static let padding = UInt8(ascii: "=")
    private static let invalid: UInt8 = 0xFF

    /// What each character stands for; `invalid` for the others.
    private static let values: [UInt8] = {
        var values = [UInt8](repeating: invalid, count: 256)
        for digit in 0..<64 { values[Int(alphabet.utf8Start[digit])] = UInt8(digit) }
        return values
    }()

    /// Four characters for three bytes, padded.
    public static func encode(_ bytes: [UInt8]) -> String {
        let length = (bytes.count + 2) / 3 * 4
        return String(unsafeUninitializedCapacity: length) { text in
            let digits = alphabet.utf8Start
            var out = 0
            for start in stride(from: 0, to: bytes.count, by: 3) {
                let left = bytes.count - start
                let group =
                    UInt32(bytes[start]) << 16
                    | (left > 1 ? UInt32(bytes[start + 1]) << 8 : 0)
                    | (left > 2 ? UInt32(bytes[start + 2]) : 0)
                text[out] = digits[Int(group >> 18)]
                text[out + 1] = digits[Int(group >> 12 & 63)]
                text[out + 2] = left > 1 ? digits[Int(group >> 6 & 63)] : padding
                text[out + 3] = left > 2 ? digits[Int(group & 63)] : padding
                out += 4
            }
            return length
        }
    }

    /// The bytes of `text`.
    public static func decode(_ text: some StringProtocol) throws(Failure) -> [UInt8] {
        try decode(utf8: Array(text.utf8))
    }

    /// The bytes of an ASCII `text`.
    public static func decode(utf8 text: [UInt8]) throws(Failure) -> [UInt8] {
        guard text.count % 4 == 0 else { throw .wrongLength(text.count) }
        let padded = text.suffix(2).reversed().prefix { $0 == padding }.count
        let digits = text.count - padded
        let count = text.count / 4 * 3 - padded
        var firstBad: Int?
        let bytes = [UInt8](unsafeUninitializedCapacity: count) { out, initialized in
            firstBad = decode(text, digits: digits, into: out)
            initialized = firstBad == nil ? count : 0
        }
        if let firstBad { throw .notADigit(position: firstBad) }
        if padded > 0, values[Int(text[digits - 1])] & (padded == 1 ? 0b11 : 0b1111) != 0 {
            throw .nonCanonical(position: digits - 1)
        }
        return bytes
    }

    /// Decodes the first `digits` characters; returns the position of the first that is no digit.
    private static func decode(
        _ text: [UInt8], digits: Int, into out: UnsafeMutableBufferPointer<UInt8>
    ) -> Int? {
        var group: UInt32 = 0
        var next = 0
        for position in 0..<digits {
            let value = values[Int(text[position])]
            guard value != invalid else { return position }
            group = group << 6 | UInt32(value)
            guard position % 4 == 3 else { continue }
            out[next] = UInt8(truncatingIfNeeded: group >> 16)
            out[next + 1] = UInt8(truncatingIfNeeded: group >> 8)
            out[next + 2] = UInt8(truncatingIfNeeded: group)
            next += 3
        }
        switch digits % 4 {
        case 2: out[next] = UInt8(truncatingIfNeeded: group >> 4)
        case 3:
            out[next] = UInt8(truncatingIfNeeded: group >> 10)
            out[next + 1] = UInt8(truncatingIfNeeded: group >> 2)
        default: break
        }
        return nil
    }
}

extension Base64.Failure: CustomStringConvertible {
    /// One sentence: what and where.
    public var description: String {
        switch self {
        case .notADigit(let position): "character \(position + 1) is not used in base64 there"
        case .wrongLength(let count): "\(count) base64 characters, a multiple of 4 is needed"
        case .nonCanonical(let position):
            "base64 character \(position + 1) carries bits that belong to no byte"
        }
    }
}
