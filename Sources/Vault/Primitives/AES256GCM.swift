import CLibcrypto
import Curve
import SecretMemory

/// AES-256-GCM (NIST SP 800-38D) with a nonce of 96 bits and a tag of 128.
///
/// What is sealed is the nonce, the ciphertext and the tag, in this order. A context holds the
/// expanded key; libcrypto wipes it when it is freed.
enum AES256GCM {
    static let nonceCount = 12
    static let tagCount = 16
    /// How many bytes longer than the plaintext the sealed form is.
    static let overhead = nonceCount + tagCount

    /// Seals under a nonce that has not been used with this key before.
    ///
    /// - Precondition: a key of 32 bytes, a nonce of 12.
    static func seal(
        _ plaintext: UnsafeRawBufferPointer, key: borrowing SecretBytes, associatedData: [UInt8],
        nonce: [UInt8]
    ) -> [UInt8] {
        precondition(key.count == 32 && nonce.count == nonceCount)
        return withContext { context in
            let isReady = key.withUnsafeBytes {
                EVP_EncryptInit_ex(
                    context, EVP_aes_256_gcm(), nil, $0.start,
                    nonce)
            }
            precondition(isReady == 1, "libcrypto has no AES-256-GCM")
            var length: Int32 = 0
            var isDone = EVP_EncryptUpdate(
                context, nil, &length, associatedData, Int32(associatedData.count))
            precondition(isDone == 1)
            var sealed = nonce + [UInt8](repeating: 0, count: plaintext.count + tagCount)
            sealed.withUnsafeMutableBufferPointer { sealed in
                let body = sealed.baseAddress.map { $0 + nonceCount }
                let tag = body.map { $0 + plaintext.count }
                if !plaintext.isEmpty {
                    isDone = EVP_EncryptUpdate(
                        context, body, &length, plaintext.start,
                        Int32(plaintext.count))
                    precondition(isDone == 1 && Int(length) == plaintext.count)
                }
                isDone = EVP_EncryptFinal_ex(context, tag, &length)
                precondition(isDone == 1 && length == 0)
                isDone = EVP_CIPHER_CTX_ctrl(
                    context, EVP_CTRL_AEAD_GET_TAG, Int32(tagCount), tag)
                precondition(isDone == 1)
            }
            return sealed
        }
    }

    /// Seals under a fresh nonce.
    static func seal(
        _ plaintext: borrowing SecretBytes, key: borrowing SecretBytes, associatedData: [UInt8],
        using random: RandomSource
    ) -> [UInt8] {
        plaintext.withUnsafeBytes {
            seal(
                $0, key: key, associatedData: associatedData,
                nonce: random.bytes(count: nonceCount))
        }
    }

    /// The plaintext; nil when any bit of the sealed bytes, the key or the associated data is not
    /// what it was. Nothing of a plaintext that is not authentic stays.
    static func open(
        _ sealed: [UInt8], key: borrowing SecretBytes, associatedData: [UInt8]
    ) -> SecretBytes? {
        precondition(key.count == 32)
        guard sealed.count >= overhead else { return nil }
        let count = sealed.count - overhead
        var isAuthentic = false
        let plaintext = SecretBytes(count: count) { out in
            isAuthentic = withContext { context in
                open(sealed, key: key, associatedData: associatedData, context, into: out)
            }
        }
        guard isAuthentic else { return nil }
        return plaintext
    }

    private static func open(
        _ sealed: [UInt8], key: borrowing SecretBytes, associatedData: [UInt8],
        _ context: OpaquePointer, into out: UnsafeMutableRawBufferPointer
    ) -> Bool {
        sealed.withUnsafeBufferPointer { sealed in
            guard let nonce = sealed.baseAddress else { return false }
            let body = nonce + nonceCount
            let isReady = key.withUnsafeBytes {
                EVP_DecryptInit_ex(
                    context, EVP_aes_256_gcm(), nil, $0.start,
                    nonce)
            }
            precondition(isReady == 1, "libcrypto has no AES-256-GCM")
            var length: Int32 = 0
            var isDone = EVP_DecryptUpdate(
                context, nil, &length, associatedData, Int32(associatedData.count))
            precondition(isDone == 1)
            let start = out.start
            if !out.isEmpty {
                isDone = EVP_DecryptUpdate(context, start, &length, body, Int32(out.count))
                precondition(isDone == 1 && Int(length) == out.count)
            }
            let tag = UnsafeMutableRawPointer(mutating: body + out.count)
            isDone = EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_TAG, Int32(tagCount), tag)
            precondition(isDone == 1)
            return EVP_DecryptFinal_ex(context, start + out.count, &length) == 1
        }
    }

    private static func withContext<Result>(_ body: (OpaquePointer) -> Result) -> Result {
        guard let context = EVP_CIPHER_CTX_new() else { preconditionFailure("out of memory") }
        defer { EVP_CIPHER_CTX_free(context) }
        return body(context)
    }
}
