import Bitcoin
public import PSBT
import Wire

extension DerivedOutput {
    /// What a PSBT says of an input that spends this output: scripts, keys and where they come from.
    /// The output that is spent is not in it.
    public var inputUpdate: InputUpdate {
        var update = InputUpdate()
        update.redeemScript = redeemScript
        update.witnessScript = witnessScript
        update.derivations = derivations
        update.taprootInternalKey = taproot?.internalKey.bytes
        update.taprootMerkleRoot = taproot?.tree?.merkleRoot
        update.taprootLeafScripts = leafScripts
        update.taprootDerivations = taprootDerivations
        update.musigParticipants = musigParticipants
        return update
    }

    /// What a PSBT says of an output of this wallet, such as change.
    public var outputUpdate: OutputUpdate {
        var update = OutputUpdate()
        update.redeemScript = redeemScript
        update.witnessScript = witnessScript
        update.derivations = derivations
        update.taprootInternalKey = taproot?.internalKey.bytes
        update.taprootTree =
            taproot?.tree?.nodes.map {
                PSBT.TreeLeaf(
                    depth: $0.depth, leafVersion: $0.leaf.version.rawValue, script: $0.leaf.script)
            } ?? []
        update.taprootDerivations = taprootDerivations
        update.musigParticipants = musigParticipants
        return update
    }

    private var isTaproot: Bool {
        switch form {
        case .tr, .rawtr: true
        default: false
        }
    }

    /// The keys of ECDSA scripts. A taproot output has none: what reads them would look for another
    /// script.
    private var derivations: [PSBT.Derivation] {
        guard !isTaproot else { return [] }
        var seen: Set<[UInt8]> = []
        return form.keys.compactMap { key in
            seen.insert(key.bytes).inserted
                ? PSBT.Derivation(publicKey: key.bytes, origin: key.origin) : nil
        }
    }

    private var leafScripts: [PSBT.TaprootLeafScript] {
        guard let taproot, let tree = taproot.tree else { return [] }
        return tree.nodes.enumerated().compactMap { index, node in
            taproot.controlBlock(leaf: index).map {
                PSBT.TaprootLeafScript(
                    controlBlock: $0.serialized, script: node.leaf.script,
                    leafVersion: node.leaf.version.rawValue)
            }
        }
    }

    /// The internal key, the keys of leaves with the hashes of those leaves, and whatever keys they
    /// were aggregated from.
    private var taprootDerivations: [PSBT.TaprootDerivation] {
        var origins: [Bytes32: KeyOrigin] = [:]
        var leaves: [Bytes32: Set<Bytes32>] = [:]
        for (key, leaf) in keysWithLeaves {
            for key in [key] + (key.aggregate?.participants ?? []) {
                let bytes = key.publicKey.xOnly.bytes
                origins[bytes] = origins[bytes] ?? key.origin
                leaves[bytes, default: []].formUnion(leaf.map { [$0] } ?? [])
            }
        }
        return origins.sorted { $0.key < $1.key }.map { bytes, origin in
            PSBT.TaprootDerivation(
                publicKey: bytes, leafHashes: leaves[bytes, default: []].sorted(), origin: origin)
        }
    }

    /// Every use of a key; the hash of the leaf is nil for internal and output keys.
    private var keysWithLeaves: [(DerivedKey, Bytes32?)] {
        switch form {
        case .rawtr(let key): return [(key, nil)]
        case .tr(let key, let tree):
            var uses: [(DerivedKey, Bytes32?)] = [(key, nil)]
            let nodes = taproot?.tree?.nodes ?? []
            for (leaf, node) in zip(tree?.leaves ?? [], nodes) {
                uses += leaf.script.keys.map { ($0, node.leaf.hash) }
            }
            return uses
        default: return []
        }
    }

    private var musigParticipants: [PSBT.MuSig2Participants] {
        let aggregates = Set(keysWithLeaves.compactMap { $0.0.aggregate })
        return aggregates.sorted { $0.publicKey < $1.publicKey }.map { aggregate in
            PSBT.MuSig2Participants(
                aggregateKey: aggregate.publicKey.compressed,
                participants: aggregate.participants.map(\.publicKey.compressed))
        }
    }
}
