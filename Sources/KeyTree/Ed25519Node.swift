public import Bitcoin
import CSodium
import Curve
import Hashing
public import SecretMemory
public import Wire

/// A node of a SLIP-10 tree for ed25519, where every step is hardened.
public struct Ed25519Node: ~Copyable {
    /// The private key (RFC 8032), 32 bytes, and the chain code, 32 bytes.
    private let halves: SecretBytes

    /// The master node of a seed of 16 to 64 bytes.
    ///
    /// - Throws: `seedLength`.
    public init(seed: borrowing SecretBytes) throws(ExtendedKeyError) {
        guard ExtendedPrivateKey.seedLength.contains(seed.count) else {
            throw .seedLength(found: seed.count, allowed: ExtendedPrivateKey.seedLength)
        }
        halves = seed.withUnsafeBytes { seed in
            SecretBytes.hmacSHA512(label: "ed25519 seed") { $0.update(seed) }
        }
    }

    private init(halves: consuming SecretBytes) { self.halves = halves }

    /// The child of one hardened step; nil for an unhardened one, which ed25519 does not have.
    public borrowing func derive(_ step: ChildNumber) -> Ed25519Node? {
        guard step.isHardened else { return nil }
        return Ed25519Node(
            halves: halves.withUnsafeBytes { halves in
                SecretBytes.hmacSHA512(key: UnsafeRawBufferPointer(rebasing: halves[32...])) {
                    mac in
                    withUnsafeBytes(of: UInt8(0)) { mac.update($0) }
                    mac.update(UnsafeRawBufferPointer(rebasing: halves[..<32]))
                    withUnsafeBytes(of: step.rawValue.bigEndian) { mac.update($0) }
                }
            })
    }

    /// The descendant at the end of `path`; nil when a step is not hardened.
    public borrowing func derive(_ path: DerivationPath) -> Ed25519Node? {
        var node = Ed25519Node(halves: halves.duplicate())
        for step in path.steps {
            guard let child = node.derive(step) else { return nil }
            node = child
        }
        return node
    }

    /// Gives the private key, 32 bytes, in place. It must not leave `body`.
    public borrowing func withPrivateKey<Result: ~Copyable, Failure>(
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try halves.withUnsafeBytes { halves throws(Failure) in
            try body(UnsafeRawBufferPointer(rebasing: halves[..<32]))
        }
    }

    // DECLASSIFY: a public key is made to be shown.
    /// The public key (RFC 8032).
    public var publicKey: Bytes32 {
        guard sodium_init() >= 0 else { preconditionFailure("libsodium cannot start") }
        return Bytes32 { out in
            // libsodium writes the private key and the public key as the pair's secret half.
            var pair = SecretBytes(count: Int(crypto_sign_ed25519_SECRETKEYBYTES))
            withPrivateKey { seed in
                pair.withUnsafeMutableBytes { pair in
                    _ = crypto_sign_ed25519_seed_keypair(out.start, pair.start, seed.start)
                }
            }
        }
    }

    // DECLASSIFY: part of what SLIP-10 lets a watching wallet hold; a hardened child's key needs
    // the private key too.
    /// The chain code.
    public var chainCode: Bytes32 { halves.withUnsafeBytes { Bytes32(rebasing: $0, at: 32) } }
}
