extension Transaction {
    /// Why a transaction can be valid in no block, whatever it spends.
    public enum Defect: Error, Hashable, Sendable {
        /// It spends nothing.
        case noInputs
        /// It pays nobody.
        case noOutputs
        /// Without witnesses, four times its bytes are more than a block's weight.
        case tooLarge(baseSize: Int)
        /// All outputs together pay more than 21 million BTC.
        case totalAboveMaximum
        /// Two inputs spend the same output (CVE-2018-17144).
        case duplicateInput(OutPoint)
        /// A coinbase's scriptSig has 2 to 100 bytes.
        case coinbaseScriptSize(Int)
        /// An input that spends nothing, in a transaction that is no coinbase.
        case nullOutpoint(input: Int)
    }

    /// Checks what needs nothing but the transaction itself. Amounts were checked when it was read.
    public func check() throws(Defect) {
        guard !inputs.isEmpty else { throw .noInputs }
        guard !outputs.isEmpty else { throw .noOutputs }
        guard baseSize * 4 <= Block.maximumWeight else { throw .tooLarge(baseSize: baseSize) }
        guard Amount.sum(outputs.lazy.map(\.value)) != nil else { throw .totalAboveMaximum }
        var spent: Set<OutPoint> = []
        for input in inputs where !spent.insert(input.outpoint).inserted {
            throw .duplicateInput(input.outpoint)
        }
        if isCoinbase {
            let size = inputs[0].scriptSig.bytes.count
            guard (2...100).contains(size) else { throw .coinbaseScriptSize(size) }
        } else if let index = inputs.firstIndex(where: { $0.outpoint == .null }) {
            throw .nullOutpoint(input: index)
        }
    }
}

extension Transaction.Defect: CustomStringConvertible {
    /// One sentence: what and where. Inputs count from 0.
    public var description: String {
        switch self {
        case .noInputs: "it spends nothing"
        case .noOutputs: "it pays nobody"
        case .tooLarge(let size): "\(size) bytes without witnesses, too large for any block"
        case .totalAboveMaximum: "it pays more than 21 million BTC"
        case .duplicateInput(let outpoint): "it spends \(outpoint) twice"
        case .coinbaseScriptSize(let size): "a coinbase script of \(size) bytes, 2 to 100 allowed"
        case .nullOutpoint(let input): "input \(input) spends nothing"
        }
    }
}
