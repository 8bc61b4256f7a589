import Bitcoin
import ChainDesk
import Messages
import NetworkCore
import Testing

@Suite("Desk of the light client: sending")
struct BroadcastTests {
    private func transaction() throws -> Transaction {
        let value = try #require(Amount(sats: 1000))
        let script = Script([0x51, 0x20] + [UInt8](repeating: 7, count: 32))
        return Transaction(
            inputs: [TransactionInput(outpoint: OutPoint(txid: Txid(.zero), vout: 1))],
            outputs: [TransactionOutput(value: value, scriptPubKey: script)])
    }

    /// What the command says of a transaction that is kept like this.
    private func said(_ record: BroadcastRecord?) throws -> [String] {
        var desk = try DeskUnderTest(record.map { [.broadcast(.kept($0))] } ?? [])
        let transaction = try transaction()
        guard case .done(let remarks)? = try desk.ask(.broadcast(transaction.serialized())) else {
            return []
        }
        #expect(remarks.first == "\(transaction.txid)")
        #expect(try desk.store.load().broadcasts.count == 1)
        return Array(remarks.dropFirst())
    }

    @Test("a transaction that is sent again is answered with what became of it")
    func again() throws {
        let transaction = try transaction()
        let waits = [
            "no peer is connected: it is announced as soon as one is",
            "the same command says later whether it spread",
        ]
        #expect(try said(nil) == waits)
        var record = BroadcastRecord(transaction, feeRate: nil, since: 5)
        #expect(try said(record) == waits)
        record.echoed = 6
        #expect(
            try said(record)
                == ["it spread: a peer that had not got it from here announced it"])
        record.confirmed = 0
        #expect(try said(record) == ["block 0 has it"])
    }

    @Test("that it spread, or costs too little, is a note of the status")
    func notes() throws {
        var desk = try DeskUnderTest()
        let txid = try transaction().txid
        desk.desk.note(.echoed(txid, by: PeerID(1)))
        desk.desk.note(.belowFloor(txid, lowest: 2000))
        desk.desk.note(.seen(txid))
        guard case .progress(let progress)? = try desk.ask(.progress) else {
            Issue.record("no progress")
            return
        }
        #expect(
            progress.notices == [
                "\(txid) spread: a peer that had not got it from here announced it",
                "no peer takes the feerate of \(txid): the lowest that one takes is 2000 satoshis for "
                    + "1000 virtual bytes",
            ])
    }
}
