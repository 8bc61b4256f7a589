import CSecp256k1
import Wire

/// A key of one connection, in the encoding that looks like random bytes (BIP324, ElligatorSwift).
///
/// All of it is libsecp256k1's, from version 0.4 on with its ellswift module; `isAvailable` says
/// whether this program was built with it.
struct EphemeralKey: Sendable {
    /// Bytes of the encoded public key.
    static let encodedSize = 64

    /// Whether keys can be made at all.
    static var isAvailable: Bool { bulkhead_has_ellswift() == 1 }

    /// The public key, encoded.
    let encoded: [UInt8]
    private let secret: [UInt8]

    /// A key from a secret of 32 bytes and as many random bytes that choose among its encodings; nil
    /// if the secret is none, or without the module.
    init?(secret: [UInt8], randomness: [UInt8]) {
        guard secret.count == 32, randomness.count == 32,
            let context = secp256k1_context_create(UInt32(SECP256K1_CONTEXT_NONE))
        else { return nil }
        defer { secp256k1_context_destroy(context) }
        var encoded = [UInt8](repeating: 0, count: EphemeralKey.encodedSize)
        guard bulkhead_ellswift_create(context, &encoded, secret, randomness) == 1 else {
            return nil
        }
        self.encoded = encoded
        self.secret = secret
    }

    /// A key whose encoding is known, as test vectors have it.
    init(secret: [UInt8], encoded: [UInt8]) {
        precondition(secret.count == 32 && encoded.count == EphemeralKey.encodedSize)
        self.secret = secret
        self.encoded = encoded
    }

    /// The secret that both ends share; nil without the module.
    func sharedSecret(with theirs: [UInt8], role: EncryptionRole) -> Bytes32? {
        precondition(theirs.count == EphemeralKey.encodedSize)
        let (first, second) = role == .initiator ? (encoded, theirs) : (theirs, encoded)
        var out = [UInt8](repeating: 0, count: 32)
        let party: Int32 = role == .initiator ? 0 : 1
        guard bulkhead_ellswift_shared_secret(&out, first, second, secret, party) == 1 else {
            return nil
        }
        return Bytes32(out)
    }
}
