/// Base 32 (RFC 4648, section 6) without padding, as names of Tor and I2P have it; written in lower
/// case, read in either.
public enum Base32 {
    private static let alphabet: StaticString = "abcdefghijklmnopqrstuvwxyz234567"

    /// Eight digits for five bytes, fewer for the rest.
    public static func encode(_ bytes: some Sequence<UInt8>) -> String {
        var text: [UInt8] = []
        text.reserveCapacity(bytes.underestimatedCount * 8 / 5 + 1)
        var pending: UInt32 = 0
        var bits: UInt32 = 0
        for byte in bytes {
            pending = pending << 8 | UInt32(byte)
            bits += 8
            while bits >= 5 {
                bits -= 5
                text.append(alphabet.utf8Start[Int(pending >> bits & 31)])
            }
            pending &= (1 << bits) - 1
        }
        if bits > 0 { text.append(alphabet.utf8Start[Int(pending << (5 - bits) & 31)]) }
        return String(decoding: text, as: UTF8.self)
    }

    /// The bytes of a text; nil for other characters, a length that no bytes have, and bits behind the
    /// last byte that are not zero.
    public static func decode(_ text: some StringProtocol) -> [UInt8]? {
        var bytes: [UInt8] = []
        var pending: UInt32 = 0
        var bits: UInt32 = 0
        var count = 0
        for character in text.utf8 {
            guard let value = value(character) else { return nil }
            pending = pending << 5 | value
            bits += 5
            count += 1
            if bits >= 8 {
                bits -= 8
                bytes.append(UInt8(truncatingIfNeeded: pending >> bits))
                pending &= (1 << bits) - 1
            }
        }
        guard ![1, 3, 6].contains(count % 8), pending == 0 else { return nil }
        return bytes
    }

    private static func value(_ digit: UInt8) -> UInt32? {
        switch digit {
        case UInt8(ascii: "a")...UInt8(ascii: "z"): UInt32(digit - UInt8(ascii: "a"))
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): UInt32(digit - UInt8(ascii: "A"))
        case UInt8(ascii: "2")...UInt8(ascii: "7"): UInt32(digit - UInt8(ascii: "2")) + 26
        default: nil
        }
    }
}
