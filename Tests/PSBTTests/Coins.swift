import Bitcoin
import Curve
import Hashing
import PSBT
import SecretMemory
import Signing
import Wire

/// An output to spend in a test, with the scripts behind it.
struct Coin {
    let scriptPubKey: Script
    var redeemScript: Script?
    var witnessScript: Script?
    var leaf: PSBT.TaprootLeafScript?
    var internalKey: Bytes32?
    var value = Coin.amount(100_000)

    static func amount(_ sats: UInt64) -> Amount { Amount(sats: sats) ?? .zero }

    /// A coin in P2SH.
    static func p2sh(_ redeem: Script, witness: Script? = nil) -> Coin {
        Coin(
            scriptPubKey: .p2sh(hash160(redeem.bytes)), redeemScript: redeem,
            witnessScript: witness)
    }

    /// A coin in P2WSH.
    static func p2wsh(_ script: Script) -> Coin {
        Coin(scriptPubKey: .p2wsh(SHA256.hash(script.bytes)), witnessScript: script)
    }

    /// A coin of one key in P2WPKH.
    static func p2wpkh(_ key: TestKey) -> Coin {
        Coin(scriptPubKey: .p2wpkh(hash160(key.publicKey)))
    }

    /// A taproot coin of a key, with one leaf if there is a script.
    static func p2tr(_ key: TestKey, leaf script: Script? = nil) throws -> Coin {
        let output = try TaprootOutput(
            internalKey: key.xOnly, tree: script.map { TapTree(TapLeaf($0)) })
        let leaf = script.map { script in
            PSBT.TaprootLeafScript(
                controlBlock: output.controlBlock(leaf: 0)?.serialized ?? [], script: script,
                leafVersion: 0xC0)
        }
        return Coin(
            scriptPubKey: output.scriptPubKey, leaf: leaf, internalKey: key.xOnly.bytes)
    }
}

/// A key of tests, by its number.
struct TestKey {
    let number: UInt8
    let publicKey: [UInt8]
    let xOnly: XOnlyPublicKey

    init(_ number: UInt8) throws {
        self.number = number
        let context = SigningContext()
        let key = try SecretKey(context) { $0[31] = number }
        publicKey = key.publicKey.compressed
        xOnly = key.publicKey.xOnly
    }

    /// An ECDSA signature with its sighash byte.
    func sign(_ digest: Bytes32, _ type: SighashType) throws -> [UInt8] {
        let context = SigningContext()
        let key = try SecretKey(context) { $0[31] = number }
        return try key.sign(digest, context).der + [UInt8(truncatingIfNeeded: type.rawValue)]
    }

    /// A Schnorr signature, by the tweaked key for key paths.
    func signSchnorr(
        _ digest: Bytes32, _ type: SighashType, tweakedWith root: Bytes32?? = nil
    ) throws -> [UInt8] {
        let context = SigningContext()
        let key = try SecretKey(context) { $0[31] = number }
        let byte = type == .default ? [] : [UInt8(truncatingIfNeeded: type.rawValue)]
        guard let root else { return try key.signSchnorr(digest, context).bytes + byte }
        return try key.taprootTweaked(merkleRoot: root, context)
            .signSchnorr(digest, context).bytes + byte
    }
}

extension PSBT {
    /// A PSBT that spends coins, with all that signers need. All coins are in one transaction.
    static func spending(
        _ coins: [Coin], to scripts: [Script] = [.opReturn([1])], version: Version = .v0,
        withPrevious: Bool = true
    ) throws -> PSBT {
        let source = TransactionInput(outpoint: OutPoint(txid: Txid(.zero), vout: 7))
        let previous = Transaction(
            inputs: [source],
            outputs: coins.map {
                TransactionOutput(value: $0.value, scriptPubKey: $0.scriptPubKey)
            })
        let txid = previous.txid
        var psbt = try PSBT(
            Transaction(
                inputs: coins.indices.map {
                    TransactionInput(
                        outpoint: OutPoint(txid: txid, vout: UInt32($0)), sequence: .replaceable)
                },
                outputs: scripts.map {
                    TransactionOutput(value: Coin.amount(1_000), scriptPubKey: $0)
                }),
            version: version)
        for (index, coin) in coins.enumerated() {
            var update = InputUpdate()
            if withPrevious {
                update.previousTransaction = previous
            } else {
                update.witnessUTXO = previous.outputs[index]
            }
            update.redeemScript = coin.redeemScript
            update.witnessScript = coin.witnessScript
            update.taprootInternalKey = coin.internalKey
            update.taprootLeafScripts = coin.leaf.map { [$0] } ?? []
            psbt = try psbt.updating(input: index, with: update)
        }
        return psbt
    }

    /// The signature of a key for an input, ECDSA or by the taproot key path.
    func signature(
        input index: Int, by key: TestKey, _ type: SighashType? = nil
    ) throws -> SignatureRecord {
        let calculator = try sighashCalculator()
        let spend = try spend(ofInput: index)
        let kind = SignatureRecord.Kind.ecdsa(publicKey: key.publicKey)
        switch spend.kind {
        case .legacy(let script):
            let digest = try calculator.legacy(
                input: index, scriptCode: script, type: type ?? .all)
            return SignatureRecord(
                input: index, kind: kind, value: try key.sign(digest, type ?? .all))
        case .witnessKeyHash, .witnessScript:
            let digest = try calculator.segwitV0(
                input: index, scriptCode: spend.scriptCode ?? .empty, type: type ?? .all)
            return SignatureRecord(
                input: index, kind: kind, value: try key.sign(digest, type ?? .all))
        case .taproot, .unsupported:
            let digest = try calculator.taprootKeyPath(input: index, type: type ?? .default)
            let leaf = inputs[index].taprootLeafScripts.first
            let value = try key.signSchnorr(
                digest, type ?? .default, tweakedWith: .some(leaf.map { TapLeaf($0.script).hash }))
            return SignatureRecord(input: index, kind: .taprootKey, value: value)
        }
    }

    /// The signature of a key for the one leaf of an input.
    func leafSignature(
        input index: Int, by key: TestKey, _ type: SighashType = .default
    ) throws -> SignatureRecord {
        let leafHash = TapLeaf(inputs[index].taprootLeafScripts[0].script).hash
        let digest = try sighashCalculator().taprootScriptPath(
            input: index, leafHash: leafHash, type: type)
        return SignatureRecord(
            input: index, kind: .taprootScript(publicKey: key.xOnly.bytes, leafHash: leafHash),
            value: try key.signSchnorr(digest, type))
    }
}
