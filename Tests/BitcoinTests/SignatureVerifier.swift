import Bitcoin
import Curve
import Hashing
import Testing
import Wire

/// Verifies every signature that a finished transaction carries, by the form of its inputs. It is
/// no script interpreter: it asks that each signature belongs to one of the keys in the script.
struct SignatureVerifier {
    let transaction: Transaction
    let calculator: SighashCalculator
    let spentOutputs: [TransactionOutput]

    init(_ transaction: Transaction, spentOutputs: [TransactionOutput]) {
        self.transaction = transaction
        self.spentOutputs = spentOutputs
        calculator = SighashCalculator(transaction, spentOutputs: spentOutputs)
    }

    /// How many signatures there are; each is expected to verify.
    func verifiedSignatures() throws -> Int {
        try transaction.inputs.indices.reduce(0) { try $0 + verifySignatures(of: $1) }
    }

    func verifySignatures(of index: Int) throws -> Int {
        let input = transaction.inputs[index]
        var script = spentOutputs[index].scriptPubKey
        var items = try input.scriptSig.instructions().map { try #require($0.pushed) }
        if case .p2tr(let key) = script.template {
            return try verifyTaproot(index, XOnlyPublicKey(key), input.witness.items)
        }
        if case .p2sh(let hash) = script.template {
            let redeemScript = items.popLast()
            script = Script(try #require(redeemScript))
            #expect(hash160(script.bytes) == hash)
        }
        var isSegwit = true
        switch script.template {
        case .p2wpkh(let hash):
            items = input.witness.items
            script = .p2pkh(hash)
        case .p2wsh(let hash):
            items = input.witness.items
            let witnessScript = items.popLast()
            script = Script(try #require(witnessScript))
            #expect(SHA256.hash(script.bytes) == hash)
        default: isSegwit = false
        }
        let pushes = try script.instructions().compactMap(\.pushed)
        let keys = (items + pushes).compactMap { try? PublicKey($0) }
        return try items.filter { $0.count > 60 && $0.first == 0x30 }.map { item in
            let type = SighashType(rawValue: UInt32(try #require(item.last)))
            let signature = try ECDSASignature(der: Array(item.dropLast()))
            let hash =
                isSegwit
                ? try calculator.segwitV0(input: index, scriptCode: script, type: type)
                : try calculator.legacy(input: index, scriptCode: script, type: type)
            #expect(keys.contains { $0.verifies(signature.normalised, digest: hash) })
        }.count
    }

    private func verifyTaproot(
        _ index: Int, _ outputKey: XOnlyPublicKey, _ items: [[UInt8]]
    ) throws -> Int {
        guard items.count > 1 else {
            let (signature, type) = try schnorr(try #require(items.first))
            let hash = try calculator.taprootKeyPath(input: index, type: type)
            #expect(outputKey.verifies(signature, message: hash))
            return 1
        }
        let control = try ControlBlock(items[items.count - 1])
        let script = Script(items[items.count - 2])
        #expect(control.proves(script, in: outputKey.bytes))
        let leaf = TapLeaf(script, version: control.leafVersion)
        let keys = try script.instructions().compactMap(\.pushed).compactMap { Bytes32($0) }
            .compactMap { try? XOnlyPublicKey($0) }
        return try items.dropLast(2).filter { (64...65).contains($0.count) }.map { item in
            let (signature, type) = try schnorr(item)
            let hash = try calculator.taprootScriptPath(
                input: index, leafHash: leaf.hash, type: type)
            #expect(keys.contains { $0.verifies(signature, message: hash) })
        }.count
    }

    private func schnorr(_ item: [UInt8]) throws -> (SchnorrSignature, SighashType) {
        let type = item.count == 64 ? .default : SighashType(rawValue: UInt32(item[64]))
        return (try SchnorrSignature(Array(item.prefix(64))), type)
    }
}
