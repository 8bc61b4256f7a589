import Bitcoin
import PSBT
import TestSupport
import Wire

/// PSBTs that many tests start from.
enum Samples {
    /// Version 0, one P2WPKH input with its previous transaction, made by Bitcoin Core.
    static func version0(_ wallet: String = "wpkh") throws -> PSBT {
        try PSBT(base64: try corpusCase(wallet).unsigned)
    }

    /// One case of the corpus.
    static func corpusCase(_ wallet: String, _ name: String = "one-recipient") throws -> CorpusCase
    {
        guard
            let found = try CorpusCase.load().first(where: {
                $0.wallet == wallet && $0.case == name
            })
        else { throw Missing(wallet: wallet, name: name) }
        return found
    }

    /// Version 2 with all fields of BIP370.
    static func version2() throws -> PSBT {
        let vectors: PSBTVectors = try Fixture.load("psbt/bip370.json")
        return try PSBT(base64: vectors.valid[vectors.valid.count - 1].psbt)
    }

    /// Version 0, spends the first output of a transaction, which it carries in full.
    static func spending(_ previous: Transaction, version: PSBT.Version = .v0) throws -> PSBT {
        let input = TransactionInput(outpoint: OutPoint(txid: previous.txid, vout: 0))
        let output = TransactionOutput(value: .zero, scriptPubKey: .opReturn([1]))
        let unsigned = Transaction(inputs: [input], outputs: [output])
        var update = InputUpdate()
        update.previousTransaction = previous
        return try PSBT(unsigned, version: version).updating(input: 0, with: update)
    }

    struct Missing: Error {
        let wallet: String
        let name: String
    }
}
