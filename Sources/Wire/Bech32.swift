/// Bech32 (BIP173) and Bech32m (BIP350): base 32 behind a readable prefix, with a checksum that
/// finds any four wrong characters.
public enum Bech32 {
    /// Which constant the checksum ends on.
    public enum Variant: Hashable, Sendable, CaseIterable {
        /// BIP173: segwit version 0.
        case bech32
        /// BIP350: all later versions.
        case bech32m

        var constant: UInt32 {
            switch self {
            case .bech32: 1
            case .bech32m: 0x2BC8_30A3
            }
        }
    }

    /// What a text holds.
    public struct Decoded: Hashable, Sendable {
        /// Everything before the last `1`, in lower case.
        public let prefix: String
        /// Groups of five bits, without the checksum.
        public let groups: [UInt8]
        /// Which checksum it has.
        public let variant: Variant
    }

    /// The longest text for which the checksum's promise holds.
    public static let maximumLength = 90

    static let checksumLength = 6
    static let alphabet: StaticString = "qpzry9x8gf2tvdw0s3jn54khce6mua7l"

    /// Reads a text in lower or upper case, not both.
    ///
    /// - Parameter maximumLength: 90, unless the format at hand allows more (BIP352 does).
    public static func decode(
        _ text: some StringProtocol, maximumLength: Int = maximumLength
    ) throws(Failure) -> Decoded {
        var utf8 = Array(text.utf8)
        guard utf8.count <= maximumLength else {
            throw .tooLong(found: utf8.count, allowed: maximumLength)
        }
        if let position = utf8.firstIndex(where: { !(33...126).contains($0) }) {
            throw .invalidCharacter(position: position)
        }
        try makeLowerCase(&utf8)
        guard let separator = utf8.lastIndex(of: UInt8(ascii: "1")) else {
            throw .missingSeparator
        }
        guard separator > 0 else { throw .emptyPrefix }
        var groups: [UInt8] = []
        groups.reserveCapacity(utf8.count - separator)
        for position in utf8.indices[(separator + 1)...] {
            guard let group = value(of: utf8[position]) else {
                throw .invalidCharacter(position: position)
            }
            groups.append(group)
        }
        guard groups.count >= checksumLength else { throw .checksumTooShort(found: groups.count) }
        let sum = polymod(expanded(utf8[..<separator]) + groups)
        guard let variant = Variant.allCases.first(where: { $0.constant == sum }) else {
            let places = locateErrors(sum: sum, count: groups.count)
            throw .wrongChecksum(positions: places.map { $0 + separator + 1 })
        }
        groups.removeLast(checksumLength)
        return Decoded(
            prefix: String(decoding: utf8[..<separator], as: UTF8.self), groups: groups,
            variant: variant)
    }

    /// The text of groups of five bits, in lower case.
    ///
    /// - Precondition: the prefix is ASCII without upper case, and every group is below 32.
    public static func encode(prefix: String, groups: [UInt8], variant: Variant) -> String {
        let prefix = Array(prefix.utf8)
        precondition(groups.allSatisfy { $0 < 32 } && !prefix.isEmpty)
        let padded = expanded(prefix[...]) + groups + [UInt8](repeating: 0, count: checksumLength)
        let sum = polymod(padded) ^ variant.constant
        let checksum = (0..<checksumLength).map { UInt8(sum >> (5 * (5 - $0)) & 31) }
        let data = (groups + checksum).map { alphabet.utf8Start[Int($0)] }
        return String(decoding: prefix + [UInt8(ascii: "1")] + data, as: UTF8.self)
    }

    /// Bytes as groups of five bits, the last filled up with zeros.
    public static func groups(of bytes: some Collection<UInt8>) -> [UInt8] {
        var groups: [UInt8] = []
        groups.reserveCapacity((bytes.count * 8 + 4) / 5)
        var pending: UInt32 = 0
        var bits = 0
        for byte in bytes {
            pending = (pending << 8 | UInt32(byte)) & 0xFFF
            bits += 8
            while bits >= 5 {
                bits -= 5
                groups.append(UInt8(pending >> bits & 31))
            }
        }
        if bits > 0 { groups.append(UInt8(pending << (5 - bits) & 31)) }
        return groups
    }

    /// Groups of five bits as bytes; what is left over must be fewer than five zero bits.
    public static func bytes(of groups: some Collection<UInt8>) throws(Failure) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(groups.count * 5 / 8)
        var pending: UInt32 = 0
        var bits = 0
        for group in groups {
            pending = (pending << 5 | UInt32(group)) & 0xFFF
            bits += 5
            if bits >= 8 {
                bits -= 8
                bytes.append(UInt8(pending >> bits & 0xFF))
            }
        }
        guard bits < 5, pending & (1 << bits - 1) == 0 else { throw .invalidPadding }
        return bytes
    }

    private static func makeLowerCase(_ text: inout [UInt8]) throws(Failure) {
        let upper = UInt8(ascii: "A")...UInt8(ascii: "Z")
        let lower = UInt8(ascii: "a")...UInt8(ascii: "z")
        guard let firstUpper = text.firstIndex(where: upper.contains) else { return }
        if let firstLower = text.firstIndex(where: lower.contains) {
            throw .mixedCase(position: max(firstUpper, firstLower))
        }
        for index in text.indices where upper.contains(text[index]) { text[index] += 32 }
    }

    private static func value(of character: UInt8) -> UInt8? {
        (0..<32).first { alphabet.utf8Start[Int($0)] == character }
    }

    private static func expanded(_ prefix: ArraySlice<UInt8>) -> [UInt8] {
        prefix.map { $0 >> 5 } + [0] + prefix.map { $0 & 31 }
    }

    private static func polymod(_ groups: [UInt8]) -> UInt32 {
        groups.reduce(1) { step($0, $1) }
    }

    /// Multiplies the remainder by x and adds `group`.
    static func step(_ remainder: UInt32, _ group: UInt8) -> UInt32 {
        let top = remainder >> 25
        var next = (remainder & 0x1FF_FFFF) << 5 ^ UInt32(group)
        if top & 1 != 0 { next ^= 0x3B6A_57B2 }
        if top & 2 != 0 { next ^= 0x2650_8E6D }
        if top & 4 != 0 { next ^= 0x1EA1_19FA }
        if top & 8 != 0 { next ^= 0x3D42_33DD }
        if top & 16 != 0 { next ^= 0x2A14_62B3 }
        return next
    }
}
