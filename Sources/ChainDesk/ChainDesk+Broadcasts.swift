import Bitcoin
import Messages
public import NetworkCore

/// What people hear of transactions that are sent.
extension ChainDesk {
    /// Takes what happened to a transaction, for `status`. The log names no transactions.
    public mutating func note(_ news: RelayNews) {
        switch news {
        case .echoed(let txid, _): note(["\(txid) spread: \(ChainDesk.echo)"])
        case .belowFloor(let txid, let lowest):
            note([
                "no peer takes the feerate of \(txid): the lowest that one takes is \(lowest) "
                    + "satoshis for 1000 virtual bytes"
            ])
        case .seen: break
        }
    }

    /// The transactions that are sent.
    func broadcasts(_ client: LightClient) throws(Refusal) -> ChainAnswer {
        if let damage = client.relay.broadcast.damage {
            throw Refusal(.store, BroadcastRefusal.stopped(damage).description)
        }
        let records = client.relay.broadcast.records
        let rows = records.prefix(ChainAnswer.page).map { record in
            BroadcastRow(
                txid: record.transaction.txid.bytes, since: UInt64(clamping: record.since),
                echoed: record.echoed.map { UInt64(clamping: $0) },
                height: record.confirmed.map { UInt64(clamping: $0) })
        }
        return .broadcasts(Array(rows), total: UInt32(clamping: records.count))
    }

    /// Has a transaction announced.
    func broadcast(
        _ bytes: [UInt8], _ client: LightClient
    ) throws(Refusal) -> (ClientCommand, [String]) {
        let transaction: Transaction
        do throws(TransactionError) { transaction = try Transaction(bytes) } catch {
            throw Refusal(.input, "this is no transaction: \(error)")
        }
        let bare = transaction.inputs.indices.filter { !transaction.inputs[$0].hasProof }
        guard bare.count < transaction.inputs.count || bare.isEmpty else {
            throw Refusal(
                .input,
                "the transaction is not signed: no input has a scriptSig or a witness, and no peer "
                    + "would pass it on. Sign its PSBT: bulkhead sign FILE --final")
        }
        let doubts =
            bare.isEmpty
            ? []
            : [
                "input \(bare.map { "\($0)" }.joined(separator: ", ")) has neither scriptSig nor "
                    + "witness: peers pass that on only where anybody may spend the coin"
            ]
        return (
            .broadcast(transaction, feeRate: nil), remarks(of: transaction.txid, client) + doubts
        )
    }

    /// Has a transaction announced no more.
    func withdraw(
        _ txid: Txid, _ client: LightClient
    ) throws(Refusal) -> (ClientCommand, [String]) {
        guard let record = record(of: txid, client) else {
            throw Refusal(
                .input, "no transaction \(txid) is being sent: bulkhead broadcast list shows all")
        }
        let state =
            record.confirmed.map { "block \($0) has it" }
            ?? "peers that have it may still pass it on, and a block may still have it: only another "
            + "transaction that spends the same coins makes sure of that"
        return (.cancelBroadcast(txid), ["\(txid) is announced no more", state])
    }

    private func record(of txid: Txid, _ client: LightClient) -> BroadcastRecord? {
        client.relay.broadcast.records.first { $0.transaction.txid == txid }
    }

    private static let echo = "a peer that had not got it from here announced it"

    /// What is known of a transaction that is to be sent, maybe again.
    func remarks(of txid: Txid, _ client: LightClient) -> [String] {
        let record = record(of: txid, client)
        if let height = record?.confirmed { return ["\(txid)", "block \(height) has it"] }
        if record?.echoed != nil { return ["\(txid)", "it spread: \(ChainDesk.echo)"] }
        let state =
            client.pool.seated.isEmpty
            ? "no peer is connected: it is announced as soon as one is"
            : "it is announced until a block has it"
        return ["\(txid)", state, "bulkhead broadcast list says later whether it spread"]
    }
}

extension TransactionInput {
    /// Whether anything stands where signatures do.
    fileprivate var hasProof: Bool { !scriptSig.bytes.isEmpty || !witness.isEmpty }
}
