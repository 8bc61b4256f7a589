extension Bech32 {
    /// Why a text is not Bech32 or Bech32m. Positions count UTF-8 bytes from 0.
    public enum Failure: Error, Hashable, Sendable {
        /// Longer than the format allows.
        case tooLong(found: Int, allowed: Int)
        /// A character that is not printable ASCII or, behind the separator, not in the alphabet.
        case invalidCharacter(position: Int)
        /// Upper and lower case; the position is that of the first change.
        case mixedCase(position: Int)
        /// No `1` between prefix and data.
        case missingSeparator
        /// Nothing before the `1`.
        case emptyPrefix
        /// Fewer than six characters behind the separator.
        case checksumTooShort(found: Int)
        /// A typing error; where one or two wrong characters explain it, their positions.
        case wrongChecksum(positions: [Int])
        /// The groups do not end with a whole byte and fewer than five zero bits.
        case invalidPadding
    }
}

extension Bech32.Failure: CustomStringConvertible {
    /// One sentence: what and where.
    public var description: String {
        switch self {
        case .tooLong(let found, let allowed): "\(found) characters, at most \(allowed) allowed"
        case .invalidCharacter(let position):
            "character \(position + 1) cannot be here (1, b, i and o are left out)"
        case .mixedCase(let position):
            "upper and lower case are mixed from character \(position + 1) on"
        case .missingSeparator: "there is no 1 between the prefix and the rest"
        case .emptyPrefix: "there is no prefix before the 1"
        case .checksumTooShort(let found):
            "\(counted(found, "character")) behind the 1, too short to hold a checksum of 6"
        case .wrongChecksum(let positions):
            switch positions.count {
            case 1: "the checksum does not match: character \(positions[0] + 1) is probably wrong"
            case 2:
                "the checksum does not match: characters \(positions[0] + 1) and "
                    + "\(positions[1] + 1) are probably wrong"
            default: "the checksum does not match: characters are wrong or missing"
            }
        case .invalidPadding: "the last character carries bits that belong to no byte"
        }
    }
}
