import Bitcoin
import Testing
import Wire

/// Reports about other signers, each tried here. Rows 65, 86 and 87 are in the suites of
/// transactions and scripts.
@Suite("Reported bugs: transactions and their outputs")
struct ReportedBugTests {
    private let hash = Bytes20([UInt8](1...20)) ?? .zero

    /// A transaction that spends something and pays `scripts`, through its bytes and back.
    private func transaction(paying scripts: Script...) throws -> Transaction {
        let value = try #require(Amount(sats: 700))
        let transaction = Transaction(
            inputs: [TransactionInput(outpoint: OutPoint(txid: Txid(.zero), vout: 1))],
            outputs: scripts.map { TransactionOutput(value: value, scriptPubKey: $0) })
        let read = try Transaction(transaction.serialized())
        #expect(read == transaction)
        try read.check()
        return read
    }

    @Test("Row 85: an OP_RETURN output is read and shown like any other")
    func opReturn() throws {
        let outputs = try transaction(paying: .opReturn(Array("hi".utf8)), .p2wpkh(hash)).outputs
        #expect(outputs[0].scriptPubKey.template == .opReturn([Array("hi".utf8)]))
        #expect(outputs[0].scriptPubKey.description == "OP_RETURN 6869")
        #expect(Address(scriptPubKey: outputs[0].scriptPubKey, network: .mainnet) == nil)
        #expect(Address(scriptPubKey: outputs[1].scriptPubKey, network: .mainnet) != nil)
    }

    @Test("Rows 88 and 89: segwit inputs may pay a P2SH address, of a multisig or of anything")
    func paysToScriptHash() throws {
        let address = try Address("36j4NfKv6Akva9amjWrLG6MuSQym1GuEmm", network: .mainnet)
        let outputs = try transaction(paying: address.scriptPubKey, .p2wsh(.zero)).outputs
        #expect(Address(scriptPubKey: outputs[0].scriptPubKey, network: .mainnet) == address)
        guard case .p2sh = outputs[0].scriptPubKey.template else {
            Issue.record("\(outputs[0].scriptPubKey)")
            return
        }
    }
}
