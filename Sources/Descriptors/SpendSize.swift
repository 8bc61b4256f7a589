import Bitcoin
import Wire

/// What an input adds to a transaction at most when it spends an output of a descriptor.
///
/// ECDSA signatures count 72 bytes and Schnorr signatures 65, both with a sighash byte; most are one
/// byte shorter.
public struct SpendSize: Hashable, Sendable {
    /// Bytes of the scriptSig without its length.
    public let scriptSig: Int
    /// Bytes of the witness with the number of its items; 0 without segwit.
    public let witness: Int

    /// Weight units of the whole input: outpoint, scriptSig and sequence four times, the witness
    /// once. An input without witness counts one more in a transaction that has any witness.
    public var inputWeight: Int {
        4 * (36 + compactSizeLength(scriptSig) + scriptSig + 4) + witness
    }

    static let signature = 1 + 72
}

extension Descriptor {
    /// The largest input that can spend an output; nil where nothing says how (`raw`, `addr`), and
    /// for `combo`, whose outputs differ. Of a taproot output it is the largest way, which need not
    /// be the one that is used.
    public var maximumSpendSize: SpendSize? {
        switch form {
        case .bare(let script): SpendSize(scriptSig: script.satisfactionSize, witness: 0)
        case .sh(let script):
            SpendSize(
                scriptSig: script.satisfactionSize + pushedSize(script.size), witness: 0)
        case .wpkh: .p2wpkh(scriptSig: 0)
        case .shWpkh: .p2wpkh(scriptSig: pushedSize(22))
        case .wsh(let script): script.spendSize(scriptSig: 0)
        case .shWsh(let script): script.spendSize(scriptSig: pushedSize(34))
        case .tr(_, let tree):
            (tree?.leaves.indices ?? 0..<0).compactMap { leafSpendSize($0) }
                .max { $0.witness < $1.witness } ?? keyPathSpendSize
        case .rawtr: keyPathSpendSize
        case .combo, .raw, .addr: nil
        }
    }

    /// The input that spends a taproot output with its key alone; nil for other outputs.
    public var keyPathSpendSize: SpendSize? {
        switch form {
        case .tr, .rawtr:
            SpendSize(scriptSig: 0, witness: 1 + 1 + ScriptContext.tapscript.maximumSignatureLength)
        default: nil
        }
    }

    /// The largest input that spends a taproot output through one of its leaves, counted from the
    /// left; nil for other outputs and other leaves.
    public func leafSpendSize(_ index: Int) -> SpendSize? {
        guard case .tr(_, let tree?) = form, tree.leaves.indices.contains(index) else { return nil }
        let leaf = tree.leaves[index]
        let controlBlock = 33 + 32 * leaf.depth
        return leaf.script.spendSize(
            scriptSig: 0, besides: compactSizeLength(controlBlock) + controlBlock)
    }
}

extension SpendSize {
    fileprivate static func p2wpkh(scriptSig: Int) -> SpendSize {
        SpendSize(scriptSig: scriptSig, witness: 1 + signature + 1 + 33)
    }
}

extension LegacyScript<KeyExpression> {
    fileprivate var satisfactionSize: Int {
        switch self {
        case .pk: SpendSize.signature
        case .pkh(let key): SpendSize.signature + 1 + key.size
        case .multisig(let multisig): 1 + multisig.required * SpendSize.signature
        }
    }
}

extension WitnessScript {
    /// `besides` is what follows the script in the witness.
    fileprivate func spendSize(scriptSig: Int, besides: Int = 0) -> SpendSize? {
        guard let bounds = miniscript.resourceBounds else { return nil }
        let size = miniscript.scriptSize
        return SpendSize(
            scriptSig: scriptSig,
            witness: compactSizeLength(bounds.witnessItems + (besides == 0 ? 1 : 2))
                + bounds.witnessSize + compactSizeLength(size) + size + besides)
    }
}

/// Bytes of a push of so many bytes.
private func pushedSize(_ count: Int) -> Int {
    switch count {
    case ...75: 1 + count
    case ...255: 2 + count
    default: 3 + count
    }
}
