public import Wire

/// A signed head of the signer's ledger (docs/formats.md), as it is handed to somebody who keeps it.
///
/// Nobody but a worker of the signer checks its signature: here it is 176 bytes of which two fields
/// are looked at.
public struct LedgerWitness: Hashable, Sendable {
    /// The bytes of every head.
    public static let length = 176
    private static let name = 10..<27
    private static let counterPlace = 32..<40

    /// The head.
    public let bytes: [UInt8]

    /// A head by its bytes; nil if they are not as many as a head has.
    public init?(_ bytes: [UInt8]) {
        guard bytes.count == Self.length else { return nil }
        self.bytes = bytes
    }

    init(from reader: inout Reader) throws(WireError) {
        bytes = try reader.read(Self.length)
    }

    /// How many entries the ledger has by it.
    public var counter: UInt64 {
        bytes[Self.counterPlace].reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }

    /// Whether whoever keeps `older` keeps this one in its place: a witness of one ledger only goes on.
    public func replaces(_ older: LedgerWitness) -> Bool {
        bytes[Self.name] != older.bytes[Self.name] || counter > older.counter
    }
}

/// What the signer found when it compared its ledger with the head that the network process kept.
public enum WitnessFinding: UInt8, CaseIterable, Hashable, Sendable {
    /// The network process has said nothing yet.
    case unheard = 0
    /// It keeps none.
    case none = 1
    /// The ledger goes on from what it keeps.
    case agrees = 2
    /// The ledger does not go on from what it keeps, or that is no head of this ledger.
    case differs = 3
}
