public import Bitcoin
public import PeerMessages

/// Everything about transactions that no block has yet: ours that are sent, and those that a person
/// waits for. It sees the pool's peers and messages.
public struct Relay: Sendable {
    /// What there is to do.
    public enum Action: Hashable, Sendable {
        /// Send a message.
        case send(PeerID, PeerMessage)
        /// Keep this, before anything else of the list is done.
        case store(BroadcastChange)
        /// Let a peer go for a while, see `Broadcast.Action.replace`.
        case rest(PeerID)
        /// Something happened to a transaction.
        case news(RelayNews)
    }

    /// Our transactions.
    public private(set) var broadcast: Broadcast
    /// Those that a person waits for.
    public private(set) var view = UnconfirmedView()

    /// A relay of what was kept.
    public init(_ broadcast: Broadcast) { self.broadcast = broadcast }

    /// The least feerate whose announcements are wanted, for `PeerPool.announceAbove`.
    public var announcementRate: Int64 {
        view.isOpen ? 0 : broadcast.listensAbove ?? PeerPool.noTransactions
    }

    /// When `time` should be called at the latest.
    public var nextDeadline: Duration? {
        [broadcast.nextDeadline, view.nextDeadline].compactMap { $0 }.min()
    }

    // MARK: What a person does

    /// See `Broadcast.add`.
    public mutating func send(
        _ transaction: Transaction, feeRate: Int64?, clock: Int64, at now: Duration
    ) throws(BroadcastRefusal) -> [Action] {
        translate(try broadcast.add(transaction, feeRate: feeRate, clock: clock, at: now))
    }

    /// See `Broadcast.cancel`.
    public mutating func cancel(_ txid: Txid) -> [Action] { translate(broadcast.cancel(txid)) }

    /// See `UnconfirmedView.open`.
    public mutating func look(
        for time: Duration = UnconfirmedView.standardTime, at now: Duration
    ) {
        view.open(for: time, at: now)
    }

    /// See `UnconfirmedView.close`.
    public mutating func lookAway() { view.close() }

    // MARK: Peers

    /// A peer took a seat.
    public mutating func connected(_ peer: PeerInfo, at now: Duration) -> [Action] {
        view.connected(peer)
        return translate(broadcast.connected(peer, at: now))
    }

    /// A peer is gone.
    public mutating func disconnected(_ id: PeerID) {
        view.disconnected(id)
        broadcast.disconnected(id)
    }

    /// A seated peer sent a message. Those that are about blocks are passed over.
    ///
    /// - Parameters:
    ///   - clock: seconds since 1970.
    ///   - isOurs: whether a wallet has to do with a transaction.
    public mutating func received(
        _ message: PeerMessage, from id: PeerID, clock: Int64, at now: Duration,
        isOurs: (Transaction) -> Bool
    ) -> [Action] {
        switch message {
        case .feefilter(let rate):
            broadcast.filtered(id, below: rate)
            return []
        case .inv(let items):
            return translate(broadcast.announced(items, by: id, clock: clock))
                + translate(view.announced(items, by: id, at: now))
        case .getdata(let items): return translate(broadcast.requested(items, by: id))
        case .notfound(let items):
            view.notFound(items, by: id)
            return []
        case .tx(let transaction):
            return translate(
                view.received(transaction, from: id, clock: clock, isOurs: isOurs))
        default: return []
        }
    }

    /// Time has passed.
    public mutating func time(at now: Duration) -> [Action] {
        view.time(at: now)
        return translate(broadcast.time(at: now))
    }

    // MARK: The chain

    /// Blocks were searched, up to a height: the wallets' transactions in them, by height.
    public mutating func confirmed(
        _ transactions: [(transaction: Transaction, height: Int)], tip: Int
    ) -> [Action] {
        view.confirmed(transactions.map(\.transaction))
        var found: [Txid: Int] = [:]
        for (transaction, height) in transactions { found[transaction.txid] = height }
        return translate(broadcast.confirmed(found, tip: tip))
    }

    /// Blocks above a height left the chain.
    public mutating func rolledBack(above height: Int, at now: Duration) -> [Action] {
        translate(broadcast.rolledBack(above: height, at: now))
    }

    private func translate(_ actions: [Broadcast.Action]) -> [Action] {
        actions.map { action in
            switch action {
            case .send(let id, let message): .send(id, message)
            case .store(let change): .store(change)
            case .echoed(let txid, let id): .news(.echoed(txid, by: id))
            case .belowFloor(let txid, let lowest): .news(.belowFloor(txid, lowest: lowest))
            case .replace(let id): .rest(id)
            }
        }
    }

    private func translate(_ actions: [UnconfirmedView.Action]) -> [Action] {
        actions.map { action in
            switch action {
            case .send(let id, let message): .send(id, message)
            case .seen(let txid): .news(.seen(txid))
            }
        }
    }
}

/// What happened to a transaction that no block has yet.
public enum RelayNews: Hashable, Sendable {
    /// A peer that had not got it from us announced ours.
    case echoed(Txid, by: PeerID)
    /// No peer takes the feerate of ours; the lowest that one takes.
    case belowFloor(Txid, lowest: Int64)
    /// One that a wallet has to do with was seen.
    case seen(Txid)
}
