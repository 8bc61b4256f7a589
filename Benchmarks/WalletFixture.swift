import Bitcoin
import Descriptors
import KeyTree
import PSBT
import SecretMemory
import Signing
import Wire

/// A wallet with many coins, made for figures from a phrase that everybody knows.
struct WalletFixture {
    /// The kinds of outputs that are measured.
    enum Kind: String, CaseIterable {
        case p2wpkh = "P2WPKH"
        case p2tr = "P2TR"
        case p2pkh = "P2PKH"
        case p2wsh = "3-of-5 P2WSH"
    }

    static let phrase =
        "abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon about"

    /// The master key of the phrase.
    static func master(_ context: borrowing SigningContext) throws -> ExtendedPrivateKey {
        let words = Array(phrase.utf8)
        let text = SecretBytes(count: words.count) { $0.copyBytes(from: words) }
        let seed = try Mnemonic(text: text).seed(passphrase: SecretBytes(count: 0))
        return try ExtendedPrivateKey(seed: seed, network: .main, context)
    }

    /// The descriptor of a kind, with one key of ours and for P2WSH four more accounts of ours that
    /// stand for other people's.
    static func descriptor(
        _ kind: Kind, _ context: borrowing SigningContext
    ) throws -> Descriptor {
        let master = try master(context)
        func key(_ path: String) throws -> String {
            let account = try master.derive(DerivationPath(path), context)
            return "[\(master.fingerprint)/\(path.dropFirst(2))]\(account.publicKey)/0/*"
        }
        switch kind {
        case .p2wpkh: return try Descriptor("wpkh(\(key("m/84h/0h/0h")))")
        case .p2tr: return try Descriptor("tr(\(key("m/86h/0h/0h")))")
        case .p2pkh: return try Descriptor("pkh(\(key("m/44h/0h/0h")))")
        case .p2wsh:
            // One of the five claims our fingerprint, as in a real multisig.
            let ours = try key("m/48h/0h/0h/2h")
            let others = try (1...4).map { account in
                try key("m/48h/0h/\(account)h/2h")
                    .replacing("[\(master.fingerprint)", with: "[0000000\(account)")
            }
            return try Descriptor("wsh(sortedmulti(3,\(([ours] + others).joined(separator: ","))))")
        }
    }

    /// A PSBT that spends `count` coins of a kind to one output, each with its previous transaction,
    /// which has `others` outputs more.
    static func psbt(
        _ kind: Kind, inputs count: Int, others: Int = 1, _ context: borrowing SigningContext
    ) throws -> PSBT {
        let deriver = try OutputSeries(descriptor(kind, context))
        var inputs: [TransactionInput] = []
        var updates: [InputUpdate] = []
        for index in 0..<count {
            let output = try deriver.output(at: UInt32(index))
            let previous = previousTransaction(
                paying: output.scriptPubKey, number: index, others: others)
            inputs.append(
                TransactionInput(
                    outpoint: OutPoint(txid: previous.txid, vout: UInt32(others)),
                    sequence: .replaceable))
            var update = output.inputUpdate
            update.previousTransaction = previous
            if kind != .p2pkh { update.witnessUTXO = previous.outputs[others] }
            updates.append(update)
        }
        // A fee that no review objects to.
        let spent = (0..<count).reduce(0) { $0 + 100_000 + $1 }
        let pays = TransactionOutput(
            value: Amount(sats: spent - 500 * (count + 1)) ?? .zero,
            scriptPubKey: try deriver.output(at: 0).scriptPubKey)
        let transaction = Transaction(
            version: 2, inputs: inputs, outputs: [pays])
        return try PSBT(transaction).updating(inputs: updates)
    }

    private static func previousTransaction(
        paying script: Script, number: Int, others: Int
    ) -> Transaction {
        var writer = Writer()
        for _ in 0..<4 { writer.write(UInt64(number) &* 0x9E37_79B9_7F4A_7C15 | 1) }
        let source = Txid(Bytes32(writer.bytes) ?? .zero)
        let value = Amount(sats: 100_000 + number) ?? .zero
        return Transaction(
            version: 2,
            inputs: [
                TransactionInput(
                    outpoint: OutPoint(txid: source, vout: 0),
                    sequence: .replaceable)
            ],
            outputs: Array(
                repeating: TransactionOutput(value: value, scriptPubKey: .p2wpkh(.zero)),
                count: others) + [TransactionOutput(value: value, scriptPubKey: script)])
    }
}
