public import Bitcoin

/// Why PSBTs cannot be combined.
public enum CombinationError: Error, Hashable, Sendable {
    /// There is none.
    case nothing
    /// One has version 0, another version 2: convert one first.
    case versionsDiffer
    /// One of them describes no transaction.
    case noTransaction(UnsignedTransactionError)
    /// They are about different transactions.
    case otherTransaction(Txid, Txid)
    /// They give an input different sequence numbers (version 2).
    case sequencesDiffer(input: Int)
    /// They say different things under the same key.
    case conflict(field: String, place: PSBT.Place)
    /// Together they break a rule.
    case invalid(PSBTError)
}

extension PSBT {
    /// All records of PSBTs of the same transaction (the Combiner of BIP174).
    ///
    /// Where two differ in what decides about money (scripts, amounts, UTXOs, origins, trees, nonces)
    /// or in what is not known, they are not combined. Of two signatures of the same key, and of two
    /// ways in which an input is final, the earlier PSBT's stays.
    public static func combining(_ psbts: [PSBT]) throws(CombinationError) -> PSBT {
        guard var combined = psbts.first else { throw .nothing }
        for other in psbts.dropFirst() { combined = try combined.combining(other) }
        return combined
    }

    /// All records of this and another PSBT of the same transaction.
    public func combining(_ other: PSBT) throws(CombinationError) -> PSBT {
        try checkIsSame(as: other)
        do throws(PSBTError) {
            let global = try Global(try mergedGlobal(other))
            var inputs: [Input] = []
            inputs.reserveCapacity(self.inputs.count)
            for (index, (mine, theirs)) in zip(self.inputs, other.inputs).enumerated() {
                let map = try mine.merged(with: theirs, at: .input(index))
                inputs.append(
                    try Input(
                        map, outpoint: mine.outpoint, sequence: mine.sequence,
                        at: .input(index)))
            }
            var outputs: [Output] = []
            outputs.reserveCapacity(self.outputs.count)
            for (index, (mine, theirs)) in zip(self.outputs, other.outputs).enumerated() {
                let map = try mine.map.merged(
                    with: theirs.map, at: .output(index), rules: OutputField.rules)
                outputs.append(
                    try Output(
                        map, value: mine.value, script: mine.scriptPubKey ?? theirs.scriptPubKey,
                        at: .output(index)))
            }
            let combined = PSBT(
                version: version, transactionVersion: transactionVersion,
                fallbackLockTime: fallbackLockTime, global: global, inputs: inputs,
                outputs: outputs)
            try combined.checkSilentPayments()
            return combined
        } catch {
            guard case .conflict = error.problem else { throw .invalid(error) }
            throw .conflict(field: error.field ?? "", place: error.place)
        }
    }

    private func checkIsSame(as other: PSBT) throws(CombinationError) {
        guard version == other.version else { throw .versionsDiffer }
        let (mine, theirs): (Txid, Txid)
        do throws(UnsignedTransactionError) {
            (mine, theirs) = (try identity(), try other.identity())
        } catch {
            throw .noTransaction(error)
        }
        guard mine == theirs else { throw .otherTransaction(mine, theirs) }
        let differing = zip(inputs, other.inputs).enumerated().first {
            $0.element.0.sequence != $0.element.1.sequence
        }
        if let differing { throw .sequencesDiffer(input: differing.offset) }
    }

    /// The global maps together. Flags of version 2 say what the stricter PSBT says.
    private func mergedGlobal(_ other: PSBT) throws(PSBTError) -> RecordMap {
        var (mine, theirs) = (global, other.global)
        if version == .v2, mine.modifiable != nil || theirs.modifiable != nil {
            let (one, two) = (mine.modifiable ?? [], theirs.modifiable ?? [])
            let open: Modifiable = [.inputs, .outputs]
            let flags = one.intersection(two).intersection(open)
                .union(one.union(two).subtracting(open))
            mine.modifiable = flags
            theirs.modifiable = flags
        }
        return try mine.map.merged(with: theirs.map, at: .global, rules: GlobalField.rules)
    }
}

extension PSBT.Input {
    /// Scripts that make an input final belong together and come from one PSBT.
    fileprivate func merged(
        with other: PSBT.Input, at place: PSBT.Place
    ) throws(PSBTError) -> RecordMap {
        var (mine, theirs) = (map, other.map)
        for field in [InputField.finalScriptSig, .finalScriptWitness] {
            if isFinal { theirs.set(field, nil) } else if other.isFinal { mine.set(field, nil) }
        }
        let hasPrevious = mine.has(InputField.nonWitnessUTXO)
        // Both hash to the outpoint's txid: they are the same but for witnesses.
        if hasPrevious { theirs.set(InputField.nonWitnessUTXO, nil) }
        return try mine.merged(
            with: theirs, at: place, rules: InputField.rules,
            keepingMine: [
                .partialSignature, .taprootKeySignature, .taprootScriptSignature,
            ])
    }
}

extension RecordMap {
    /// All records of both maps; for the named fields a record of this map wins over another with
    /// the same key.
    fileprivate func merged(
        with other: RecordMap, at place: PSBT.Place, rules: [FieldRule?],
        keepingMine: [InputField] = []
    ) throws(PSBTError) -> RecordMap {
        var values: [ArraySlice<UInt8>: ArraySlice<UInt8>] = [:]
        values.reserveCapacity(records.count)
        for record in records { values[record.key] = record.value }
        var additions: [PSBT.Record] = []
        for record in other.records {
            guard let mine = values[record.key] else {
                additions.append(record)
                continue
            }
            let isKept = keepingMine.contains { $0.rawValue == record.type }
            guard mine == record.value || isKept else {
                throw PSBTError(
                    place, .conflict, field: PSBT.fieldName(record, rules),
                    position: record.key.startIndex)
            }
        }
        var merged = self
        if !additions.isEmpty { merged.add(additions) }
        return merged
    }
}

extension CombinationError: CustomStringConvertible {
    /// One sentence: what and where.
    public var description: String {
        switch self {
        case .nothing: "there is no PSBT to combine"
        case .versionsDiffer: "a PSBT of version 0 and one of version 2; convert one of them first"
        case .noTransaction(let error): error.description
        case .otherTransaction(let one, let other):
            "these PSBTs are about different transactions: \(one) and \(other)"
        case .sequencesDiffer(let input): "input \(input) has different sequence numbers"
        case .conflict(let field, let place):
            "\(place): the PSBTs say different things in \(field); one of them was tampered with "
                + "or made from other data"
        case .invalid(let error): error.description
        }
    }
}
