import CSecp256k1
public import Curve
public import Wire

extension SecretKey {
    // DECLASSIFY: a signature is made to be published; its nonce is RFC6979's, which no other
    // message shares.
    /// Signs a digest as Bitcoin Core does: RFC6979 nonces, low s, and new nonces until r is low
    /// too (two tries on average), so that it takes 70 bytes of DER at most. Verified before it is
    /// returned.
    ///
    /// - Throws: `selfCheckFailed`.
    public borrowing func sign(
        _ digest: Bytes32, _ context: borrowing SigningContext
    ) throws(SigningError) -> ECDSASignature {
        // The first try has no extra entropy, the others the number of the try.
        var tries: UInt32 = 0
        while true {
            let signature = try signOnce(digest, extraEntropy: tries, context)
            guard !signature.isLowR else { return try checked(signature, digest) }
            tries += 1
        }
    }

    private borrowing func signOnce(
        _ digest: Bytes32, extraEntropy: UInt32, _ context: borrowing SigningContext
    ) throws(SigningError) -> ECDSASignature {
        let context = context.pointer
        var raw = secp256k1_ecdsa_signature()
        let entropy = (extraEntropy.littleEndian, UInt32(0), UInt64(0), UInt64(0), UInt64(0))
        let isSigned = withUnsafeBytes { scalar in
            digest.withUnsafeBytes { digest in
                Swift.withUnsafeBytes(of: entropy) { entropy in
                    secp256k1_ecdsa_sign(
                        context, &raw, digest.start, scalar.start, nil,
                        extraEntropy == 0 ? nil : entropy.baseAddress)
                }
            }
        }
        guard isSigned == 1, let signature = try? ECDSASignature(raw: raw) else {
            throw .selfCheckFailed
        }
        return signature
    }

    private borrowing func checked(
        _ signature: ECDSASignature, _ digest: Bytes32
    ) throws(SigningError) -> ECDSASignature {
        guard publicKey.verifies(signature, digest: digest) else { throw .selfCheckFailed }
        return signature
    }

    // DECLASSIFY: as above.
    /// Signs a digest so that the public key can be recovered (BIP137), with RFC6979's first nonce
    /// and low s as Bitcoin Core signs messages. Verified before it is returned.
    ///
    /// - Throws: `selfCheckFailed`.
    public borrowing func signRecoverably(
        _ digest: Bytes32, _ context: borrowing SigningContext
    ) throws(SigningError) -> RecoverableSignature {
        let context = context.pointer
        var raw = secp256k1_ecdsa_recoverable_signature()
        var number: Int32 = 0
        var compact = (Bytes32.zero, Bytes32.zero)
        let isSigned = withUnsafeBytes { scalar in
            digest.withUnsafeBytes { digest in
                secp256k1_ecdsa_sign_recoverable(
                    context, &raw, digest.start, scalar.start, nil, nil)
            }
        }
        guard isSigned == 1 else { throw .selfCheckFailed }
        withUnsafeMutableBytes(of: &compact) { compact in
            _ = secp256k1_ecdsa_recoverable_signature_serialize_compact(
                context, compact.start, &number, &raw)
        }
        guard
            let plain = try? ECDSASignature(r: compact.0, s: compact.1),
            let signature = try? RecoverableSignature(
                signature: plain, recoveryNumber: UInt8(truncatingIfNeeded: number)),
            signature.recover(digest: digest) == publicKey
        else { throw .selfCheckFailed }
        return signature
    }
}
