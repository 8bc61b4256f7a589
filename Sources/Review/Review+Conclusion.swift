import Bitcoin
import PSBT

extension Review {
    /// Adds up, judges the fee and makes the fact of the whole transaction.
    mutating func conclude(_ transaction: Transaction) -> TransactionFact {
        let sizes = inputSizes()
        if let unknown = sizes.firstIndex(of: nil) {
            log.record(
                .sizeUnknown, .input(unknown), "it is not known how large the input will be")
        }
        let known = sizes.compactMap { $0 }
        let vsize =
            known.count == sizes.count
            ? InputSize.vsize(of: transaction, inputs: known) : nil
        var fact = TransactionFact(
            psbtVersion: psbt.version, unsignedTxid: transaction.txid,
            version: transaction.version, lockTime: transaction.lockTime,
            lockTimeIsEnforced: transaction.lockTimeIsEnforced,
            signalsReplacement: transaction.inputs.contains(where: \.sequence.signalsReplacement),
            fee: .notProvable(inputs: inputs.count), vsize: vsize, feerate: nil,
            ownSpent: total(inputs.lazy.filter { $0.owner != nil }.compactMap(\.spent?.value)),
            ownReceived: total(outputs.lazy.filter(\.role.isOwn).map(\.value)),
            paid: total(outputs.lazy.filter { !$0.role.isOwn }.map(\.value)))
        fact.fee = computeFee()
        if case .proven(let fee) = fact.fee {
            fact.feerate = vsize.map { fee.sats * 1_000 / UInt64(max(1, $0)) }
            judge(fee, fact)
        }
        return fact
    }

    private func inputSizes() -> [InputSize?] {
        psbt.inputs.indices.map { index in
            if psbt.inputs[index].isFinal { return InputSize(final: psbt.inputs[index]) }
            if let owner = inputs[index].owner {
                return reviewer.index.policy(owner.account).inputSize
            }
            return spends[index].flatMap { InputSize($0) }
        }
    }

    /// A sum of amounts; all there are, where it is above that, which is a finding of its own.
    private func total(_ amounts: some Sequence<Amount>) -> Amount { Amount.sum(amounts) ?? .max }

    private mutating func computeFee() -> ReviewedFee {
        let spent = Amount.sum(inputs.lazy.compactMap(\.spent?.value))
        if spent == nil {
            log.record(.amountSum, .global, "the inputs together are above 21 million BTC")
        }
        guard let spent, let paid = Amount.sum(outputs.lazy.map(\.value)) else {
            return .notProvable(inputs: inputs.count)
        }
        let isComplete = inputs.allSatisfy { $0.spent != nil }
        guard let fee = spent.subtracting(paid) else {
            guard isComplete else { return unproven() }
            log.record(.feeNegative, .global, "\(paid) is paid, but only \(spent) is spent")
            return .negative
        }
        let isSure = inputs.allSatisfy { $0.proof == .proven || $0.proof == .committed }
        return isSure ? .proven(fee) : unproven()
    }

    private mutating func unproven() -> ReviewedFee {
        let unsure = inputs.indices.filter {
            inputs[$0].proof != .proven && inputs[$0].proof != .committed
        }
        for index in unsure {
            log.record(
                .feeUnproven, .input(index),
                "its amount is \(inputs[index].proof.rawValue), so that the fee is not known")
        }
        return .notProvable(inputs: unsure.count)
    }

    private mutating func judge(_ fee: Amount, _ fact: TransactionFact) {
        // Others could make their inputs as large as the fee needs to look small.
        let isQuiet =
            inputs.allSatisfy { $0.owner != nil }
            && fact.feerate.map { $0 <= limits.quietFeerate } ?? false
        let all = fact.paid.sats + fact.ownReceived.sats
        let base = fact.paid == .zero ? all : fact.paid.sats
        if !isQuiet,
            ReviewLimits.isShare(
                fee.sats, of: fee.sats + all, thousandths: limits.feeShareStop)
        {
            log.record(
                .feeShareExtreme, .global,
                "the fee of \(fee) is \(share(fee.sats, fee.sats + all)) of what is spent")
        } else if !isQuiet,
            ReviewLimits.isShare(fee.sats, of: base, thousandths: limits.feeShareWarning)
        {
            log.record(
                .feeShareHigh, .global,
                "the fee of \(fee) is \(share(fee.sats, base)) of the \(base) sat that "
                    + (fact.paid == .zero ? "come back" : "others get"))
        }
        if fee.sats >= limits.feeWarning {
            log.record(.feeLarge, .global, "the fee is \(fee)")
        }
        guard let feerate = fact.feerate else { return }
        if feerate >= limits.feerateStop {
            log.record(.feerateExtreme, .global, "the feerate is \(feerate / 1_000) sat/vB")
        } else if feerate >= limits.feerateWarning {
            log.record(.feerateHigh, .global, "the feerate is \(feerate / 1_000) sat/vB")
        } else if feerate < limits.relayFeerate {
            log.record(.feerateLow, .global, "the feerate is \(feerate) sat per 1,000 vB")
        }
    }

    /// Why a check has no meaning here; nil where it has.
    func absence(of scope: ReviewCheck.Scope, _ fact: TransactionFact) -> String? {
        switch scope {
        case .file, .transaction: return nil
        case .claims: return hasClaims ? nil : "no record names a key of a known wallet"
        case .ownInputs:
            return inputs.contains { $0.owner != nil } ? nil : "no input is ours"
        case .foreignInputs:
            return inputs.allSatisfy { $0.owner != nil } ? "every input is ours" : nil
        case .signatures: return hasSignatures ? nil : "no signature came with the file"
        case .ownOutputs:
            return outputs.contains { $0.owner != nil } ? nil : "no output is ours"
        case .data: return hasData ? nil : "no output carries data"
        case .fee, .feerate:
            guard case .proven = fact.fee else { return "the fee is not proven" }
            guard scope == .feerate else { return nil }
            return fact.feerate == nil ? "the size is not known" : nil
        }
    }
}

/// A share in whole percent.
private func share(_ part: UInt64, _ whole: UInt64) -> String {
    whole == 0 ? "more than all" : "\(part * 100 / whole) %"
}
