public import Wire

/// 16 random bytes that name something the signer keeps.
///
/// The type says of what: a vault's id is never taken for an item's.
public struct Identifier<Named>: Hashable, Sendable {
    /// Bytes of every id.
    public static var length: Int { 16 }

    private let high: UInt64
    private let low: UInt64

    /// The id that exactly 16 bytes spell.
    public init?(_ bytes: some Collection<UInt8>) {
        guard bytes.count == Self.length else { return nil }
        var halves: (UInt64, UInt64) = (0, 0)
        for (index, byte) in bytes.enumerated() {
            if index < 8 {
                halves.0 = halves.0 << 8 | UInt64(byte)
            } else {
                halves.1 = halves.1 << 8 | UInt64(byte)
            }
        }
        (high, low) = halves
    }

    /// The id that exactly 32 hexadecimal digits spell, in lower case as `description` writes it.
    public init?(text: some StringProtocol) {
        guard text.utf8.count == 2 * Self.length, let bytes = try? Hex.decode(text),
            Hex.encode(bytes) == text
        else { return nil }
        self.init(bytes)
    }

    /// Reads 16 bytes.
    public init(from reader: inout Reader) throws(WireError) {
        high = try reader.readUInt64BigEndian()
        low = try reader.readUInt64BigEndian()
    }

    /// Appends 16 bytes.
    public func encode(into writer: inout Writer) {
        writer.writeBigEndian(high)
        writer.writeBigEndian(low)
    }

    /// The 16 bytes.
    public var bytes: [UInt8] {
        var writer = Writer(capacity: Self.length)
        encode(into: &writer)
        return writer.bytes
    }
}

extension Identifier: Comparable {
    /// Orders by the first byte that differs.
    public static func < (left: Self, right: Self) -> Bool {
        (left.high, left.low) < (right.high, right.low)
    }
}

extension Identifier: CustomStringConvertible {
    /// 32 lower-case hexadecimal digits.
    public var description: String { Hex.encode(bytes) }
}

/// What a `VaultID` names: a wallet, or the items vault.
public enum VaultTag: Sendable {}
/// What an `ItemID` names: a document or a note in an items vault.
public enum ItemTag: Sendable {}
/// What a `LedgerID` names: one machine's record.
public enum LedgerTag: Sendable {}

/// The id of a vault.
public typealias VaultID = Identifier<VaultTag>
/// The id of an item.
public typealias ItemID = Identifier<ItemTag>
/// The id of a ledger.
public typealias LedgerID = Identifier<LedgerTag>
