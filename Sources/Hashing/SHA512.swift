import CLibcrypto

/// SHA-512 (FIPS 180-4) fed piece by piece. A copy is a midstate.
public struct SHA512: Sendable, HashFunction {
    static let blockSize = 128
    static let digestSize = 64
    private var context = SHA512_CTX()

    /// Nothing fed yet.
    public init() { SHA512_Init(&context) }

    /// Feeds bytes.
    public mutating func update(_ bytes: UnsafeRawBufferPointer) {
        SHA512_Update(&context, bytes.baseAddress, bytes.count)
    }

    /// Writes the digest of everything fed, 64 bytes, to the start of `out`. The state is spent.
    ///
    /// - Precondition: `out` has room for 64 bytes.
    public mutating func finalize(into out: UnsafeMutableRawBufferPointer) {
        precondition(out.count >= 64)
        SHA512_Final(out.baseAddress?.assumingMemoryBound(to: UInt8.self), &context)
    }

    /// The digest of `bytes`, 64 bytes.
    public static func hash(_ bytes: [UInt8]) -> [UInt8] {
        var hash = SHA512()
        bytes.withUnsafeBytes { hash.update($0) }
        return [UInt8](unsafeUninitializedCapacity: 64) { out, count in
            hash.finalize(into: UnsafeMutableRawBufferPointer(out))
            count = 64
        }
    }
}
