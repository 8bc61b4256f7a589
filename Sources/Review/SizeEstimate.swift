import Bitcoin
import Hashing
import PSBT
import Wire

/// What an input adds to a transaction at most.
struct InputSize: Hashable, Sendable {
    /// Bytes of the scriptSig without its length.
    let scriptSig: Int
    /// Bytes of the witness with the number of its items; 0 without segwit.
    let witness: Int

    /// A signature in DER with its sighash byte, and the length in front.
    private static let signature = 73
    /// A compressed key with the length in front.
    private static let key = 34

    /// The input of a kind that takes one key or is a bare multisig; nil for others.
    init?(_ spend: Spend) {
        let redeem = spend.redeemScript.map { InputSize.push($0.bytes.count) } ?? 0
        switch spend.kind {
        case .witnessKeyHash:
            self.init(scriptSig: redeem, witness: 1 + InputSize.signature + InputSize.key)
        case .taproot: self.init(scriptSig: 0, witness: 1 + 1 + 65)
        case .legacy(let script):
            guard let size = InputSize.satisfaction(script) else { return nil }
            self.init(scriptSig: size + redeem, witness: 0)
        case .witnessScript(let script):
            guard let size = InputSize.satisfaction(script) else { return nil }
            let length = script.bytes.count
            self.init(scriptSig: redeem, witness: 1 + size + compactSizeLength(length) + length)
        case .unsupported: return nil
        }
    }

    /// The scripts of a final input.
    init(final input: PSBT.Input) {
        self.init(
            scriptSig: input.finalScriptSig?.bytes.count ?? 0,
            witness: input.finalScriptWitness?.serializedSize ?? 0)
    }

    init(scriptSig: Int, witness: Int) {
        self.scriptSig = scriptSig
        self.witness = witness
    }

    private static func satisfaction(_ script: Script) -> Int? {
        switch script.template {
        case .p2pk: signature
        case .p2pkh: signature + key
        case .multisig(let required, _): 1 + required * signature
        default: nil
        }
    }

    private static func push(_ count: Int) -> Int {
        count < 0x4C ? 1 + count : count < 0x100 ? 2 + count : 3 + count
    }
}

extension InputSize {
    /// The vbytes of a transaction with these inputs.
    static func vsize(of transaction: Transaction, inputs: [InputSize]) -> Int {
        let hasWitness = inputs.contains { $0.witness > 0 }
        var weight = 4 * transaction.baseSize + (hasWitness ? 2 : 0)
        for input in inputs {
            let scriptSig = compactSizeLength(input.scriptSig) - 1 + input.scriptSig
            weight += 4 * scriptSig + (hasWitness ? max(1, input.witness) : 0)
        }
        return (weight + 3) / 4
    }
}
