import CLibcrypto
public import Wire

/// SHA-256 (FIPS 180-4) fed piece by piece. A copy is a midstate.
public struct SHA256: Sendable, HashFunction {
    static let blockSize = 64
    static let digestSize = 32
    private var context = SHA256_CTX()

    /// Nothing fed yet.
    public init() { SHA256_Init(&context) }

    /// Feeds bytes.
    public mutating func update(_ bytes: UnsafeRawBufferPointer) {
        SHA256_Update(&context, bytes.baseAddress, bytes.count)
    }

    /// Feeds bytes.
    public mutating func update(_ bytes: [UInt8]) {
        SHA256_Update(&context, bytes, bytes.count)
    }

    /// Feeds 32 bytes.
    public mutating func update(_ bytes: Bytes32) { bytes.withUnsafeBytes { update($0) } }

    /// The digest of everything fed.
    public consuming func finalize() -> Bytes32 {
        Bytes32 { out in
            _ = SHA256_Final(out.baseAddress?.assumingMemoryBound(to: UInt8.self), &context)
        }
    }

    /// Writes the digest of everything fed, 32 bytes, to the start of `out`. The state is spent.
    ///
    /// - Precondition: `out` has room for 32 bytes.
    public mutating func finalize(into out: UnsafeMutableRawBufferPointer) {
        precondition(out.count >= 32)
        SHA256_Final(out.baseAddress?.assumingMemoryBound(to: UInt8.self), &context)
    }

    /// The digest of `bytes`.
    public static func hash(_ bytes: [UInt8]) -> Bytes32 {
        var hash = SHA256()
        hash.update(bytes)
        return hash.finalize()
    }

    /// The digest of `bytes`.
    public static func hash(_ bytes: UnsafeRawBufferPointer) -> Bytes32 {
        var hash = SHA256()
        hash.update(bytes)
        return hash.finalize()
    }

    /// The digest of the digest, as Bitcoin hashes transactions and blocks.
    public static func doubleHash(_ bytes: [UInt8]) -> Bytes32 { hash(hash(bytes)) }

    /// The digest of a digest.
    public static func hash(_ bytes: Bytes32) -> Bytes32 { bytes.withUnsafeBytes { hash($0) } }

    /// The digest of the digest of everything fed.
    public consuming func finalizeDouble() -> Bytes32 { SHA256.hash(finalize()) }
}

/// A SHA-256 that starts from `SHA256(tag) || SHA256(tag)` (BIP340). Keep one per tag: it holds
/// the midstate.
public struct TaggedHash: Sendable {
    private let midstate: SHA256

    /// Prepares the midstate for a tag.
    public init(tag: String) {
        let digest = SHA256.hash(Array(tag.utf8))
        var hash = SHA256()
        hash.update(digest)
        hash.update(digest)
        midstate = hash
    }

    /// A hasher that has been fed the tag; feed the message and finalise.
    public func hasher() -> SHA256 { midstate }

    /// The tagged digest of `bytes`.
    public func hash(_ bytes: [UInt8]) -> Bytes32 {
        var hash = midstate
        hash.update(bytes)
        return hash.finalize()
    }
}
