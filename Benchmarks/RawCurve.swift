import CLibcrypto
import CSecp256k1

/// The bare calls of libsecp256k1 and libcrypto that signing cannot do without, timed in the same
/// run as the product, for comparison.
final class RawCurve {
    private let context: OpaquePointer
    private var secret = [UInt8](repeating: 7, count: 32)
    private let message = [UInt8](repeating: 3, count: 32)
    private let chainCode = [UInt8](repeating: 5, count: 32)

    init() {
        context = secp256k1_context_create(UInt32(SECP256K1_CONTEXT_NONE))
    }

    deinit { secp256k1_context_destroy(context) }

    /// One BIP32 step where the parent's public key is known, as it is for the inputs of a wallet:
    /// HMAC-SHA512 of it, the addition, the child's point.
    @discardableResult
    func childKey(after parent: [UInt8], _ number: UInt32) -> secp256k1_keypair {
        var data = parent
        withUnsafeBytes(of: number.bigEndian) { data.replaceSubrange(33..<37, with: $0) }
        var digest = [UInt8](repeating: 0, count: 64)
        var size: UInt32 = 64
        _ = HMAC(EVP_sha512(), chainCode, 32, data, 37, &digest, &size)
        var child = secret
        _ = secp256k1_ec_seckey_tweak_add(context, &child, digest)
        var pair = secp256k1_keypair()
        _ = secp256k1_keypair_create(context, &pair, child)
        return pair
    }

    /// An ECDSA signature with a low R, by as many tries as it takes, and its verification.
    func signECDSA(_ number: UInt32) {
        var pair = secp256k1_keypair()
        _ = secp256k1_keypair_create(context, &pair, secret)
        signECDSA(number, secret, &pair)
    }

    /// One input of a wallet: child key, low-R signature, verification.
    func signInputECDSA(_ number: UInt32) {
        var pair = childKey(after: [UInt8](repeating: 2, count: 37), number)
        var child = [UInt8](repeating: 0, count: 32)
        _ = secp256k1_keypair_sec(context, &child, &pair)
        signECDSA(number, child, &pair)
    }

    private func signECDSA(
        _ number: UInt32, _ secret: [UInt8], _ pair: inout secp256k1_keypair
    ) {
        var message = message
        withUnsafeBytes(of: number) { message.replaceSubrange(0..<4, with: $0) }
        var signature = secp256k1_ecdsa_signature()
        var compact = [UInt8](repeating: 0, count: 64)
        var entropy = [UInt8](repeating: 0, count: 32)
        var tries: UInt32 = 0
        repeat {
            withUnsafeBytes(of: tries) { entropy.replaceSubrange(0..<4, with: $0) }
            _ = secp256k1_ecdsa_sign(
                context, &signature, message, secret, nil, tries == 0 ? nil : entropy)
            _ = secp256k1_ecdsa_signature_serialize_compact(context, &compact, &signature)
            tries += 1
        } while compact[0] >= 0x80
        var key = secp256k1_pubkey()
        _ = secp256k1_keypair_pub(context, &key, &pair)
        _ = secp256k1_ecdsa_verify(context, &signature, message, &key)
    }

    /// One taproot input of a wallet: child key, tweak, Schnorr signature, verification.
    func signInputSchnorr(_ number: UInt32) {
        var pair = childKey(after: [UInt8](repeating: 2, count: 37), number)
        _ = secp256k1_keypair_xonly_tweak_add(context, &pair, chainCode)
        var message = message
        withUnsafeBytes(of: number) { message.replaceSubrange(0..<4, with: $0) }
        var signature = [UInt8](repeating: 0, count: 64)
        _ = secp256k1_schnorrsig_sign32(context, &signature, message, &pair, chainCode)
        var key = secp256k1_xonly_pubkey()
        _ = secp256k1_keypair_xonly_pub(context, &key, nil, &pair)
        _ = secp256k1_schnorrsig_verify(context, signature, message, 32, &key)
    }

    /// One script of an address: the child's point and its HASH160.
    func childAddress(_ parent: inout secp256k1_pubkey, _ number: UInt32) {
        var serialized = [UInt8](repeating: 0, count: 37)
        var length = 33
        _ = secp256k1_ec_pubkey_serialize(
            context, &serialized, &length, &parent, UInt32(SECP256K1_EC_COMPRESSED))
        withUnsafeBytes(of: number.bigEndian) { serialized.replaceSubrange(33..<37, with: $0) }
        var digest = [UInt8](repeating: 0, count: 64)
        var size: UInt32 = 64
        _ = HMAC(EVP_sha512(), chainCode, 32, serialized, 37, &digest, &size)
        var child = parent
        _ = secp256k1_ec_pubkey_tweak_add(context, &child, digest)
        length = 33
        _ = secp256k1_ec_pubkey_serialize(
            context, &serialized, &length, &child, UInt32(SECP256K1_EC_COMPRESSED))
        var hash = [UInt8](repeating: 0, count: 32)
        SHA256(serialized, 33, &hash)
        var short = [UInt8](repeating: 0, count: 20)
        RIPEMD160(hash, 32, &short)
    }

    /// Any point, to derive from.
    func point() -> secp256k1_pubkey {
        var key = secp256k1_pubkey()
        _ = secp256k1_ec_pubkey_create(context, &key, secret)
        return key
    }

    /// The double SHA-256 of a header by the low-level calls.
    func doubleHash(_ header: [UInt8]) {
        var context = SHA256_CTX()
        var digest = [UInt8](repeating: 0, count: 32)
        SHA256_Init(&context)
        SHA256_Update(&context, header, header.count)
        SHA256_Final(&digest, &context)
        SHA256_Init(&context)
        SHA256_Update(&context, digest, 32)
        SHA256_Final(&digest, &context)
    }
}
