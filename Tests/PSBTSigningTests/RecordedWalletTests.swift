import Bitcoin
import Descriptors
import PSBT
import TestSupport
import Testing

/// PSBTs of a real Bitcoin Core node, signed here with the keys that its wallets were made of.
@Suite("Signing for recorded wallets")
struct RecordedWalletTests {
    /// Signs with all three, finalises and extracts.
    static func finished(_ item: RecordedCase) throws -> (PSBT, Transaction) {
        var psbt = try item.psbt()
        for signer in Signer.allCases { psbt = try signer.sign(psbt) }
        let transaction = try psbt.finalized(with: MiniscriptSatisfier(psbt)).extracted()
        return (psbt, transaction)
    }

    @Test("ninety recorded PSBTs signed here are valid spends for Bitcoin Core's script engine")
    func scriptEngine() throws {
        let cases = try RecordedCase.load()
        #expect(cases.count == 90)
        var spends: [ScriptEngine.Spend] = []
        for item in cases {
            let (psbt, transaction) = try Self.finished(item)
            #expect(transaction.txid.description == item.txid, "\(item.testDescription)")
            let prevouts = try psbt.inputs.map { try #require($0.utxo.output) }
            spends.append(
                .init(name: item.testDescription, transaction: transaction, prevouts: prevouts))
        }
        let (status, lines) = try ScriptEngine.verify(spends)
        #expect(status == 0)
        #expect(lines.filter { $0.hasPrefix("ok ") }.count == 90)
        #expect(lines.filter { $0.hasPrefix("invalid") } == [])
        let inputs = spends.reduce(0) { $0 + $1.prevouts.count }
        #expect(lines.last == "verified \(inputs) inputs")
    }

    @Test("the script engine refuses the same transaction when the spent amount is another one")
    func scriptEngineRefuses() throws {
        let item = try #require(try RecordedCase.load().first { $0.wallet == "wpkh" })
        let (psbt, transaction) = try Self.finished(item)
        let prevouts = try psbt.inputs.map { try #require($0.utxo.output) }
        let changed = prevouts.map {
            TransactionOutput(
                value: Amount(sats: $0.value.sats + 1) ?? $0.value,
                scriptPubKey: $0.scriptPubKey)
        }
        let (status, _) = try ScriptEngine.verify([
            .init(name: "wrong amount", transaction: transaction, prevouts: changed)
        ])
        #expect(status == 1)
    }

    @Test(
        "where only ECDSA signs, the transaction is Core's to the last byte; all have Core's vsize")
    func sameAsCore() throws {
        var same = 0
        for item in try RecordedCase.load() {
            let (_, transaction) = try Self.finished(item)
            #expect(transaction.vsize == item.vsize, "\(item.testDescription)")
            guard !item.wallet.hasPrefix("tr") else { continue }
            #expect(
                transaction.serialized() == item.finalTransaction.bytes, "\(item.testDescription)")
            same += 1
        }
        #expect(same == 60)
    }

    @Test("signing twice adds nothing, and every signature passes the strict check")
    func again() throws {
        for item in try RecordedCase.load() where item.case == "one-recipient" {
            let psbt = try item.psbt()
            let checker = try SignatureChecker(psbt)
            for signer in Signer.allCases {
                let records = try signer.records(psbt)
                for record in records { try checker.check(record) }
                #expect(try signer.records(psbt.adding(records)).isEmpty)
            }
        }
    }
}
