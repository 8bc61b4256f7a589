/// Base 58 in Bitcoin's alphabet, without a checksum. See `Base58Check` in Hashing for the form
/// that people copy.
///
/// The work grows with the square of the length, so the length is bounded, far above the 82 bytes and
/// 111 characters of an extended key.
public enum Base58 {
    /// The longest input, in bytes.
    public static let maximumByteCount = 256
    /// The longest text that `maximumByteCount` bytes encode to.
    public static let maximumTextLength = 350

    /// Why a text is not base 58.
    public enum Failure: Error, Hashable, Sendable {
        /// A character outside the alphabet; the position counts UTF-8 bytes from 0.
        case notADigit(position: Int)
        /// More characters, or more bytes behind them, than any value here has.
        case tooLong(found: Int, allowed: Int)
    }

    private static let alphabet: StaticString =
        "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"

    /// The text of `bytes`.
    ///
    /// - Precondition: at most `maximumByteCount` bytes.
    public static func encode(_ bytes: [UInt8]) -> String {
        String(unsafeUninitializedCapacity: maximumTextLength) { text in
            bytes.withUnsafeBytes { encode($0, into: UnsafeMutableRawBufferPointer(text)) }
        }
    }

    /// Writes the text of `bytes` to the start of `text` as ASCII and returns its length. Nothing
    /// else is written anywhere, so that the caller can wipe what must not stay.
    ///
    /// - Precondition: at most `maximumByteCount` bytes, and room for `maximumTextLength`.
    public static func encode(
        _ bytes: UnsafeRawBufferPointer, into text: UnsafeMutableRawBufferPointer
    ) -> Int {
        precondition(bytes.count <= maximumByteCount && text.count >= maximumTextLength)
        let zeros = bytes.prefix { $0 == 0 }.count
        var length = 0
        for byte in bytes {
            // text[..<length] holds the digits so far, the least significant first.
            var carry = UInt32(byte)
            for index in 0..<length {
                carry += UInt32(text[index]) << 8
                text[index] = UInt8(carry % 58)
                carry /= 58
            }
            while carry > 0 {
                text[length] = UInt8(carry % 58)
                carry /= 58
                length += 1
            }
        }
        for index in length..<length + zeros { text[index] = 0 }
        length += zeros
        var digits = text[..<length]
        digits.reverse()
        for index in 0..<length { text[index] = alphabet.utf8Start[Int(text[index])] }
        return length
    }

    /// The bytes of `text`.
    public static func decode(_ text: some StringProtocol) throws(Failure) -> [UInt8] {
        let utf8 = Array(text.utf8)
        var bytes = [UInt8](repeating: 0, count: maximumByteCount)
        let count = try bytes.withUnsafeMutableBytes { bytes in
            utf8.withUnsafeBytes { text in
                Result { () throws(Failure) in try decode(text, into: bytes) }
            }
        }.get()
        bytes.removeSubrange(count...)
        return bytes
    }

    /// Writes the bytes of an ASCII `text` to the start of `bytes` and returns their number.
    ///
    /// - Precondition: room for `maximumByteCount`.
    public static func decode(
        _ text: UnsafeRawBufferPointer, into bytes: UnsafeMutableRawBufferPointer
    ) throws(Failure) -> Int {
        precondition(bytes.count >= maximumByteCount)
        guard text.count <= maximumTextLength else {
            throw .tooLong(found: text.count, allowed: maximumTextLength)
        }
        var length = 0
        for (position, character) in text.enumerated() {
            guard let digit = value(of: character) else { throw .notADigit(position: position) }
            // bytes[..<length] holds the number so far, the least significant byte first.
            var carry = UInt32(digit)
            for index in 0..<length {
                carry += UInt32(bytes[index]) * 58
                bytes[index] = UInt8(truncatingIfNeeded: carry)
                carry >>= 8
            }
            if carry > 0 {
                guard length < maximumByteCount else {
                    throw .tooLong(found: length + 1, allowed: maximumByteCount)
                }
                bytes[length] = UInt8(carry)
                length += 1
            }
        }
        let zeros = text.prefix { $0 == UInt8(ascii: "1") }.count
        guard length + zeros <= maximumByteCount else {
            throw .tooLong(found: length + zeros, allowed: maximumByteCount)
        }
        for index in length..<length + zeros { bytes[index] = 0 }
        length += zeros
        var number = bytes[..<length]
        number.reverse()
        return length
    }

    private static func value(of character: UInt8) -> UInt8? {
        switch character {
        case UInt8(ascii: "1")...UInt8(ascii: "9"): character - UInt8(ascii: "1")
        case UInt8(ascii: "A")...UInt8(ascii: "H"): character - UInt8(ascii: "A") + 9
        case UInt8(ascii: "J")...UInt8(ascii: "N"): character - UInt8(ascii: "J") + 17
        case UInt8(ascii: "P")...UInt8(ascii: "Z"): character - UInt8(ascii: "P") + 22
        case UInt8(ascii: "a")...UInt8(ascii: "k"): character - UInt8(ascii: "a") + 33
        case UInt8(ascii: "m")...UInt8(ascii: "z"): character - UInt8(ascii: "m") + 44
        default: nil
        }
    }
}

extension Base58.Failure: CustomStringConvertible {
    /// One sentence: what and where.
    public var description: String {
        switch self {
        case .notADigit(let position):
            "character \(position + 1) is not used in base58 (0, O, I and l are left out)"
        case .tooLong(let found, let allowed): "base58 of \(found), at most \(allowed) allowed"
        }
    }
}
