/// Puts bytes that were typed together to characters of UTF-8, and leaves out whatever a terminal could
/// obey or a person could not see.
public struct TypedCharacters: Sendable {
    private var bytes: [UInt8] = []
    private var missing = 0

    /// Nothing was typed.
    public init() {}

    /// Takes the next byte; nil where the character is not whole yet, or cannot be shown.
    public mutating func take(_ byte: UInt8) -> Character? {
        switch byte {
        case 0x20...0x7E:
            bytes = []
            return Character(UnicodeScalar(byte))
        case 0xC2...0xF4:
            bytes = [byte]
            missing = byte < 0xE0 ? 1 : byte < 0xF0 ? 2 : 3
        case 0x80...0xBF where !bytes.isEmpty:
            bytes.append(byte)
            missing -= 1
        default: bytes = []
        }
        guard !bytes.isEmpty, missing == 0 else { return nil }
        defer { bytes = [] }
        let scalars = Array(String(decoding: bytes, as: UTF8.self).unicodeScalars)
        guard scalars.count == 1, Self.canBeShown(scalars[0]) else { return nil }
        return Character(scalars[0])
    }

    private static func canBeShown(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .otherLetter, .decimalNumber,
            .otherNumber, .currencySymbol, .mathSymbol, .otherSymbol, .dashPunctuation,
            .openPunctuation, .closePunctuation, .otherPunctuation, .initialPunctuation,
            .finalPunctuation:
            !scalar.properties.isDefaultIgnorableCodePoint && scalar != "\u{FFFD}"
        default: false
        }
    }
}
