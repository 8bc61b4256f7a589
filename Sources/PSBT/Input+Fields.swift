public import Bitcoin
public import Wire

/// The fields of an input that concern every kind of script.
extension PSBT.Input {
    /// The sighash type that signatures must have; nil where the signer chooses (ALL or DEFAULT).
    public var sighashType: SighashType? {
        map[InputField.sighashType].map { SighashType(rawValue: $0.littleEndian()) }
    }

    /// The script whose hash P2SH pays to.
    public var redeemScript: Script? { map.script(InputField.redeemScript) }
    /// The script whose hash P2WSH pays to.
    public var witnessScript: Script? { map.script(InputField.witnessScript) }
    /// ECDSA signatures.
    public var partialSignatures: [PSBT.PartialSignature] {
        map.all(InputField.partialSignature).map {
            PSBT.PartialSignature(publicKey: Array($0.keyData), signature: Array($0.value))
        }
    }
    /// Where the public keys come from, as somebody claims.
    public var derivations: [PSBT.Derivation] {
        map.all(InputField.derivation).map(PSBT.Derivation.init)
    }
    /// The complete scriptSig of a final input.
    public var finalScriptSig: Script? { map.script(InputField.finalScriptSig) }
    /// The complete witness of a final input.
    public var finalScriptWitness: Witness? {
        map[InputField.finalScriptWitness].flatMap { try? Witness(Array($0)) }
    }

    /// Whether the input has all that the network asks for: a scriptSig or a witness that is not
    /// empty.
    public var isFinal: Bool {
        map[InputField.finalScriptSig]?.isEmpty == false
            || (map[InputField.finalScriptWitness]?.first ?? 0) != 0
    }

    /// Whether there is a signature, partial or final.
    public var hasSignature: Bool {
        let fields: [InputField] = [
            .partialSignature, .taprootKeySignature, .taprootScriptSignature,
            .musigPartialSignature,
        ]
        return isFinal || fields.contains(where: map.has)
    }

    /// The preimage of a hash in a script.
    public func preimage(of hash: PSBT.PreimageHash) -> [UInt8]? {
        let (field, digest): (InputField, [UInt8]) =
            switch hash {
            case .ripemd160(let digest): (.ripemd160, digest.array)
            case .sha256(let digest): (.sha256, digest.array)
            case .hash160(let digest): (.hash160, digest.array)
            case .hash256(let digest): (.hash256, digest.array)
            }
        return map.value(of: ([field.rawValue] + digest)[...]).map(Array.init)
    }

    /// The least time that the lock time of the transaction must be (BIP370).
    public var requiredTime: LockTime? { map.lockTime(.requiredTime) }
    /// The least height that the lock time of the transaction must be (BIP370).
    public var requiredHeight: LockTime? { map.lockTime(.requiredHeight) }
    /// A commitment of a proof of reserves (BIP127).
    public var reserveCommitment: [UInt8]? { map[InputField.reserveCommitment].map(Array.init) }
}

/// The fields of taproot (BIP371), MuSig2 (BIP373) and silent payments (BIPs 375 and 376).
extension PSBT.Input {
    /// The signature for the output key: 64 bytes, or 65 with the sighash byte.
    public var taprootKeySignature: [UInt8]? { map[InputField.taprootKeySignature].map(Array.init) }
    /// Signatures for keys in leaves.
    public var taprootScriptSignatures: [PSBT.TaprootScriptSignature] {
        map.all(InputField.taprootScriptSignature).compactMap { record in
            guard let key = Bytes32(record.keyData.prefix(32)),
                let leaf = Bytes32(record.keyData.suffix(32))
            else { return nil }
            return PSBT.TaprootScriptSignature(
                publicKey: key, leafHash: leaf, signature: Array(record.value))
        }
    }
    /// Leaves that signers are expected to sign for.
    public var taprootLeafScripts: [PSBT.TaprootLeafScript] {
        map.all(InputField.taprootLeafScript).map {
            PSBT.TaprootLeafScript(
                controlBlock: Array($0.keyData), script: Script(Array($0.value.dropLast())),
                leafVersion: $0.value.last ?? 0)
        }
    }
    /// Where x-only keys come from, as somebody claims.
    public var taprootDerivations: [PSBT.TaprootDerivation] {
        map.all(InputField.taprootDerivation).compactMap(PSBT.TaprootDerivation.init)
    }
    /// The key that the output key is a tweak of.
    public var taprootInternalKey: Bytes32? {
        map[InputField.taprootInternalKey].flatMap { Bytes32($0) }
    }
    /// The root of the tree of leaves.
    public var taprootMerkleRoot: Bytes32? {
        map[InputField.taprootMerkleRoot].flatMap { Bytes32($0) }
    }
    /// Aggregate keys and who they are made of.
    public var musigParticipants: [PSBT.MuSig2Participants] {
        map.all(InputField.musigParticipants).map(PSBT.MuSig2Participants.init)
    }
    /// Public nonces, 66 bytes each.
    public var musigPublicNonces: [PSBT.MuSig2Contribution] {
        map.all(InputField.musigPublicNonce).map(PSBT.MuSig2Contribution.init)
    }
    /// Partial signatures, 32 bytes each.
    public var musigPartialSignatures: [PSBT.MuSig2Contribution] {
        map.all(InputField.musigPartialSignature).map(PSBT.MuSig2Contribution.init)
    }
    /// Shared secrets and their proofs by the scan key of the receiver.
    public var silentPaymentShares: [PSBT.SilentPaymentShare] {
        PSBT.SilentPaymentShare.pair(
            map.all(InputField.silentPaymentShare), map.all(InputField.silentPaymentProof))
    }
    /// Where the spend key of a silent payment that is spent comes from.
    public var silentPaymentSpendDerivations: [PSBT.Derivation] {
        map.all(InputField.silentPaymentSpendDerivation).map(PSBT.Derivation.init)
    }
    /// What is added to the spend key of a silent payment that is spent.
    public var silentPaymentTweak: Bytes32? {
        map[InputField.silentPaymentTweak].flatMap { Bytes32($0) }
    }
}

extension PSBT {
    /// A hash in a script that wants its preimage.
    public enum PreimageHash: Hashable, Sendable {
        /// RIPEMD-160.
        case ripemd160(Bytes20)
        /// SHA-256.
        case sha256(Bytes32)
        /// RIPEMD-160 of SHA-256.
        case hash160(Bytes20)
        /// SHA-256 of SHA-256.
        case hash256(Bytes32)
    }
}

extension RecordMap {
    func script(_ field: some Field) -> Script? { self[field].map { Script(Array($0)) } }

    fileprivate func lockTime(_ field: InputField) -> LockTime? {
        self[field].map { LockTime(rawValue: $0.littleEndian()) }
    }
}
