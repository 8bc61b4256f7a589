import Bitcoin

extension InputField {
    /// What is wrong with a value of the right length, if anything. The previous transaction is
    /// judged where the outpoint is known.
    func problem(with record: PSBT.Record) -> PSBTError.Problem? {
        switch self {
        case .witnessUTXO:
            FieldValues.transactionProblem { () throws(TransactionError) in
                _ = try TransactionOutput(Array(record.value))
            }
        case .partialSignature: FieldValues.ecdsaSignature(record.value)
        case .finalScriptWitness: FieldValues.witness(record.value)
        case .ripemd160, .sha256, .hash160, .hash256: FieldValues.preimage(record, of: self)
        case .requiredTime: FieldValues.lockTime(record.value, isTime: true)
        case .requiredHeight: FieldValues.lockTime(record.value, isTime: false)
        case .taprootKeySignature, .taprootScriptSignature:
            FieldValues.schnorrSignature(record.value)
        case .taprootLeafScript: FieldValues.leafScript(record)
        case .taprootDerivation: FieldValues.taprootOrigin(record.value)
        case .proprietary: FieldValues.proprietary(record.keyData)
        default: nil
        }
    }
}

extension OutputField {
    /// What is wrong with a value of the right length, if anything.
    func problem(with record: PSBT.Record) -> PSBTError.Problem? {
        switch self {
        case .taprootTree: FieldValues.taprootTree(record.value)
        case .taprootDerivation: FieldValues.taprootOrigin(record.value)
        case .dnssecProof: FieldValues.dnssecProof(record.value)
        case .proprietary: FieldValues.proprietary(record.keyData)
        default: nil
        }
    }
}
