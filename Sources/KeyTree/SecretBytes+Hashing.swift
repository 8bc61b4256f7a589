import Bitcoin
import Curve
import Hashing
import SecretMemory
import Signing

extension SecretBytes {
    /// HMAC-SHA512 whose state and result lie in secret memory only.
    static func hmacSHA512(
        key: UnsafeRawBufferPointer, _ feed: (inout HMACSHA512) -> Void
    ) -> SecretBytes {
        var mac = SecretValue(HMACSHA512())
        return SecretBytes(count: 64) { out in
            mac.withValue { mac in
                mac.setKey(key)
                feed(&mac)
                mac.finalize(into: out)
            }
        }
    }

    /// HMAC-SHA512 under a public text.
    static func hmacSHA512(
        label: StaticString, _ feed: (inout HMACSHA512) -> Void
    ) -> SecretBytes {
        let key = UnsafeRawBufferPointer(start: label.utf8Start, count: label.utf8CodeUnitCount)
        return hmacSHA512(key: key, feed)
    }

    /// SHA-256 whose state and result lie in secret memory only.
    static func sha256(_ bytes: UnsafeRawBufferPointer) -> SecretBytes {
        var hash = SecretValue(SHA256())
        return SecretBytes(count: 32) { out in
            hash.withValue { hash in
                hash.update(bytes)
                hash.finalize(into: out)
            }
        }
    }

    /// The first 32 of 64 bytes as a secret key.
    borrowing func secretKey(
        _ context: borrowing SigningContext
    ) throws(ExtendedKeyError) -> SecretKey {
        try SecretKey.reading(self, at: 0, context)
    }

    /// The last 32 of 64 bytes.
    borrowing func secondHalf() -> SecretBytes { slice(32..<64) }

    /// A copy of a part.
    borrowing func slice(_ range: Range<Int>) -> SecretBytes {
        withUnsafeBytes { SecretBytes(copying: UnsafeRawBufferPointer(rebasing: $0[range])) }
    }
}

extension SecretKey {
    /// The secret key whose 32 bytes start at `offset`.
    static func reading(
        _ bytes: borrowing SecretBytes, at offset: Int, _ context: borrowing SigningContext
    ) throws(ExtendedKeyError) -> SecretKey {
        do throws(SigningError) {
            return try bytes.withUnsafeBytes { bytes throws(SigningError) in
                try SecretKey(context) {
                    $0.copyMemory(
                        from: UnsafeRawBufferPointer(rebasing: bytes[offset..<offset + 32]))
                }
            }
        } catch {
            throw .invalidKey(.scalarOutOfRange)
        }
    }
}
