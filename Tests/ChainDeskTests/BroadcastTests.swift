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
            inputs: [
                TransactionInput(
                    outpoint: OutPoint(txid: Txid(.zero), vout: 1), witness: Witness([[1]]))
            ],
            outputs: [TransactionOutput(value: value, scriptPubKey: script)])
    }

    @Test("one without any signature is refused, and of one that lacks some it is said which")
    func unsigned() throws {
        var transaction = try transaction()
        var desk = try DeskUnderTest()
        transaction.inputs.append(
            TransactionInput(outpoint: OutPoint(txid: Txid(.zero), vout: 2)))
        guard case .done(let remarks)? = try desk.ask(.broadcast(transaction.serialized())) else {
            Issue.record("not taken")
            return
        }
        #expect(remarks.last?.hasPrefix("input 1 has neither scriptSig nor witness") == true)
        for index in transaction.inputs.indices { transaction.inputs[index].witness = .empty }
        guard case .refused(.input, let why)? = try desk.ask(.broadcast(transaction.serialized()))
        else {
            Issue.record("taken")
            return
        }
        #expect(why.contains("is not signed"))
        #expect(try desk.store.load().broadcasts.count == 1)
    }

    @Test("what is sent is listed with what became of it, and withdrawn by its id, once")
    func listing() throws {
        let first = try transaction()
        var second = first
        second.inputs[0].outpoint = OutPoint(txid: Txid(.zero), vout: 9)
        var record = BroadcastRecord(first, feeRate: nil, since: 5)
        (record.echoed, record.confirmed) = (6, 0)
        var desk = try DeskUnderTest([.broadcast(.kept(record))])
        _ = try desk.ask(.broadcast(second.serialized()))
        let sent = BroadcastRow(txid: first.txid.bytes, since: 5, echoed: 6, height: 0)
        let young = BroadcastRow(
            txid: second.txid.bytes, since: 1_700_000_000, echoed: nil, height: nil)
        #expect(try desk.ask(.broadcasts) == .broadcasts([sent, young], total: 2))
        guard case .done(let remarks)? = try desk.ask(.withdrawBroadcast(second.txid.bytes)) else {
            Issue.record("not withdrawn")
            return
        }
        #expect(remarks.first == "\(second.txid) is announced no more")
        #expect(try desk.ask(.broadcasts) == .broadcasts([sent], total: 1))
        #expect(try desk.store.load().broadcasts == [record])
        guard case .refused(.input, let why)? = try desk.ask(.withdrawBroadcast(second.txid.bytes))
        else {
            Issue.record("withdrawn twice")
            return
        }
        #expect(why.contains("broadcast list"))
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
            "bulkhead broadcast list says later whether it spread",
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
