public import Bitcoin

/// Why no transaction was taken out of a PSBT.
public enum ExtractionError: Error, Hashable, Sendable {
    /// There is no single transaction.
    case noTransaction(UnsignedTransactionError)
    /// Inputs that are not final.
    case notFinal(inputs: [Int])
    /// There is nothing to spend or nothing to pay to.
    case empty
    /// The same output is spent twice.
    case spendsTwice(OutPoint)
    /// It pays more than it spends.
    case paysTooMuch(spent: Amount, paid: Amount)
    /// Amounts add up to more than 21 million BTC.
    case amountOutOfRange
    /// No block has room for it.
    case tooHeavy(found: Int, allowed: Int)
}

extension PSBT {
    /// The signed transaction (the Transaction Extractor of BIP174).
    ///
    /// Final scripts are taken as they are: no script is executed here. Whether the fee makes sense
    /// is a matter of the review.
    public func extracted() throws(ExtractionError) -> Transaction {
        var transaction: Transaction
        do throws(UnsignedTransactionError) {
            transaction = try unsignedTransaction()
        } catch {
            throw .noTransaction(error)
        }
        let unfinished = inputs.indices.filter { !inputs[$0].isFinal }
        guard unfinished.isEmpty else { throw .notFinal(inputs: unfinished) }
        for (index, input) in inputs.enumerated() {
            transaction.inputs[index].scriptSig = input.finalScriptSig ?? .empty
            transaction.inputs[index].witness = input.finalScriptWitness ?? .empty
        }
        try check(transaction)
        return transaction
    }

    private func check(_ transaction: Transaction) throws(ExtractionError) {
        guard !transaction.inputs.isEmpty, !transaction.outputs.isEmpty else { throw .empty }
        var seen: Set<OutPoint> = []
        for input in transaction.inputs where !seen.insert(input.outpoint).inserted {
            throw .spendsTwice(input.outpoint)
        }
        guard let paid = Amount.sum(transaction.outputs.map(\.value)) else {
            throw .amountOutOfRange
        }
        let known = inputs.compactMap(\.utxo.output)
        if known.count == inputs.count {
            guard let spent = Amount.sum(known.map(\.value)) else { throw .amountOutOfRange }
            guard spent >= paid else { throw .paysTooMuch(spent: spent, paid: paid) }
        }
        let limit = 4 * PSBT.maximumTransactionSize
        guard transaction.weight <= limit else {
            throw .tooHeavy(found: transaction.weight, allowed: limit)
        }
    }
}

extension ExtractionError: CustomStringConvertible {
    /// One sentence: what and where.
    public var description: String {
        switch self {
        case .noTransaction(let error): error.description
        case .notFinal(let inputs):
            "not all inputs are complete: "
                + inputs.map { "input \($0)" }.joined(separator: ", ")
        case .empty: "the transaction has no input or no output"
        case .spendsTwice(let outpoint): "output \(outpoint) is spent twice"
        case .paysTooMuch(let spent, let paid): "it spends \(spent) and pays \(paid)"
        case .amountOutOfRange: "the amounts add up to more than 21 million BTC"
        case .tooHeavy(let found, let allowed):
            "\(found) weight units, a block has room for \(allowed)"
        }
    }
}
