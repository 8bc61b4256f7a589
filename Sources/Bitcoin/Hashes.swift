public import Wire

/// A double SHA-256 that names something, printed in reverse byte order.
public protocol IdentifyingHash: Hashable, Sendable, Comparable, CustomStringConvertible {
    /// The hash in the order of the wire.
    var bytes: Bytes32 { get }
    /// Takes the hash in the order of the wire.
    init(_ bytes: Bytes32)
}

extension IdentifyingHash {
    /// Reads 64 hexadecimal digits in the order that hashes are printed; nil for any other text.
    public init?(_ text: String) {
        guard let digits = try? Hex.decode(text), let bytes = Bytes32(digits) else { return nil }
        self.init(bytes.reversed)
    }

    /// Orders by the bytes on the wire.
    public static func < (left: Self, right: Self) -> Bool { left.bytes < right.bytes }

    /// 64 hexadecimal digits, in reverse byte order.
    public var description: String { bytes.reversed.description }
}

/// The hash of a transaction without its witnesses.
public struct Txid: IdentifyingHash {
    /// The hash in the order of the wire.
    public let bytes: Bytes32
    /// Takes the hash in the order of the wire.
    public init(_ bytes: Bytes32) { self.bytes = bytes }
}

/// The hash of a transaction with its witnesses (BIP141).
public struct Wtxid: IdentifyingHash {
    /// The hash in the order of the wire.
    public let bytes: Bytes32
    /// Takes the hash in the order of the wire.
    public init(_ bytes: Bytes32) { self.bytes = bytes }
}

/// The hash of a block header.
public struct BlockHash: IdentifyingHash {
    /// The hash in the order of the wire.
    public let bytes: Bytes32
    /// Takes the hash in the order of the wire.
    public init(_ bytes: Bytes32) { self.bytes = bytes }
}
