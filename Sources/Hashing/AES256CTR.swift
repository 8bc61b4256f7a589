import CLibcrypto
public import Wire

/// AES with a key of 256 bits as a stream cipher (NIST SP 800-38A, CTR mode). It authenticates
/// nothing by itself; BIP129 checks a MAC.
public enum AES256CTR {
    /// Encrypts or decrypts, which is the same. `counter` is the first counter block, big-endian.
    ///
    /// - Precondition: `counter` has 16 bytes.
    public static func apply(_ bytes: [UInt8], key: Bytes32, counter: [UInt8]) -> [UInt8] {
        precondition(counter.count == 16)
        guard let context = EVP_CIPHER_CTX_new() else { preconditionFailure("out of memory") }
        defer { EVP_CIPHER_CTX_free(context) }
        let isReady = key.withUnsafeBytes { key in
            EVP_EncryptInit_ex(
                context, EVP_aes_256_ctr(), nil,
                key.assumingMemoryBound(to: UInt8.self).baseAddress,
                counter)
        }
        precondition(isReady == 1, "libcrypto has no AES-256-CTR")
        return [UInt8](unsafeUninitializedCapacity: bytes.count) { out, count in
            var written: Int32 = 0
            let isDone = EVP_EncryptUpdate(
                context, out.baseAddress, &written, bytes, Int32(bytes.count))
            precondition(isDone == 1 && Int(written) == bytes.count)
            count = bytes.count
        }
    }
}
