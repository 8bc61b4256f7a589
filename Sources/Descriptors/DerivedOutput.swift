public import Bitcoin
import Curve
import Hashing

/// One output of a descriptor: what locks it and everything that is needed to spend it but
/// signatures.
public struct DerivedOutput: Hashable, Sendable {
    /// What the descriptor makes of its keys, with the keys of this output.
    public let form: OutputForm<DerivedKey>
    /// What locks the output.
    public let scriptPubKey: Script
    /// The script that a P2SH output commits to.
    public let redeemScript: Script?
    /// The script that a P2WSH output commits to.
    public let witnessScript: Script?
    /// The keys and scripts of a taproot output.
    public let taproot: TaprootOutput?

    /// Makes the scripts.
    ///
    /// - Throws: `severalOutputs` for `combo`; `curve`.
    init(_ form: OutputForm<DerivedKey>) throws(DerivationError) {
        var (redeem, witness, taproot) = (Script?.none, Script?.none, TaprootOutput?.none)
        switch form {
        case .bare(let script): scriptPubKey = script.script
        case .sh(let script):
            redeem = script.script
            scriptPubKey = .p2sh(of: script.script)
        case .wpkh(let key): scriptPubKey = .p2wpkh(of: key)
        case .shWpkh(let key):
            redeem = .p2wpkh(of: key)
            scriptPubKey = .p2sh(of: .p2wpkh(of: key))
        case .wsh(let script):
            witness = script.script
            scriptPubKey = .p2wsh(of: script.script)
        case .shWsh(let script):
            witness = script.script
            redeem = .p2wsh(of: script.script)
            scriptPubKey = .p2sh(of: .p2wsh(of: script.script))
        case .tr(let key, let tree):
            let output = try TaprootOutput(key, tree)
            taproot = output
            scriptPubKey = output.scriptPubKey
        case .rawtr(let key): scriptPubKey = .p2tr(outputKey: key.publicKey.xOnly.bytes)
        case .combo: throw .severalOutputs
        case .raw(let script): scriptPubKey = script
        case .addr(let address): scriptPubKey = address.scriptPubKey
        }
        self.form = form
        redeemScript = redeem
        witnessScript = witness
        self.taproot = taproot
    }

    /// Its address; nil for scripts that have none.
    public func address(on network: Network) -> Address? {
        Address(scriptPubKey: scriptPubKey, network: network)
    }
}

extension LegacyScript<DerivedKey> {
    /// The script as it stands at the top or in P2SH.
    public var script: Script {
        switch self {
        case .pk(let key): .p2pk(key.bytes)
        case .pkh(let key): .p2pkh(hash160(key.bytes))
        case .multisig(let multisig):
            .multisig(
                required: multisig.required,
                keys: multisig.isSorted
                    ? multisig.keys.map(\.bytes).sorted { $0.lexicographicallyPrecedes($1) }
                    : multisig.keys.map(\.bytes))
        }
    }
}

extension WitnessScript<DerivedKey> {
    /// The script as it stands in a witness.
    public var script: Script { ordered.miniscript.script }

    /// The same with the keys of a sorted script in their order in the script.
    public var ordered: WitnessScript {
        guard isSorted else { return self }
        let context = miniscript.context
        let sorted = keys.map { (key: $0, bytes: $0.bytes(in: context)) }
            .sorted { $0.bytes.lexicographicallyPrecedes($1.bytes) }
        return replacingKeys(with: sorted.map(\.key))
    }
}

extension TaprootOutput {
    fileprivate init(
        _ key: DerivedKey, _ tree: ScriptTree<DerivedKey>?
    ) throws(DerivationError) {
        let nodes = tree?.leaves.map { leaf in
            TapTree.Node(depth: leaf.depth, leaf: TapLeaf(leaf.script.script))
        }
        var tapTree: TapTree?
        if let nodes {
            guard let complete = try? TapTree(nodes) else {
                preconditionFailure("the leaves of a descriptor make a tree")
            }
            tapTree = complete
        }
        do throws(CurveError) {
            try self.init(internalKey: key.publicKey.xOnly, tree: tapTree)
        } catch {
            throw .curve(error)
        }
    }
}

extension Script {
    fileprivate static func p2wpkh(of key: DerivedKey) -> Script {
        p2wpkh(key.publicKey.withCompressed { hash160($0) })
    }

    fileprivate static func p2sh(of script: Script) -> Script { p2sh(hash160(script.bytes)) }

    fileprivate static func p2wsh(of script: Script) -> Script {
        p2wsh(SHA256.hash(script.bytes))
    }
}
