public import Bitcoin
import Hashing
public import Signing
import Wire

extension SecretKey {
    // DECLASSIFY: a signature is made to be published.
    /// Signs a message as BIP137 has it: 65 bytes in base64, over a hash with Bitcoin's own words in
    /// front. Verified before it is returned.
    ///
    /// - Throws: `wrongAddressKind` for an address that is not this key's P2PKH (compressed), P2WPKH or
    ///   P2SH-P2WPKH; `signing`.
    public borrowing func signBIP137(
        _ message: [UInt8], for address: Address, _ context: borrowing SigningContext
    ) throws(MessageSigningError) -> String {
        let hash = hash160(publicKey.compressed)
        let kinds: [(LegacySignedMessage.Kind, Script)] = [
            (.p2pkh, .p2pkh(hash)), (.p2wpkh, .p2wpkh(hash)), (.p2shP2WPKH, .nested(hash)),
        ]
        guard let kind = kinds.first(where: { $0.1 == address.scriptPubKey })?.0 else {
            throw .wrongAddressKind
        }
        let digest = LegacySignedMessage.hash(message)
        let text = LegacySignedMessage.encode(
            try signing { () throws(SigningError) in try signRecoverably(digest, context) },
            kind: kind)
        guard LegacySignedMessage.verify(text, message: message, address: address) == .valid
        else { throw .signing(.selfCheckFailed) }
        return text
    }

    // DECLASSIFY: as above.
    /// Signs a message as BIP322 has it: the `to_sign` transaction of version 0 without locks, which
    /// spends the one output of `to_spend` and nothing else. Verified before it is returned.
    ///
    /// - Throws: `wrongAddressKind` for a script that is not this key's P2PKH (compressed), P2WPKH,
    ///   P2SH-P2WPKH or P2TR without scripts; `signing`.
    public borrowing func signBIP322(
        _ message: [UInt8], scriptPubKey: Script, _ context: borrowing SigningContext
    ) throws(MessageSigningError) -> Transaction {
        var transaction = SignedMessage.toSign(message: message, scriptPubKey: scriptPubKey)
        let spent = TransactionOutput(value: .zero, scriptPubKey: scriptPubKey)
        let sighash = SighashCalculator(transaction, spentOutputs: [spent])
        let key = publicKey.compressed
        let hash = hash160(key)
        let code = Script.p2pkh(hash)
        if scriptPubKey == code {
            let signature = try ecdsa(
                try? sighash.legacy(input: 0, scriptCode: code, type: .all), context)
            transaction.inputs[0].scriptSig = Script.build {
                $0.push(signature)
                $0.push(key)
            }
        } else if scriptPubKey == .p2wpkh(hash) || scriptPubKey == .nested(hash) {
            let signature = try ecdsa(
                try? sighash.segwitV0(input: 0, scriptCode: code, type: .all), context)
            transaction.inputs[0].witness = Witness([signature, key])
            if scriptPubKey == .nested(hash) {
                transaction.inputs[0].scriptSig = Script.build {
                    $0.push(Script.p2wpkh(hash).bytes)
                }
            }
        } else {
            let digest = try? sighash.taprootKeyPath(input: 0)
            let signature = try schnorr(digest, scriptPubKey, context)
            transaction.inputs[0].witness = Witness([signature])
        }
        let text = SignedMessage.encodeFull(transaction)
        guard SignedMessage.verify(text, message: message, scriptPubKey: scriptPubKey) == .valid
        else { throw .signing(.selfCheckFailed) }
        return transaction
    }

    /// DER with SIGHASH_ALL behind it.
    private borrowing func ecdsa(
        _ digest: Bytes32?, _ context: borrowing SigningContext
    ) throws(MessageSigningError) -> [UInt8] {
        guard let digest else { throw .signing(.selfCheckFailed) }
        let signature = try signing { () throws(SigningError) in try sign(digest, context) }
        return signature.der + [UInt8(truncatingIfNeeded: SighashType.all.rawValue)]
    }

    /// The 64 bytes of a signature by the output key, whose type is SIGHASH_DEFAULT.
    private borrowing func schnorr(
        _ digest: Bytes32?, _ script: Script, _ context: borrowing SigningContext
    ) throws(MessageSigningError) -> [UInt8] {
        let output = try signing { () throws(SigningError) in
            try taprootTweaked(merkleRoot: nil, context)
        }
        guard script == .p2tr(outputKey: output.publicKey.xOnly.bytes) else {
            throw .wrongAddressKind
        }
        guard let digest else { throw .signing(.selfCheckFailed) }
        return try signing { () throws(SigningError) in
            try output.signSchnorr(digest, context)
        }.bytes
    }
}

/// Why a message is not signed by a key.
public enum MessageSigningError: Error, Hashable, Sendable {
    /// The address is not this key's, or the form has no room for its kind.
    case wrongAddressKind
    /// The key cannot sign.
    case signing(SigningError)
}

extension MessageSigningError: CustomStringConvertible {
    /// One sentence.
    public var description: String {
        switch self {
        case .wrongAddressKind: "the address is not this key's, or the form has no room for it"
        case .signing(let error): "\(error)"
        }
    }
}

extension Script {
    /// P2WPKH inside P2SH.
    fileprivate static func nested(_ hash: Bytes20) -> Script {
        .p2sh(hash160(Script.p2wpkh(hash).bytes))
    }
}

private func signing<Value: ~Copyable>(
    _ body: () throws(SigningError) -> Value
) throws(MessageSigningError) -> Value {
    do throws(SigningError) {
        return try body()
    } catch {
        throw .signing(error)
    }
}
