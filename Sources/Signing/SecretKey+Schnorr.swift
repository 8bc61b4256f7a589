import CSecp256k1
public import Curve
import SecretMemory
public import Wire

extension SecretKey {
    // DECLASSIFY: a signature is made to be published; its nonce comes from the key, the message
    // and fresh random bytes.
    /// Signs 32 bytes by BIP340 with fresh auxiliary randomness. Verified before it is returned.
    ///
    /// - Throws: `selfCheckFailed`.
    public borrowing func signSchnorr(
        _ message: Bytes32, _ context: borrowing SigningContext
    ) throws(SigningError) -> SchnorrSignature {
        try signSchnorr(
            message, auxiliary: Bytes32 { SecretMemory.fillWithRandomBytes($0) }, context)
    }

    /// Signs with auxiliary randomness of the caller's choice, as the BIP's vectors need.
    borrowing func signSchnorr(
        _ message: Bytes32, auxiliary: Bytes32, _ context: borrowing SigningContext
    ) throws(SigningError) -> SchnorrSignature {
        let context = context.pointer
        var isSigned: Int32 = 0
        let signature = SchnorrSignature { signature in
            withPair { pair in
                message.withUnsafeBytes { message in
                    auxiliary.withUnsafeBytes { auxiliary in
                        isSigned = secp256k1_schnorrsig_sign32(
                            context, signature.start, message.start, pair, auxiliary.start)
                    }
                }
            }
        }
        guard isSigned == 1, publicKey.xOnly.verifies(signature, message: message) else {
            throw .selfCheckFailed
        }
        return signature
    }
}
