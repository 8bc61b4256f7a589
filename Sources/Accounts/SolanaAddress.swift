public import Wire

/// An account of Solana: an Ed25519 public key.
public struct SolanaAddress: Hashable, Sendable {
    /// The public key (RFC 8032).
    public let publicKey: Bytes32

    /// The account of a key.
    public init(_ publicKey: Bytes32) { self.publicKey = publicKey }
}

extension SolanaAddress: CustomStringConvertible {
    /// Base58 of the key, without a checksum.
    public var description: String { Base58.encode(publicKey.array) }
}
