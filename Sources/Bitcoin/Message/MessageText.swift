import Wire

/// A message that may be signed: text that a person can read whole, and nothing that a signature
/// could be wanted for in another place.
///
/// A signature of a message is over a hash with words of its own in front, so it is none of a
/// transaction. What looks like a hash, a transaction or a PSBT is refused all the same: nobody means
/// it as a message, and a person who signs it was told something else.
///
/// The bytes stay as they came, also where another Unicode form (NFC) would look the same: whoever
/// verifies hashes bytes, and neither BIP137 nor BIP322 normalises them.
public struct MessageText: Hashable, Sendable {
    /// The most bytes of a message.
    public static let maximumCount = 1 << 16

    /// The message as UTF-8, as it is signed.
    public let bytes: [UInt8]
    /// The message.
    public let text: String

    /// Takes a message.
    ///
    /// - Throws: why it is not signed.
    public init(_ bytes: [UInt8]) throws(Fault) {
        guard bytes.count <= Self.maximumCount else { throw .tooLong(bytes.count) }
        if let kind = Self.kind(of: bytes) { throw kind }
        guard bytes.count != Self.hashCount else { throw .hash }
        guard let text = String(validating: bytes, as: UTF8.self) else { throw .notText }
        // What is not seen hides nothing: a mark of byte order, joiners, zeros between the letters.
        let shown = text.unicodeScalars.filter {
            !$0.properties.isWhitespace && !Self.isHidden($0)
        }
        let trimmed = String(String.UnicodeScalarView(shown))
        guard !Self.isHash(trimmed) else { throw .hash }
        let decoded = [
            try? Hex.decode(trimmed.hasPrefix("0x") ? String(trimmed.dropFirst(2)) : trimmed),
            try? Base64.decode(trimmed),
        ]
        for case let inner? in decoded {
            if let kind = Self.kind(of: inner) { throw kind }
        }
        self.bytes = bytes
        self.text = text
    }

    /// Why a message is not signed.
    public enum Fault: Error, Hashable, Sendable {
        /// More bytes than a message may have.
        case tooLong(Int)
        /// It is not UTF-8, so nobody can read it.
        case notText
        /// 32 bytes, or 64 hexadecimal digits, or 32 bytes in base64.
        case hash
        /// A PSBT, in any of its forms.
        case psbt
        /// A transaction, in any of its forms.
        case transaction
    }

    /// What a person should know of a message before it is signed.
    public enum Warning: String, CaseIterable, Hashable, Sendable {
        /// Nothing is said by it but who holds the key.
        case empty
        /// Characters that are not seen, or that reorder what is seen.
        case hiddenCharacters = "hidden-characters"
        /// White space at its beginning or end, such as the last line's end of a file.
        case outerSpace = "outer-space"
    }

    /// What a person should know before it is signed.
    public var warnings: [Warning] {
        guard let first = text.first, let last = text.last else { return [.empty] }
        var warnings: [Warning] = []
        if text.unicodeScalars.contains(where: Self.isHidden) { warnings.append(.hiddenCharacters) }
        if first.isWhitespace || last.isWhitespace { warnings.append(.outerSpace) }
        return warnings
    }

    // MARK: What it may be in truth

    private static let hashCount = 32

    private static func isHash(_ text: String) -> Bool {
        let digits = text.hasPrefix("0x") ? text.dropFirst(2) : text[...]
        if digits.utf8.count == 2 * hashCount, digits.allSatisfy(\.isHexDigit) { return true }
        guard text.utf8.count == 44, let bytes = try? Base64.decode(text) else { return false }
        return bytes.count == hashCount
    }

    private static func kind(of bytes: [UInt8]) -> Fault? {
        if bytes.starts(with: Array("psbt".utf8) + [0xFF]) { return .psbt }
        return (try? Transaction(bytes)) == nil ? nil : .transaction
    }

    private static func isHidden(_ scalar: Unicode.Scalar) -> Bool {
        guard scalar != "\n" else { return false }
        switch scalar.properties.generalCategory {
        case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator,
            .paragraphSeparator:
            return true
        default: return scalar.properties.isDefaultIgnorableCodePoint
        }
    }
}

extension MessageText.Fault: CustomStringConvertible {
    /// Why, as a part of a sentence.
    public var description: String {
        switch self {
        case .tooLong(let count):
            "the message has \(count) bytes, and at most \(MessageText.maximumCount) are signed; sign "
                + "a sentence with its SHA-256"
        case .notText: "the message is not UTF-8, so that you cannot read what you would sign"
        case .hash:
            "32 bytes or 64 digits could be the hash of a transaction; sign a sentence that says what "
                + "they are"
        case .psbt: "the message is a PSBT; bulkhead sign reviews and signs those"
        case .transaction: "the message is a transaction, and nothing but a review signs those"
        }
    }
}

extension MessageText.Warning: CustomStringConvertible {
    /// One sentence.
    public var description: String {
        switch self {
        case .empty: "The message is empty: it says nothing but that you hold the key."
        case .hiddenCharacters:
            "The message has characters that are not seen or change the order of others; they stand "
                + "as \\u{…} above."
        case .outerSpace:
            "The message begins or ends with white space or an empty line, which is signed too: who "
                + "verifies it needs the very same."
        }
    }
}
