import Bitcoin
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

    private static let echo = "a peer that had not got it from here announced it"

    /// What is known of a transaction that is to be sent, maybe again.
    func remarks(of txid: Txid, _ client: LightClient) -> [String] {
        let record = client.relay.broadcast.records.first { $0.transaction.txid == txid }
        if let height = record?.confirmed { return ["\(txid)", "block \(height) has it"] }
        if record?.echoed != nil { return ["\(txid)", "it spread: \(ChainDesk.echo)"] }
        let state =
            client.pool.seated.isEmpty
            ? "no peer is connected: it is announced as soon as one is"
            : "it is announced until a block has it"
        return ["\(txid)", state, "the same command says later whether it spread"]
    }
}
