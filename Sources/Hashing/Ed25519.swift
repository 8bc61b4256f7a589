import CLibcrypto
public import Wire

/// Signatures of Ed25519 (RFC 8032), checked by libcrypto.
public enum Ed25519 {
    /// Bytes of a signature.
    public static let signatureSize = 64

    /// Whether `signature` is one of `message` by the holder of `key`. A key that is none, or a
    /// signature of another length, signs nothing.
    public static func isValid(_ signature: [UInt8], of message: [UInt8], by key: Bytes32) -> Bool {
        guard signature.count == signatureSize else { return false }
        let raw = key.withUnsafeBytes { bytes in
            EVP_PKEY_new_raw_public_key(
                EVP_PKEY_ED25519, nil, bytes.assumingMemoryBound(to: UInt8.self).baseAddress, 32)
        }
        guard let raw else {
            ERR_clear_error()
            return false
        }
        defer { EVP_PKEY_free(raw) }
        guard let context = EVP_MD_CTX_new() else { preconditionFailure("out of memory") }
        defer { EVP_MD_CTX_free(context) }
        let isReady = EVP_DigestVerifyInit(context, nil, nil, nil, raw)
        precondition(isReady == 1, "libcrypto has no Ed25519")
        let isValid = EVP_DigestVerify(
            context, signature, signature.count, message, message.count)
        // A wrong signature leaves an entry in the library's queue of errors.
        ERR_clear_error()
        return isValid == 1
    }
}
