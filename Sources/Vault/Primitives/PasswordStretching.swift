import CSodium
import Curve
import Hashing
import SecretMemory

/// The slow derivations that make guessing a password costly. Both give 32 bytes.
enum PasswordStretching {
    static let outputCount = 32
    /// Argon2id takes the first 16 bytes of a slot's salt, as libsodium has it.
    static let argon2idSaltCount = Int(crypto_pwhash_argon2id_SALTBYTES)

    /// Argon2id 1.3 (RFC 9106) with one lane. libsodium maps its memory for this one call and gives
    /// it back to the kernel, which empties pages before anybody gets them again.
    ///
    /// - Throws: `notEnoughMemory`.
    /// - Precondition: a salt of 16 bytes.
    static func argon2id(
        _ password: borrowing SecretBytes, salt: [UInt8], passes: UInt32, memoryKiB: UInt32
    ) throws(VaultError) -> SecretBytes {
        precondition(salt.count == argon2idSaltCount)
        Sodium.start()
        let memory = Int(memoryKiB) * 1024
        return try password.withUnsafeBytes { password throws(VaultError) in
            try SecretBytes(count: outputCount) { out throws(VaultError) in
                let isDone = crypto_pwhash(
                    out.start, UInt64(outputCount),
                    UnsafeRawPointer(password.start).assumingMemoryBound(to: CChar.self),
                    UInt64(password.count), salt, UInt64(passes), memory,
                    crypto_pwhash_ALG_ARGON2ID13)
                guard isDone == 0 else { throw .notEnoughMemory(needed: memory) }
            }
        }
    }

    /// PBKDF2-HMAC-SHA256 (RFC 8018).
    static func pbkdf2(
        _ password: borrowing SecretBytes, salt: [UInt8], iterations: UInt32
    ) -> SecretBytes {
        var mac = SecretValue(HMACSHA256())
        return SecretBytes(count: outputCount) { out in
            password.withUnsafeBytes { password in
                mac.withValue { mac in
                    mac.setKey(password)
                    salt.withUnsafeBytes {
                        mac.stretch(salt: $0, iterations: Int(iterations), into: out)
                    }
                }
            }
        }
    }
}
