import CSecp256k1
public import Wire

/// An ECDSA signature with the two bits from which the signer's public key follows (BIP137).
public struct RecoverableSignature: Hashable, Sendable {
    /// The signature itself.
    public let signature: ECDSASignature
    /// 0 to 3: bit 0 is the parity of R's y coordinate, bit 1 says that R's x is not below the order.
    public let recoveryNumber: UInt8

    /// Takes both parts.
    ///
    /// - Throws: `wrongRecoveryNumber`.
    public init(signature: ECDSASignature, recoveryNumber: UInt8) throws(CurveError) {
        guard recoveryNumber < 4 else { throw .wrongRecoveryNumber(recoveryNumber) }
        self.signature = signature
        self.recoveryNumber = recoveryNumber
    }

    /// The key that made this signature over `digest`; nil when there is none.
    public func recover(digest: Bytes32) -> PublicKey? {
        var raw = secp256k1_ecdsa_recoverable_signature()
        var key = secp256k1_pubkey()
        let isKey = withUnsafeBytes(of: (signature.r, signature.s)) { bytes in
            digest.withUnsafeBytes { digest in
                secp256k1_ecdsa_recoverable_signature_parse_compact(
                    bulkhead_static_context(), &raw,
                    bytes.start, Int32(recoveryNumber))
                    == 1
                    && secp256k1_ecdsa_recover(
                        bulkhead_static_context(), &key, &raw,
                        digest.start) == 1
            }
        }
        return isKey ? PublicKey(raw: key) : nil
    }
}
