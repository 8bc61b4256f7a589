import Bitcoin
public import PeerMessages
import Wire

extension Broadcast {
    /// A peer took a seat.
    public mutating func connected(_ peer: PeerInfo, at now: Duration) -> [Action] {
        listeners[peer.id] = Listener(
            endpoint: peer.endpoint, isManual: peer.source == .manual, usesWtxid: peer.usesWtxid,
            feeFilter: peer.feeFilter)
        var actions = time(at: now)
        // A new peer is told what is under way without waiting for the next round.
        for (txid, entry) in entries.sorted(by: { $0.key < $1.key }) {
            guard entry.isPending, entry.record.echoed == nil else { continue }
            var entry = entry
            actions += announce(&entry, at: now)
            entries[txid] = entry
        }
        return actions
    }

    /// A peer is gone.
    public mutating func disconnected(_ id: PeerID) {
        listeners[id] = nil
        for txid in entries.keys {
            entries[txid]?.announced[id] = nil
            entries[txid]?.told.remove(id)
            entries[txid]?.served.remove(id)
        }
    }

    /// A peer says which transactions it wants to hear of.
    public mutating func filtered(_ id: PeerID, below rate: Int64) {
        listeners[id]?.feeFilter = rate
    }

    /// A peer announced transactions: one of ours among them is an echo, unless we gave it to the peer.
    public mutating func announced(
        _ items: [InventoryItem], by id: PeerID, clock: Int64
    ) -> [Action] {
        guard let endpoint = listeners[id]?.endpoint, !entries.isEmpty else { return [] }
        var actions: [Action] = []
        for item in items {
            guard let txid = txid(of: item), var entry = entries[txid], entry.isPending,
                !entry.record.takers.contains(endpoint)
            else { continue }
            entry.announced[id] = nil
            let isFirst = entry.record.echoed == nil
            if isFirst { entry.record.echoed = clock }
            entries[txid] = entry
            if isFirst { actions += [.store(.kept(entry.record)), .echoed(txid, by: id)] }
        }
        return actions
    }

    /// A peer asks for transactions: it gets those of ours that it was told of, and their parents among
    /// ours, each once.
    public mutating func requested(_ items: [InventoryItem], by id: PeerID) -> [Action] {
        guard let endpoint = listeners[id]?.endpoint else { return [] }
        var actions: [Action] = []
        for item in items {
            guard let txid = txid(of: item), var entry = entries[txid],
                !entry.served.contains(id), mayHave(id, entry)
            else { continue }
            // Without its witnesses it would be another message than it stands for.
            if item.kind == .transaction, entry.record.transaction.hasWitness { continue }
            // One that could not be remembered would be taken for a witness later.
            let isKnown = entry.record.takers.contains(endpoint)
            guard isKnown || entry.record.takers.count < Broadcast.mostTakers else { continue }
            entry.served.insert(id)
            entry.record.takers.insert(endpoint)
            entry.announced[id] = nil
            entries[txid] = entry
            if !isKnown { actions.append(.store(.taken(txid, by: endpoint))) }
            actions.append(.send(id, .tx(entry.record.transaction)))
        }
        return actions
    }

    private func mayHave(_ id: PeerID, _ entry: Entry) -> Bool {
        entry.told.contains(id)
            || entries.values.contains { $0.told.contains(id) && $0.parents.contains(entry.txid) }
    }

    private func txid(of item: InventoryItem) -> Txid? {
        switch item.kind {
        case .witnessTransactionID: txids[Wtxid(item.hash)]
        case .transaction, .witnessTransaction: Txid(item.hash)
        default: nil
        }
    }

    // MARK: Rounds

    /// Time has passed.
    public mutating func time(at now: Duration) -> [Action] {
        var actions: [Action] = []
        for (txid, entry) in entries.sorted(by: { $0.key < $1.key }) where entry.isPending {
            var entry = entry
            expire(&entry, at: now)
            // A round nobody could hear is none.
            if entry.nextRound <= now, !listeners.isEmpty { actions += round(&entry, at: now) }
            entries[txid] = entry
        }
        return actions
    }

    private func expire(_ entry: inout Entry, at now: Duration) {
        for (id, since) in entry.announced where since + Broadcast.answerTimeout <= now {
            entry.announced[id] = nil
            guard let endpoint = listeners[id]?.endpoint else { continue }
            // As many as can matter; a peer that comes under ever new addresses is not remembered.
            guard entry.ignored.count < 64 || entry.ignored[endpoint] != nil else { continue }
            entry.ignored[endpoint, default: 0] += 1
        }
    }

    private func round(_ entry: inout Entry, at now: Duration) -> [Action] {
        entry.rounds += 1
        entry.nextRound = now + BackOff.broadcast.delay(afterFailures: entry.rounds)
        var actions = reportFloor(&entry) + announce(&entry, at: now)
        if entry.record.echoed == nil, entry.rounds > Broadcast.patientRounds,
            listeners.count > 1,
            let silent = entry.served.filter({ listeners[$0]?.isManual == false }).min()
        {
            actions.append(.replace(silent))
        }
        return actions
    }

    private func announce(_ entry: inout Entry, at now: Duration) -> [Action] {
        audience(entry).map { id in
            entry.announced[id] = now
            entry.told.insert(id)
            let usesWtxid = listeners[id]?.usesWtxid ?? false
            let item =
                usesWtxid
                ? InventoryItem(.witnessTransactionID, entry.wtxid.bytes)
                : InventoryItem(.transaction, entry.txid.bytes)
            return .send(id, .inv([item]))
        }
    }

    /// Who is told now: those that do not know of it and take its rate, without the listener.
    private func audience(_ entry: Entry) -> [PeerID] {
        let unaware = listeners.keys.filter {
            !entry.told.contains($0)
                && entry.ignored[listeners[$0]?.endpoint ?? .none, default: 0]
                    < Broadcast.mostIgnored
        }.sorted()
        let open = unaware.filter { takes(entry, $0) }
        // Those that were told and let it pass may be told again.
        let again = entry.told.filter {
            listeners[$0] != nil && entry.announced[$0] == nil && !entry.served.contains($0)
                && entry.ignored[listeners[$0]?.endpoint ?? .none, default: 0]
                    < Broadcast.mostIgnored
                && takes(entry, $0)
        }.sorted()
        guard entry.record.echoed == nil, listeners.count > 1, !unaware.isEmpty,
            entry.rounds <= Broadcast.patientRounds
        else { return again + open }
        // One that does not take the rate would not announce the transaction either.
        return again + open.dropLast(1)
    }

    private func takes(_ entry: Entry, _ id: PeerID) -> Bool {
        guard let rate = entry.record.feeRate, let filter = listeners[id]?.feeFilter else {
            return true
        }
        return filter <= rate
    }

    /// Says that no peer takes the rate, once for each lowest floor.
    private func reportFloor(_ entry: inout Entry) -> [Action] {
        guard !listeners.keys.contains(where: { takes(entry, $0) }),
            let lowest = listeners.values.compactMap(\.feeFilter).min()
        else {
            entry.floor = nil
            return []
        }
        guard entry.floor != lowest else { return [] }
        entry.floor = lowest
        return [.belowFloor(entry.txid, lowest: lowest)]
    }
}

extension PeerEndpoint {
    /// No endpoint at all.
    static let none = PeerEndpoint(.ipv4(0), port: 0)
}
