public import Wire

/// The first four bytes of a key's HASH160 (BIP32), which name the key where a collision does no
/// harm.
public struct Fingerprint: Hashable, Sendable {
    /// The bytes read as a big-endian number.
    public let rawValue: UInt32

    /// The parent of a master key, which has none: 00000000.
    public static let none = Fingerprint(rawValue: 0)

    /// Takes the bytes as a big-endian number.
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// The first four bytes of a key's identifier.
    public init(identifier: Bytes20) {
        rawValue = identifier.withUnsafeBytes {
            UInt32(bigEndian: $0.loadUnaligned(as: UInt32.self))
        }
    }

    /// Nil unless there are exactly four bytes.
    public init?(_ bytes: some Collection<UInt8>) {
        guard bytes.count == 4 else { return nil }
        rawValue = bytes.reduce(0) { $0 << 8 | UInt32($1) }
    }

    /// Nil unless the text is exactly eight hexadecimal digits.
    public init?(hex text: some StringProtocol) {
        guard text.utf8.count == 8, let bytes = try? Hex.decode(text) else { return nil }
        self.init(bytes)
    }

    /// The four bytes.
    public var bytes: [UInt8] { withUnsafeBytes(of: rawValue.bigEndian) { Array($0) } }
}

extension Fingerprint: CustomStringConvertible {
    /// Eight lower-case hexadecimal digits.
    public var description: String { Hex.encode(bytes) }
}
