import Bitcoin
import PSBT

extension Review {
    /// Says of each input how sure its amount is.
    ///
    /// A taproot signature of ours commits to the amounts of all inputs (BIP341), one of segwit version
    /// 0 to that of its own input (BIP143): a false amount makes it worthless. For version 0 that holds
    /// within one review only: from two reviews with a different lie each, two right signatures can
    /// be joined. So more than one such amount is a warning.
    mutating func proveAmounts() {
        let elsewhere = outputsProvenElsewhere()
        for (index, input) in psbt.inputs.enumerated() {
            switch input.utxo {
            case .proven: inputs[index].proof = .proven
            case .missing: inputs[index].proof = .missing
            case .claimed(let claimed):
                guard let proven = elsewhere[input.outpoint] else {
                    inputs[index].proof = .unproven
                    continue
                }
                inputs[index].proof = proven == claimed ? .proven : .contradictory
                guard proven != claimed else { continue }
                log.record(
                    .amountContradicts, .input(index),
                    "\(claimed.value) is claimed, the previous transaction at another input says "
                        + (proven?.value.description ?? "that there is no such output"))
            }
        }
        let isBoundByTaproot = inputs.indices.contains { isSigning($0) && isTaproot($0) }
        var resting: [Int] = []
        for index in inputs.indices where inputs[index].proof == .unproven {
            if isBoundByTaproot {
                inputs[index].proof = .committed
            } else if isSigning(index), spends[index]?.signatureCommitsToAmount == true {
                inputs[index].proof = .committed
                resting.append(index)
            }
        }
        for index in resting {
            log.record(
                resting.count > 1 ? .segwitUnproven : .segwitCommitted, .input(index),
                "its amount is proven by this signature alone")
        }
    }

    /// Whether an own signature of this input binds what it commits to: one that is made now, or one
    /// that came with the file and was verified.
    private func isSigning(_ index: Int) -> Bool {
        inputs[index].isSignable
            || (inputs[index].verifiedSignatures > 0
                && isSigned(psbt.inputs[index], by: ownKeys[index])
                && log.count(.sighashNotAllowed) == 0)
    }

    /// Outputs that an input claims and another input's previous transaction proves or refutes; nil in
    /// the value where there is no such output.
    private func outputsProvenElsewhere() -> [OutPoint: TransactionOutput?] {
        var wanted: [Txid: [OutPoint]] = [:]
        for input in psbt.inputs {
            guard case .claimed = input.utxo else { continue }
            wanted[input.outpoint.txid, default: []].append(input.outpoint)
        }
        var found: [OutPoint: TransactionOutput?] = [:]
        for input in psbt.inputs where !wanted.isEmpty {
            guard case .proven = input.utxo,
                let outpoints = wanted.removeValue(forKey: input.outpoint.txid),
                let transaction = input.previousTransaction
            else { continue }
            for outpoint in outpoints {
                let index = Int(exactly: outpoint.vout) ?? .max
                let output =
                    transaction.outputs.indices.contains(index)
                    ? transaction.outputs[index] : nil
                found[outpoint] = .some(output)
            }
        }
        return found
    }
}
