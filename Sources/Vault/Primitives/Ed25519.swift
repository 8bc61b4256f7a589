import CSodium
import Curve
import SecretMemory
import Wire

/// Ed25519 (RFC 8032) as libsodium checks it: no scalar beyond the order, no point of small order.
enum Ed25519 {
    static let signatureCount = 64

    /// Whether `signature` is one of `message` by the key.
    static func verify(_ signature: [UInt8], of message: [UInt8], by key: Bytes32) -> Bool {
        guard signature.count == signatureCount else { return false }
        Sodium.start()
        return key.withUnsafeBytes {
            crypto_sign_ed25519_verify_detached(
                signature, message, UInt64(message.count), $0.start) == 0
        }
    }
}

/// A secret key of Ed25519.
struct Ed25519SigningKey: ~Copyable {
    /// libsodium's form: the seed and the public key.
    private let pair: SecretBytes
    let publicKey: Bytes32

    /// The key of a seed, which is the private key of RFC 8032.
    ///
    /// - Precondition: a seed of 32 bytes.
    init(seed: borrowing SecretBytes) {
        precondition(seed.count == 32)
        Sodium.start()
        var pair = SecretBytes(count: Int(crypto_sign_ed25519_SECRETKEYBYTES))
        publicKey = Bytes32 { out in
            seed.withUnsafeBytes { seed in
                pair.withUnsafeMutableBytes { pair in
                    _ = crypto_sign_ed25519_seed_keypair(
                        out.start, pair.start, seed.start)
                }
            }
        }
        self.pair = pair
    }

    /// The signature, 64 bytes; always the same for the same message.
    borrowing func sign(_ message: [UInt8]) -> [UInt8] {
        var signature = [UInt8](repeating: 0, count: Ed25519.signatureCount)
        let isDone = pair.withUnsafeBytes {
            crypto_sign_ed25519_detached(
                &signature, nil, message, UInt64(message.count), $0.start)
        }
        precondition(isDone == 0)
        return signature
    }
}
