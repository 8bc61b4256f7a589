public import Bitcoin

/// Why an update was not put into a PSBT.
public enum UpdateError: Error, Hashable, Sendable {
    /// There is no such input or output.
    case noSuchPlace(PSBT.Place)
    /// A record has a wrong form, or something else is there already.
    case record(PSBTError)
    /// The scripts do not belong to the output that is spent.
    case spend(input: Int, SpendError)
    /// The input is final already; nothing is added to it.
    case final(input: Int)
}

extension PSBT {
    /// The PSBT with everything of an update added to an input (the Updater of BIP174). What is there
    /// already is never replaced.
    public func updating(
        input index: Int, with update: InputUpdate
    ) throws(UpdateError) -> PSBT {
        var psbt = self
        try psbt.update(input: index, with: update)
        return psbt
    }

    /// The PSBT with the updates of all inputs, in input order, added in one pass.
    ///
    /// - Precondition: one update an input.
    public func updating(inputs updates: [InputUpdate]) throws(UpdateError) -> PSBT {
        precondition(updates.count == inputs.count)
        var psbt = self
        for (index, update) in updates.enumerated() {
            try psbt.update(input: index, with: update)
        }
        return psbt
    }

    private mutating func update(
        input index: Int, with update: InputUpdate
    ) throws(UpdateError) {
        guard inputs.indices.contains(index) else { throw .noSuchPlace(.input(index)) }
        guard !inputs[index].isFinal else { throw .final(input: index) }
        let input = inputs[index]
        do throws(PSBTError) {
            let map = try input.map.updated(
                update.records, at: .input(index), rules: InputField.rules)
            inputs[index] = try Input(
                map, outpoint: input.outpoint, sequence: input.sequence, at: .input(index))
        } catch {
            throw .record(error)
        }
        do throws(SpendError) {
            _ = try spend(ofInput: index)
        } catch {
            // What is still missing may come with the next update.
            switch error {
            case .redeemScriptDiffers, .witnessScriptDiffers: throw .spend(input: index, error)
            default: break
            }
        }
    }

    /// The PSBT with everything of an update added to an output.
    public func updating(
        output index: Int, with update: OutputUpdate
    ) throws(UpdateError) -> PSBT {
        guard outputs.indices.contains(index) else { throw .noSuchPlace(.output(index)) }
        var psbt = self
        let output = outputs[index]
        do throws(PSBTError) {
            let map = try output.map.updated(
                update.records, at: .output(index), rules: OutputField.rules)
            psbt.outputs[index] = try Output(
                map, value: output.value, script: output.scriptPubKey, at: .output(index))
        } catch {
            throw .record(error)
        }
        return psbt
    }

    /// The PSBT with those of the given transactions that its inputs spend from, and the inputs that
    /// got one. Outputs since segwit also get PSBT_IN_WITNESS_UTXO, which other software looks for.
    public func addingPreviousTransactions(
        _ transactions: [Transaction]
    ) throws(UpdateError) -> (psbt: PSBT, inputs: [Int]) {
        let byTxid = Dictionary(
            transactions.map { ($0.txid, $0) }, uniquingKeysWith: { first, _ in first })
        var psbt = self
        var updated: [Int] = []
        for (index, input) in inputs.enumerated() where !input.isFinal {
            guard let transaction = byTxid[input.outpoint.txid] else { continue }
            var update = InputUpdate()
            if !input.map.has(InputField.nonWitnessUTXO) {
                update.previousTransaction = transaction
            }
            if let vout = Int(exactly: input.outpoint.vout),
                transaction.outputs.indices.contains(vout),
                input.spendsSegwit(transaction.outputs[vout].scriptPubKey),
                !input.map.has(InputField.witnessUTXO)
            {
                update.witnessUTXO = transaction.outputs[vout]
            }
            try psbt.update(input: index, with: update)
            updated.append(index)
        }
        return (psbt, updated)
    }
}

extension PSBT.Input {
    /// Whether the script is a witness program, by itself or in P2SH as far as that is known.
    fileprivate func spendsSegwit(_ script: Script) -> Bool {
        script.witnessProgram != nil || redeemScript?.witnessProgram != nil
    }
}

extension RecordMap {
    /// The map with more records; the same record twice does no harm, another value does.
    fileprivate func updated(
        _ records: [PSBT.Record], at place: PSBT.Place, rules: [FieldRule?]
    ) throws(PSBTError) -> RecordMap {
        var map = self
        for record in records {
            guard let type = record.type, let rule = rules[Int(type)] else { continue }
            if let problem = rule.problem(keyData: record.keyData, value: record.value) {
                throw PSBTError(place, problem, field: rule.name)
            }
            if let present = map.value(of: record.key), present != record.value {
                throw PSBTError(place, .conflict, field: rule.name)
            }
            map.set(record)
        }
        return map
    }
}

extension PSBT.Place {
    fileprivate var missingText: String { "there is no \(self)" }
}

extension UpdateError: CustomStringConvertible {
    /// One sentence: what and where.
    public var description: String {
        switch self {
        case .noSuchPlace(let place): place.missingText
        case .record(let error): error.description
        case .spend(let input, let error): "input \(input): \(error)"
        case .final(let input): "input \(input) is final, nothing is added to it"
        }
    }
}
