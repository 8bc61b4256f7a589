/// Base 16 (RFC 4648, section 8); written in lower case, read in either.
public enum Hex {
    /// Why a text is not hexadecimal.
    public enum Failure: Error, Hashable, Sendable {
        /// A character that is no digit; the position counts UTF-8 bytes from 0.
        case notADigit(position: Int)
        /// An odd number of digits.
        case oddLength(Int)
    }

    /// Two lower-case digits a byte.
    public static func encode(_ bytes: some Sequence<UInt8>) -> String {
        let digits: StaticString = "0123456789abcdef"
        var text: [UInt8] = []
        text.reserveCapacity(bytes.underestimatedCount * 2)
        for byte in bytes {
            text.append(digits.utf8Start[Int(byte >> 4)])
            text.append(digits.utf8Start[Int(byte & 15)])
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// The bytes that pairs of digits stand for; nothing else may be in the text.
    public static func decode(_ text: some StringProtocol) throws(Failure) -> [UInt8] {
        try decode(utf8: Array(text.utf8))
    }

    /// The bytes that pairs of ASCII digits stand for; nothing else may be in the text.
    public static func decode(utf8 text: [UInt8]) throws(Failure) -> [UInt8] {
        guard text.count % 2 == 0 else { throw .oddLength(text.count) }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.count / 2)
        for index in stride(from: 0, to: text.count, by: 2) {
            guard let high = value(text[index]) else { throw .notADigit(position: index) }
            guard let low = value(text[index + 1]) else { throw .notADigit(position: index + 1) }
            bytes.append(high << 4 | low)
        }
        return bytes
    }

    private static func value(_ digit: UInt8) -> UInt8? {
        switch digit {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}

extension Hex.Failure: CustomStringConvertible {
    /// One sentence: what and where.
    public var description: String {
        switch self {
        case .notADigit(let position): "character \(position + 1) is no hexadecimal digit"
        case .oddLength(let count): "\(count) hexadecimal digits, an even number is needed"
        }
    }
}
