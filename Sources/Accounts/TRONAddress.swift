public import Curve
import Hashing
public import Wire

/// An account of TRON: the same 20 bytes of a public key as on Ethereum, written otherwise.
public struct TRONAddress: Hashable, Sendable {
    /// The 20 bytes.
    public let bytes: Bytes20

    /// What stands before the bytes; it makes every address start with T.
    private static let prefix: UInt8 = 0x41

    /// Takes the bytes.
    public init(bytes: Bytes20) { self.bytes = bytes }

    /// The account of a key.
    public init(_ publicKey: PublicKey) { bytes = EVMAddress(publicKey).bytes }
}

extension TRONAddress: CustomStringConvertible {
    /// Base58check of the prefix and the bytes.
    public var description: String { Base58Check.encode([TRONAddress.prefix] + bytes.array) }
}
