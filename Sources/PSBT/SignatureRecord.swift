public import Wire

/// What a signer gives back for one key of one input.
public struct SignatureRecord: Hashable, Sendable {
    /// Which key of the input, and how.
    public enum Kind: Hashable, Sendable {
        /// ECDSA, with the key of 33 or 65 bytes: DER and the sighash byte.
        case ecdsa(publicKey: [UInt8])
        /// Schnorr by the output key: 64 bytes, or 65 with the sighash byte.
        case taprootKey
        /// Schnorr by a key in a leaf: 64 bytes, or 65 with the sighash byte.
        case taprootScript(publicKey: Bytes32, leafHash: Bytes32)
        /// A public nonce of MuSig2, 66 bytes. Keys have 33 bytes.
        case musigNonce(participant: [UInt8], aggregateKey: [UInt8], leafHash: Bytes32?)
        /// A partial signature of MuSig2, 32 bytes. Keys have 33 bytes.
        case musigPartial(participant: [UInt8], aggregateKey: [UInt8], leafHash: Bytes32?)
    }

    /// The input, from 0.
    public let input: Int
    /// Which key.
    public let kind: Kind
    /// The signature or nonce as it stands in the PSBT.
    public let value: [UInt8]

    /// A signature or nonce for an input.
    public init(input: Int, kind: Kind, value: [UInt8]) {
        self.input = input
        self.kind = kind
        self.value = value
    }

    /// The record of an input map; nil for fields that hold no signature or nonce.
    init?(input: Int, _ record: PSBT.Record) {
        guard let type = record.type, let field = InputField(rawValue: type) else { return nil }
        self.input = input
        switch field {
        case .partialSignature: kind = .ecdsa(publicKey: Array(record.keyData))
        case .taprootKeySignature: kind = .taprootKey
        case .taprootScriptSignature:
            guard let key = Bytes32(record.keyData.prefix(32)),
                let leaf = Bytes32(record.keyData.dropFirst(32))
            else { return nil }
            kind = .taprootScript(publicKey: key, leafHash: leaf)
        case .musigPublicNonce:
            let musig = PSBT.MuSig2Contribution(record)
            kind = .musigNonce(
                participant: musig.participant, aggregateKey: musig.aggregateKey,
                leafHash: musig.leafHash)
        case .musigPartialSignature:
            let musig = PSBT.MuSig2Contribution(record)
            kind = .musigPartial(
                participant: musig.participant, aggregateKey: musig.aggregateKey,
                leafHash: musig.leafHash)
        default: return nil
        }
        value = Array(record.value)
    }

    /// The field that holds it.
    var field: InputField {
        switch kind {
        case .ecdsa: .partialSignature
        case .taprootKey: .taprootKeySignature
        case .taprootScript: .taprootScriptSignature
        case .musigNonce: .musigPublicNonce
        case .musigPartial: .musigPartialSignature
        }
    }

    /// The record that holds it.
    var record: PSBT.Record {
        let keyData: [UInt8] =
            switch kind {
            case .ecdsa(let publicKey): publicKey
            case .taprootKey: []
            case .taprootScript(let publicKey, let leafHash): publicKey.array + leafHash.array
            case .musigNonce(let participant, let aggregateKey, let leafHash),
                .musigPartial(let participant, let aggregateKey, let leafHash):
                participant + aggregateKey + (leafHash?.array ?? [])
            }
        return PSBT.Record(field, keyData: keyData, value: value)
    }
}
