import CLibcrypto
import Wire

/// ChaCha20-Poly1305 (RFC 8439) and its keystream, from libcrypto.
enum ChaCha {
    /// Bytes of the authenticator.
    static let tagSize = 16
    /// Bytes of a nonce.
    static let nonceSize = 12

    /// Encrypts and authenticates: as many bytes as `plaintext` has, then the tag.
    static func seal(_ plaintext: [UInt8], aad: [UInt8], key: Bytes32, nonce: [UInt8]) -> [UInt8] {
        let context = makeContext()
        defer { EVP_CIPHER_CTX_free(context) }
        start(context, EVP_chacha20_poly1305(), key: key, nonce: nonce, encrypts: true)
        update(context, aad: aad)
        var out = [UInt8](repeating: 0, count: plaintext.count + tagSize)
        var written: Int32 = 0
        var isDone = EVP_EncryptUpdate(context, &out, &written, plaintext, Int32(plaintext.count))
        precondition(isDone == 1 && Int(written) == plaintext.count)
        isDone = out.withUnsafeMutableBufferPointer { all in
            let tag = UnsafeMutableBufferPointer(rebasing: all[plaintext.count...])
            guard EVP_EncryptFinal_ex(context, tag.baseAddress, &written) == 1 else { return 0 }
            return EVP_CIPHER_CTX_ctrl(
                context, EVP_CTRL_AEAD_GET_TAG, Int32(tagSize), tag.baseAddress)
        }
        precondition(isDone == 1)
        return out
    }

    /// What was sealed; nil if it was not sealed by this key and nonce over these bytes.
    static func open(_ sealed: [UInt8], aad: [UInt8], key: Bytes32, nonce: [UInt8]) -> [UInt8]? {
        let count = sealed.count - tagSize
        guard count >= 0 else { return nil }
        let context = makeContext()
        defer { EVP_CIPHER_CTX_free(context) }
        start(context, EVP_chacha20_poly1305(), key: key, nonce: nonce, encrypts: false)
        var tag = Array(sealed[count...])
        precondition(
            EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_TAG, Int32(tagSize), &tag) == 1)
        update(context, aad: aad)
        // Room for the final call, which writes nothing but wants a place.
        var out = [UInt8](repeating: 0, count: count + 1)
        var written: Int32 = 0
        let isDone = EVP_DecryptUpdate(context, &out, &written, sealed, Int32(count))
        precondition(isDone == 1 && Int(written) == count)
        let isAuthentic = out.withUnsafeMutableBufferPointer { all in
            EVP_DecryptFinal_ex(context, all.baseAddress.map { $0 + count }, &written) == 1
        }
        guard isAuthentic else { return nil }
        out.removeLast()
        return out
    }

    fileprivate static func makeContext() -> OpaquePointer {
        guard let context = EVP_CIPHER_CTX_new() else { preconditionFailure("out of memory") }
        return context
    }

    fileprivate static func start(
        _ context: OpaquePointer, _ cipher: OpaquePointer?, key: Bytes32, nonce: [UInt8],
        encrypts: Bool
    ) {
        let isReady = key.withUnsafeBytes { key in
            EVP_CipherInit_ex(
                context, cipher, nil, key.assumingMemoryBound(to: UInt8.self).baseAddress, nonce,
                encrypts ? 1 : 0)
        }
        precondition(isReady == 1, "libcrypto has no ChaCha20")
    }

    private static func update(_ context: OpaquePointer, aad: [UInt8]) {
        guard !aad.isEmpty else { return }
        var written: Int32 = 0
        precondition(EVP_CipherUpdate(context, nil, &written, aad, Int32(aad.count)) == 1)
    }
}

/// A running keystream of ChaCha20 (RFC 8439, section 2.4), block counter from 0.
final class ChaChaStream {
    private let context = ChaCha.makeContext()

    /// - Precondition: the nonce has 12 bytes.
    init(key: Bytes32, nonce: [UInt8]) { restart(key: key, nonce: nonce) }

    deinit { EVP_CIPHER_CTX_free(context) }

    func restart(key: Bytes32, nonce: [UInt8]) {
        precondition(nonce.count == ChaCha.nonceSize)
        // libcrypto wants the block counter, little-endian, in front of the nonce.
        ChaCha.start(
            context, EVP_chacha20(), key: key, nonce: [0, 0, 0, 0] + nonce, encrypts: true)
    }

    /// The bytes, encrypted or decrypted, which is the same.
    func apply(_ bytes: [UInt8]) -> [UInt8] {
        var out = bytes
        var written: Int32 = 0
        let isDone = EVP_EncryptUpdate(context, &out, &written, bytes, Int32(bytes.count))
        precondition(isDone == 1 && Int(written) == bytes.count)
        return out
    }
}
