import Bitcoin
import Curve
import KeyTree
import PSBT
import PSBTSigning
import SecretMemory
import Signing
import TestSupport
import Testing
import Wire

/// The three phrases whose keys are in the recorded wallets.
enum Signer: String, CaseIterable, Sendable {
    case a =
        "abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon about"
    case b = "legal winner thank year wave sausage worth useful legal winner thank yellow"
    case c = "letter advice cage absurd amount doctor acoustic avoid letter advice cage above"

    /// Adds this signer's signatures to a PSBT.
    func sign(
        _ psbt: PSBT, allowing types: Set<SighashType> = [.default, .all], inputs: Set<Int>? = nil
    ) throws -> PSBT {
        try psbt.adding(records(psbt, allowing: types, inputs: inputs))
    }

    /// A leaf of one key of this signer, `m/0`.
    func leafScript() throws -> Script {
        let key = try master().derive(DerivationPath("m/0"), SigningContext()).key.publicKey
        return Script.build {
            $0.push(key.xOnly.bytes)
            $0.append(.checkSig)
        }
    }

    /// A PSBT that spends a taproot output whose key path nobody has (BIP341), with all its leaves
    /// and the claim that `m/0` is in each.
    func spending(_ tree: TapTree) throws -> PSBT {
        let nobody = "50929b74c1a04954b78b4b6035e97a5e078a5a0f28ec96d547bfee9ace803ac0"
        let output = try TaprootOutput(
            internalKey: XOnlyPublicKey(#require(Bytes32(Hex.decode(nobody)))), tree: tree)
        let amount = try #require(Amount(sats: 1_000))
        let previous = Transaction(
            inputs: [TransactionInput(outpoint: OutPoint(txid: Txid(.zero), vout: 7))],
            outputs: [TransactionOutput(value: amount, scriptPubKey: output.scriptPubKey)])
        var update = InputUpdate()
        update.previousTransaction = previous
        let leaves = try tree.nodes.indices.map { index in
            PSBT.TaprootLeafScript(
                controlBlock: try #require(output.controlBlock(leaf: index)).serialized,
                script: tree.nodes[index].leaf.script,
                leafVersion: tree.nodes[index].leaf.version.rawValue)
        }
        update.taprootLeafScripts = Array(Set(leaves))
        let path = try DerivationPath("m/0")
        update.taprootDerivations = [
            PSBT.TaprootDerivation(
                publicKey: try master().derive(path, SigningContext()).key.publicKey.xOnly.bytes,
                leafHashes: Array(Set(tree.nodes.map(\.leaf.hash))),
                origin: KeyOrigin(fingerprint: try master().fingerprint, path: path))
        ]
        return try PSBT(
            Transaction(
                inputs: [TransactionInput(outpoint: OutPoint(txid: previous.txid, vout: 0))],
                outputs: [TransactionOutput(value: .zero, scriptPubKey: .opReturn([]))])
        ).updating(input: 0, with: update)
    }

    /// This signer's master key.
    func master() throws -> ExtendedPrivateKey {
        let words = Array(rawValue.utf8)
        let text = SecretBytes(count: words.count) { $0.copyBytes(from: words) }
        let seed = try Mnemonic(text: text).seed(passphrase: SecretBytes(count: 0))
        return try ExtendedPrivateKey(seed: seed, network: .test, SigningContext())
    }

    /// This signer's signatures.
    func records(
        _ psbt: PSBT, allowing types: Set<SighashType> = [.default, .all], inputs: Set<Int>? = nil
    ) throws -> [SignatureRecord] {
        try PSBTSigner(psbt, allowing: types)
            .sign(with: master(), inputs: inputs, SigningContext())
    }
}

/// A PSBT that Bitcoin Core made for one of the recorded wallets, and its own transaction.
struct RecordedCase: Decodable, Sendable, CustomTestStringConvertible {
    let wallet: String
    let `case`: String
    let unsigned: String
    let finalTransaction: HexBytes
    let txid: String
    let vsize: Int

    var testDescription: String { "\(wallet) \(`case`)" }

    /// The PSBT as Core made it.
    func psbt() throws -> PSBT { try PSBTFile(Array(unsigned.utf8)).psbt }

    /// Every case but those whose only key is an aggregate of MuSig2.
    static func load() throws -> [RecordedCase] {
        try Fixture.load("psbt/core-regtest.json", as: [RecordedCase].self)
            .filter { $0.wallet != "tr-musig-2of2" && $0.wallet != "tr-musig-3of3" }
    }

    /// The first case of a wallet.
    static func first(of wallet: String) throws -> PSBT {
        guard let found = try load().first(where: { $0.wallet == wallet }) else {
            throw Missing(wallet: wallet)
        }
        return try found.psbt()
    }

    struct Missing: Error { let wallet: String }
}
