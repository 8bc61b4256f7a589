public import Bitcoin

/// Why a PSBT does not describe one transaction.
public enum UnsignedTransactionError: Error, Hashable, Sendable {
    /// One input can only be spent with a height as lock time, another only with a time.
    case lockTimesConflict(heightInput: Int, timeInput: Int)
    /// The script of a silent payment is not computed yet (BIP375).
    case scriptNotComputed(output: Int)
}

extension PSBT {
    /// The lock time of the transaction, by the rules of BIP370 in version 2.
    public func lockTime() throws(UnsignedTransactionError) -> LockTime {
        var (height, time) = (LockTime.none, LockTime.none)
        var onlyHeight: Int?
        var onlyTime: Int?
        for (index, input) in inputs.enumerated() {
            let required = (height: input.requiredHeight, time: input.requiredTime)
            if let minimum = required.height, minimum.rawValue > height.rawValue {
                height = minimum
            }
            if let minimum = required.time, minimum.rawValue > time.rawValue { time = minimum }
            if required.height != nil, required.time == nil { onlyHeight = onlyHeight ?? index }
            if required.time != nil, required.height == nil { onlyTime = onlyTime ?? index }
        }
        if let onlyHeight, let onlyTime {
            throw .lockTimesConflict(heightInput: onlyHeight, timeInput: onlyTime)
        }
        // Heights win where both would do.
        if onlyTime == nil, height != .none { return height }
        return time == .none ? fallbackLockTime : time
    }

    /// The transaction without scriptSigs and witnesses.
    public func unsignedTransaction() throws(UnsignedTransactionError) -> Transaction {
        var paid: [TransactionOutput] = []
        paid.reserveCapacity(outputs.count)
        for (index, output) in outputs.enumerated() {
            guard let script = output.scriptPubKey else {
                throw .scriptNotComputed(output: index)
            }
            paid.append(TransactionOutput(value: output.value, scriptPubKey: script))
        }
        return Transaction(
            version: transactionVersion,
            inputs: inputs.map {
                TransactionInput(outpoint: $0.outpoint, sequence: $0.sequence)
            },
            outputs: paid, lockTime: try lockTime())
    }

    /// Names the PSBT whatever its signatures: the txid of the unsigned transaction, in version 2 with
    /// all sequence numbers 0 (BIP370) and silent payment addresses for scripts (BIP375).
    public func identity() throws(UnsignedTransactionError) -> Txid {
        if version == .v0 { return try unsignedTransaction().txid }
        let paid = outputs.map { output in
            let address = output.silentPaymentAddress.map {
                Script([0] + $0.scanKey + $0.spendKey)
            }
            return TransactionOutput(
                value: output.value, scriptPubKey: address ?? output.scriptPubKey ?? .empty)
        }
        let spent = inputs.map {
            TransactionInput(
                outpoint: $0.outpoint, sequence: SequenceNumber(rawValue: 0))
        }
        return Transaction(
            version: transactionVersion, inputs: spent, outputs: paid, lockTime: try lockTime()
        ).txid
    }

    /// Computes what signatures commit to. Amounts come from the PSBT, proven or not.
    public func sighashCalculator() throws(UnsignedTransactionError) -> SighashCalculator {
        SighashCalculator(try unsignedTransaction(), spentOutputs: inputs.map(\.utxo.output))
    }
}

extension UnsignedTransactionError: CustomStringConvertible {
    /// One sentence: what and where.
    public var description: String {
        switch self {
        case .lockTimesConflict(let heightInput, let timeInput):
            "input \(heightInput) needs a block height as lock time, input \(timeInput) a time; "
                + "one transaction cannot spend both"
        case .scriptNotComputed(let output):
            "output \(output) is a silent payment whose script is not computed yet"
        }
    }
}
