public import Bitcoin
import Hashing
public import Wire

/// How an input is spent, told by the scripts alone: by the scriptPubKey of the output and the
/// scripts that hash to it, never by which fields are there.
public struct Spend: Hashable, Sendable {
    /// The kinds of spending, by what signatures commit to.
    public enum Kind: Hashable, Sendable {
        /// A script from before segwit: the scriptPubKey, or the redeemScript of P2SH.
        case legacy(Script)
        /// P2WPKH with the HASH160 of its key.
        case witnessKeyHash(Bytes20)
        /// P2WSH with its script.
        case witnessScript(Script)
        /// P2TR with its output key.
        case taproot(outputKey: Bytes32)
        /// Anything that this code cannot sign for.
        case unsupported
    }

    /// The output that is spent.
    public let output: TransactionOutput
    /// Whether the previous transaction proves it.
    public let isProven: Bool
    /// How it is spent.
    public let kind: Kind
    /// The script that P2SH pays to.
    public let redeemScript: Script?

    /// Whether the sighash commits to the amount of this input, so that a signature for a wrong
    /// amount is worth nothing.
    public var signatureCommitsToAmount: Bool {
        switch kind {
        case .witnessKeyHash, .witnessScript, .taproot: true
        case .legacy, .unsupported: false
        }
    }

    /// What ECDSA signatures sign as script code; nil in taproot.
    public var scriptCode: Script? {
        switch kind {
        case .legacy(let script), .witnessScript(let script): script
        case .witnessKeyHash(let hash): .p2pkh(hash)
        case .taproot, .unsupported: nil
        }
    }
}

/// Why it is not known, or contradictory, how an input is spent.
public enum SpendError: Error, Hashable, Sendable {
    /// There is no such input.
    case noSuchInput(Int, count: Int)
    /// Neither UTXO field is there.
    case utxoMissing
    /// Signatures from before segwit do not commit to the amount, so the previous transaction is
    /// needed, not PSBT_IN_WITNESS_UTXO alone.
    case previousTransactionMissing
    /// P2SH without its script.
    case redeemScriptMissing
    /// The redeemScript is not the one that the output pays to.
    case redeemScriptDiffers
    /// P2WSH without its script.
    case witnessScriptMissing
    /// The witnessScript is not the one that the output or the redeemScript pays to.
    case witnessScriptDiffers
}

extension PSBT {
    /// How an input is spent (the checks of BIP174 before signing).
    public func spend(ofInput index: Int) throws(SpendError) -> Spend {
        guard inputs.indices.contains(index) else {
            throw .noSuchInput(index, count: inputs.count)
        }
        return try inputs[index].spend()
    }
}

extension PSBT.Input {
    func spend() throws(SpendError) -> Spend {
        guard let output = utxo.output else { throw .utxoMissing }
        var isProven = false
        if case .proven = utxo { isProven = true }
        let (kind, redeem) = try kind(of: output.scriptPubKey)
        if case .legacy = kind, !isProven { throw .previousTransactionMissing }
        return Spend(output: output, isProven: isProven, kind: kind, redeemScript: redeem)
    }

    private func kind(
        of scriptPubKey: Script
    ) throws(SpendError) -> (kind: Spend.Kind, redeemScript: Script?) {
        guard case .p2sh(let hash) = scriptPubKey.template else {
            if redeemScript != nil { throw .redeemScriptDiffers }
            return (try kindWithoutP2SH(of: scriptPubKey), nil)
        }
        guard let redeem = redeemScript else { throw .redeemScriptMissing }
        guard hash160(redeem.bytes) == hash else { throw .redeemScriptDiffers }
        let kind = try kindWithoutP2SH(of: redeem)
        // Taproot and later versions mean nothing inside P2SH.
        if case .taproot = kind { return (.unsupported, redeem) }
        return (kind, redeem)
    }

    private func kindWithoutP2SH(of script: Script) throws(SpendError) -> Spend.Kind {
        let template = script.template
        guard case .p2wsh(let hash) = template else {
            if witnessScript != nil { throw .witnessScriptDiffers }
            switch template {
            case .p2wpkh(let hash): return .witnessKeyHash(hash)
            case .p2tr(let key): return .taproot(outputKey: key)
            case .p2pk, .p2pkh, .multisig, .nonstandard, .p2sh:
                return script.isTooLarge ? .unsupported : .legacy(script)
            default: return .unsupported
            }
        }
        guard let witnessScript else { throw .witnessScriptMissing }
        guard SHA256.hash(witnessScript.bytes) == hash else { throw .witnessScriptDiffers }
        return witnessScript.isTooLarge ? .unsupported : .witnessScript(witnessScript)
    }

    /// The leaves of the output that is spent; none outside of taproot.
    func provenLeaves(of spend: Spend) -> [ProvenLeaf] {
        guard case .taproot(let outputKey) = spend.kind else { return [] }
        return provenLeaves(outputKey: outputKey)
    }

    /// The leaf scripts whose control block leads to the output key (BIP341), with their hashes.
    package func provenLeaves(outputKey: Bytes32) -> [ProvenLeaf] {
        taprootLeafScripts.compactMap { leaf in
            guard let block = try? ControlBlock(leaf.controlBlock),
                block.proves(leaf.script, in: outputKey)
            else { return nil }
            return ProvenLeaf(
                script: leaf.script, version: block.leafVersion, controlBlock: leaf.controlBlock)
        }
    }
}

extension Script {
    /// Outside of taproot consensus lets no larger script run, and each of
    /// its signatures would be verified over all of it.
    fileprivate var isTooLarge: Bool { bytes.count > Script.maximumSize }
}

/// A leaf that belongs to the output.
package struct ProvenLeaf {
    package let script: Script
    package let version: LeafVersion
    package let hash: Bytes32
    package let controlBlock: [UInt8]
    private let keys: Set<Bytes32>

    fileprivate init(script: Script, version: LeafVersion, controlBlock: [UInt8]) {
        self.script = script
        self.version = version
        self.controlBlock = controlBlock
        hash = TapLeaf(script, version: version).hash
        // A leaf may have as many keys and bytes as a block has room for: read once, not once a key.
        var keys: Set<Bytes32> = []
        var reader = ScriptReader(script)
        while let instruction = try? reader.next() {
            if let key = Bytes32(instruction.data) { keys.insert(key) }
        }
        self.keys = keys
    }

    /// Whether the leaf pushes this key.
    package func has(_ publicKey: Bytes32) -> Bool { keys.contains(publicKey) }
}

extension SpendError: CustomStringConvertible {
    /// What is missing or wrong, and what helps.
    public var description: String {
        switch self {
        case .noSuchInput(let index, let count): "input \(index) asked for, there are \(count)"
        case .utxoMissing:
            "the spent output is not there: neither PSBT_IN_NON_WITNESS_UTXO nor PSBT_IN_WITNESS_UTXO"
        case .previousTransactionMissing:
            "an output from before segwit needs its full previous transaction "
                + "(PSBT_IN_NON_WITNESS_UTXO), PSBT_IN_WITNESS_UTXO proves nothing"
        case .redeemScriptMissing: "PSBT_IN_REDEEM_SCRIPT is missing"
        case .redeemScriptDiffers:
            "PSBT_IN_REDEEM_SCRIPT is not the script that the output pays to"
        case .witnessScriptMissing: "PSBT_IN_WITNESS_SCRIPT is missing"
        case .witnessScriptDiffers:
            "PSBT_IN_WITNESS_SCRIPT is not the script that the output pays to"
        }
    }
}
