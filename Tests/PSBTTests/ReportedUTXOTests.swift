import Bitcoin
import PSBT
import TestSupport
import Testing
import Wire

/// Reported bugs about amounts and what proves them; the row is that of the list of public reports.
@Suite("Reported bugs: UTXOs")
struct ReportedUTXOTests {
    let key: TestKey
    let other: TestKey

    init() throws {
        key = try TestKey(1)
        other = try TestKey(2)
    }

    @Test(
        "rows 6 and 69 (lnd#4400, electrum#8039): a segwit input with only its previous transaction"
    )
    func previousTransactionOnly() throws {
        let script = Script.multisig(required: 1, keys: [key.publicKey])
        for coin in [Coin.p2wsh(script), .p2wpkh(key), try .p2tr(key)] {
            let psbt = try PSBT.spending([coin])
            #expect(psbt.inputs[0].records.allSatisfy { $0.key.first != 1 })
            let spend = try psbt.spend(ofInput: 0)
            #expect(spend.isProven)
            #expect(spend.output.value == coin.value)
            _ = try psbt.adding([psbt.signature(input: 0, by: key)]).finalized().extracted()
        }
    }

    @Test("row 21 (electrum#6270): a witness script beside nothing but the previous transaction")
    func witnessScript() throws {
        let script = Script.multisig(required: 1, keys: [key.publicKey])
        let psbt = try PSBT.spending([.p2wsh(script)])
        #expect(try psbt.spend(ofInput: 0).kind == .witnessScript(script))
    }

    @Test(
        "rows 31 and 32 (sparrow#633, #1428): an input without UTXO is named, the others are not hurt"
    )
    func missingUTXO() throws {
        var raw = RawPSBT(try PSBT.spending([.p2wpkh(key), .p2wpkh(other)]))
        raw.inputs[0] = []
        let psbt = try raw.parse()
        #expect(psbt.inputs[0].utxo == .missing)
        #expect(throws: SpendError.utxoMissing) { try psbt.spend(ofInput: 0) }
        let signed = try psbt.adding([psbt.signature(input: 1, by: other)])
        #expect(try signed.finalizationReport().map(\.state) == [.spend(.utxoMissing), .ready])
        #expect(SpendError.utxoMissing.description.contains("PSBT_IN_NON_WITNESS_UTXO"))
    }

    @Test("row 33 (sparrow#1405): one of two inputs is ours and can be signed")
    func foreignInput() throws {
        let psbt = try PSBT.spending([.p2wpkh(other), .p2wpkh(key)])
        let signature = try psbt.signature(input: 1, by: key)
        try SignatureChecker(psbt).check(signature)
        #expect(
            try psbt.adding([signature]).finalizationReport().map(\.state) == [
                .signaturesMissing(found: 0, needed: 1), .ready,
            ])
    }

    @Test("row 63 (SeedSigner#977): a witness UTXO that contradicts the proven one is refused")
    func contradiction() throws {
        var raw = RawPSBT(try PSBT.spending([.p2wpkh(key)]))
        let honest = TransactionOutput(
            value: Coin.amount(100_000), scriptPubKey: Coin.p2wpkh(key).scriptPubKey)
        for lie in [
            TransactionOutput(value: Coin.amount(100_001), scriptPubKey: honest.scriptPubKey),
            TransactionOutput(value: honest.value, scriptPubKey: Coin.p2wpkh(other).scriptPubKey),
        ] {
            raw.inputs[0][type: 1] = lie.serialized
            let error = try #require(raw.error())
            #expect(error.problem == .utxosDisagree(claimed: lie, proven: honest))
            #expect(error.field == "PSBT_IN_WITNESS_UTXO")
            #expect(error.place == .input(0))
        }
        raw.inputs[0][type: 1] = honest.serialized
        #expect(try raw.parse().inputs[0].utxo == .proven(honest))
    }

    @Test("row 64 (specter-diy#63, Passport2#662, Kern#134): a claimed amount never looks proven")
    func claimed() throws {
        let psbt = try PSBT.spending([.p2wpkh(key), .p2wpkh(other)], withPrevious: false)
        var raw = RawPSBT(psbt)
        raw.inputs[1][type: 1] =
            TransactionOutput(
                value: Coin.amount(2_000_000), scriptPubKey: Coin.p2wpkh(other).scriptPubKey
            ).serialized
        let inflated = try raw.parse()
        #expect(!(try inflated.spend(ofInput: 1).isProven))
        guard case .claimed = inflated.inputs[1].utxo else {
            Issue.record("\(inflated.inputs[1].utxo)")
            return
        }
    }

    @Test(
        "row 65 (specter-diy#150): the previous transaction counts with and without its witnesses")
    func witnessesOfThePreviousTransaction() throws {
        let previous = try Transaction(Samples.corpusCase("wpkh").finalTransaction.bytes)
        #expect(previous.hasWitness)
        for version in [PSBT.Version.v0, .v2] {
            let psbt = try Samples.spending(previous, version: version)
            #expect(psbt.inputs[0].utxo == .proven(previous.outputs[0]))
            var raw = RawPSBT(psbt)
            raw.inputs[0][type: 0] = previous.serialized(.withoutWitness)
            #expect(try raw.parse().inputs[0].utxo == .proven(previous.outputs[0]))
        }
    }

    @Test("another previous transaction, and an output that it does not have, are refused")
    func wrongPreviousTransaction() throws {
        let raw = RawPSBT(try PSBT.spending([.p2wpkh(key), .p2wpkh(other)]))
        var changed = raw
        var previous = try #require(try raw.parse().inputs[0].previousTransaction)
        let txid = previous.txid
        previous.version = 1
        changed.inputs[0][type: 0] = previous.serialized()
        #expect(
            changed.error()?.problem
                == .otherPreviousTransaction(found: previous.txid, spent: txid))
        var beyond = RawPSBT(try PSBT.spending([.p2wpkh(key)], version: .v2))
        beyond.inputs[0][type: 0x0F] = [1, 0, 0, 0]
        #expect(beyond.error()?.problem == .noSuchOutput(index: 1, count: 1))
    }

    @Test("row 68 (bitcoinjs#1595): both UTXO fields are no duplicate")
    func bothFields() throws {
        let previous = try #require(
            try PSBT.spending([.p2wpkh(key)]).inputs[0].previousTransaction)
        let (psbt, inputs) = try PSBT(
            Transaction(
                inputs: [TransactionInput(outpoint: OutPoint(txid: previous.txid, vout: 0))],
                outputs: [TransactionOutput(value: .zero, scriptPubKey: .opReturn([1]))])
        ).addingPreviousTransactions([previous])
        #expect(inputs == [0])
        #expect(psbt.inputs[0].records.map { $0.key.first } == [0, 1])
        #expect(try PSBT(psbt.serialized) == psbt)
        #expect(try psbt.addingPreviousTransactions([previous]).psbt == psbt)
    }

    @Test("row 91 (BlueWallet#5358): a proof-of-reserve input does not hurt the others")
    func proofOfReserves() throws {
        var raw = RawPSBT(try PSBT.spending([.p2wpkh(key), .p2wpkh(other)], withPrevious: false))
        raw.inputs[0] = [
            .init(1, TransactionOutput(value: .zero, scriptPubKey: Script([0x51])).serialized),
            .init(9, Array("reserves".utf8)),
        ]
        let psbt = try raw.parse()
        #expect(psbt.inputs[0].reserveCommitment == Array("reserves".utf8))
        #expect(throws: SpendError.previousTransactionMissing) { try psbt.spend(ofInput: 0) }
        try SignatureChecker(psbt).check(psbt.signature(input: 1, by: other))
    }

    @Test("I4, I6: a crafted witness UTXO does not turn a legacy output into a segwit one")
    func legacyWithWitnessUTXO() throws {
        let script = Script.multisig(required: 1, keys: [key.publicKey])
        for coin in [Coin(scriptPubKey: .p2pk(key.publicKey)), .p2sh(script)] {
            let psbt = try PSBT.spending([coin], withPrevious: false)
            #expect(throws: SpendError.previousTransactionMissing) { try psbt.spend(ofInput: 0) }
            let report = try psbt.finalizationReport()
            #expect(report.map(\.state) == [.spend(.previousTransactionMissing)])
        }
    }
}
