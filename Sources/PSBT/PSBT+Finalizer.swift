import Bitcoin

extension PSBT {
    /// The PSBT with the final scripts of every input (the Input Finalizer of BIP174): all or
    /// nothing. Every signature that is used was verified before.
    ///
    /// P2PK, P2PKH, P2WPKH, multisig and taproot key paths and leaves with one key are built here; a
    /// satisfier finds the witnesses of other scripts.
    public func finalized(
        with satisfier: (any ScriptSatisfier)? = nil
    ) throws(FinalizationError) -> PSBT {
        let finalizer: InputFinalizer
        do throws(UnsignedTransactionError) {
            finalizer = try InputFinalizer(self, satisfier)
        } catch {
            throw .noTransaction(error)
        }
        return try finalized(finalizer)
    }

    func finalized(_ finalizer: InputFinalizer) throws(FinalizationError) -> PSBT {
        var psbt = self
        var reports: [FinalizationError.InputReport] = []
        for index in inputs.indices {
            let (scripts, state) = finalizer.finalize(index)
            reports.append(FinalizationError.InputReport(input: index, state: state))
            if let scripts { psbt.inputs[index].finalize(scripts) }
        }
        guard reports.allSatisfy(\.state.isComplete) else { throw .incomplete(reports) }
        return psbt
    }

    /// How far each input is, with what `finalized` would find.
    public func finalizationReport(
        with satisfier: (any ScriptSatisfier)? = nil
    ) throws(UnsignedTransactionError) -> [FinalizationError.InputReport] {
        let finalizer = try InputFinalizer(self, satisfier)
        return inputs.indices.map {
            FinalizationError.InputReport(input: $0, state: finalizer.finalize($0).state)
        }
    }
}

/// What makes an input final.
struct FinalScripts {
    var scriptSig = Script.empty
    var witness = Witness.empty
}

extension PSBT.Input {
    /// Sets the final scripts and removes what was only needed to find them. UTXOs, what makes up the
    /// transaction, silent payment shares (the extractor verifies with them) and everything unknown
    /// stay; of an input that spends a silent payment the witness UTXO goes too (BIP376).
    mutating func finalize(_ scripts: FinalScripts) {
        let kept: Set<InputField> = [
            .nonWitnessUTXO, .witnessUTXO, .previousTxid, .outputIndex, .sequence, .requiredTime,
            .requiredHeight, .silentPaymentShare, .silentPaymentProof, .proprietary,
        ]
        let spendsSilentPayment = map.has(InputField.silentPaymentTweak)
        map.removeAll { record in
            guard let type = record.type, let field = InputField(rawValue: type) else {
                return false
            }
            return !kept.contains(field) || (spendsSilentPayment && field == .witnessUTXO)
        }
        if spendsSilentPayment, !map.has(InputField.nonWitnessUTXO) { utxo = .missing }
        if !scripts.scriptSig.isEmpty {
            map.set(InputField.finalScriptSig, scripts.scriptSig.bytes)
        }
        if !scripts.witness.isEmpty {
            map.set(InputField.finalScriptWitness, scripts.witness.serialized)
        }
    }
}
