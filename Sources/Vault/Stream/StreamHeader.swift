public import StateFiles
public import Wire

/// The first 80 bytes of a sealed stream, in the clear: what it is and whose.
///
/// `magic (8) || version (2) || kind (1) || zeros (5) || vault (16) || subject (16) || salt (32)`.
/// The subject is the item's id, or the key check of the vault's secret key. Every chunk authenticates
/// the hash of these bytes.
public struct StreamHeader: Hashable, Sendable {
    /// The bytes of every header.
    public static let length = 80
    /// The version that is written, and the newest that is read.
    public static let version: UInt16 = 1
    private static let magic = Array("BHSTREAM".utf8)

    /// What a stream holds.
    public enum Kind: Hashable, Sendable {
        /// A document or a note.
        case item(ItemID)
        /// A backup, with the key check of the vault's secret key (16 bytes), so that another
        /// vault's kit is told from a damaged file.
        case backup(keyCheck: [UInt8])
    }

    /// What the stream holds.
    public let kind: Kind
    /// The vault that it belongs to.
    public let vault: VaultID
    /// 32 random bytes, so that no two streams share a key.
    public let salt: Bytes32

    /// A header for a new stream.
    ///
    /// - Precondition: a key check has 16 bytes.
    public init(_ kind: Kind, of vault: VaultID, using random: RandomSource = .kernel) {
        if case .backup(let keyCheck) = kind { precondition(keyCheck.count == 16) }
        self.kind = kind
        self.vault = vault
        let drawn = random.bytes(count: 32)
        salt = Bytes32 { $0.copyBytes(from: drawn) }
    }

    /// Reads a header.
    public init(_ bytes: [UInt8]) throws(StreamError) {
        guard bytes.count == Self.length, Array(bytes[..<8]) == Self.magic else {
            throw .notAStream
        }
        let version = UInt16(bytes[8]) | UInt16(bytes[9]) << 8
        guard version == Self.version else { throw .unknownVersion(version) }
        let subject = Array(bytes[32..<48])
        guard let vault = VaultID(bytes[16..<32]), let item = ItemID(subject),
            let salt = Bytes32(bytes[48...]), bytes[11..<16].allSatisfy({ $0 == 0 })
        else { throw .notAStream }
        switch bytes[10] {
        case 1: kind = .item(item)
        case 2: kind = .backup(keyCheck: subject)
        default: throw .notAStream
        }
        self.vault = vault
        self.salt = salt
    }

    /// The 80 bytes.
    public var bytes: [UInt8] {
        var writer = Writer(capacity: Self.length)
        writer.write(Self.magic)
        writer.write(Self.version)
        writer.write(number)
        writer.write([UInt8](repeating: 0, count: 5))
        vault.encode(into: &writer)
        writer.write(subject)
        writer.write(salt)
        return writer.bytes
    }

    private var number: UInt8 { if case .item = kind { 1 } else { 2 } }

    private var subject: [UInt8] {
        switch kind {
        case .item(let item): item.bytes
        case .backup(let keyCheck): keyCheck
        }
    }
}
