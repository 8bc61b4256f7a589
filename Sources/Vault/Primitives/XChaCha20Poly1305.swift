import CSodium
import Curve
import SecretMemory

/// XChaCha20-Poly1305 (the IETF construction with a nonce of 192 bits), in place over buffers of the
/// caller, so that a stream needs no memory of its own for each chunk.
enum XChaCha20Poly1305 {
    static let nonceCount = 24
    static let tagCount = 16

    /// Writes the ciphertext and its tag.
    ///
    /// - Precondition: a key of 32 bytes, a nonce of 24, and 16 bytes more in `out` than in
    ///   `plaintext`. Both may start at the same address.
    static func seal(
        _ plaintext: UnsafeRawBufferPointer, key: borrowing SecretBytes, nonce: [UInt8],
        associatedData: [UInt8], into out: UnsafeMutableRawBufferPointer
    ) {
        precondition(key.count == 32 && nonce.count == nonceCount)
        precondition(out.count == plaintext.count + tagCount)
        Sodium.start()
        let isDone = key.withUnsafeBytes {
            crypto_aead_xchacha20poly1305_ietf_encrypt(
                out.start, nil, plaintext.baseAddress?.assumingMemoryBound(to: UInt8.self),
                UInt64(plaintext.count),
                associatedData, UInt64(associatedData.count), nil, nonce, $0.start)
        }
        precondition(isDone == 0)
    }

    /// Writes the plaintext; false, with zeros in `out`, when any bit of the ciphertext, the key,
    /// the nonce or the associated data is not what it was.
    ///
    /// - Precondition: a key of 32 bytes, a nonce of 24, and 16 bytes less in `out` than in
    ///   `ciphertext`. Both may start at the same address.
    static func open(
        _ ciphertext: UnsafeRawBufferPointer, key: borrowing SecretBytes, nonce: [UInt8],
        associatedData: [UInt8], into out: UnsafeMutableRawBufferPointer
    ) -> Bool {
        precondition(key.count == 32 && nonce.count == nonceCount)
        precondition(out.count + tagCount == ciphertext.count)
        Sodium.start()
        let isAuthentic = key.withUnsafeBytes {
            crypto_aead_xchacha20poly1305_ietf_decrypt(
                out.baseAddress?.assumingMemoryBound(to: UInt8.self), nil, nil, ciphertext.start,
                UInt64(ciphertext.count),
                associatedData, UInt64(associatedData.count), nonce, $0.start)
        }
        guard isAuthentic == 0 else {
            SecretMemory.wipe(out)
            return false
        }
        return true
    }
}
