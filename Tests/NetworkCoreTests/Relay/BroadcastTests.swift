import Bitcoin
import PeerMessages
import TestSupport
import Testing
import Wire

@testable import NetworkCore

@Suite("Sending transactions")
struct BroadcastTests {
    private let mine = Strangers.transaction(1)

    static func peer(
        _ number: UInt64, usesWtxid: Bool = true, feeFilter: Int64? = nil,
        source: PeerSource = .dnsSeed, endpoint: Int? = nil
    ) -> PeerInfo {
        PeerInfo(
            id: PeerID(number), endpoint: Strangers.public4(endpoint ?? Int(number)),
            source: source,
            transport: .v1, version: Strangers.version(), usesWtxid: usesWtxid,
            feeFilter: feeFilter, roundTrip: nil)
    }

    private func broadcast(_ peers: [PeerInfo] = []) -> Broadcast {
        var broadcast = Broadcast(at: .zero)
        for peer in peers { _ = broadcast.connected(peer, at: .zero) }
        return broadcast
    }

    private func inventory(_ transaction: Transaction) -> [InventoryItem] {
        [InventoryItem(.witnessTransactionID, transaction.wtxid.bytes)]
    }

    /// Who was told of a transaction.
    private func told(_ actions: [Broadcast.Action]) -> [UInt64] {
        actions.compactMap { action in
            if case .send(let id, .inv) = action { id.number } else { nil }
        }
    }

    private func served(_ actions: [Broadcast.Action]) -> [UInt64] {
        actions.compactMap { action in
            if case .send(let id, .tx) = action { id.number } else { nil }
        }
    }

    private func replaced(_ actions: [Broadcast.Action]) -> [UInt64] {
        actions.compactMap { if case .replace(let id) = $0 { id.number } else { nil } }
    }

    @Test("a transaction is kept first, then announced to all but one who listens")
    func announces() throws {
        var broadcast = broadcast((1...3).map { Self.peer($0) })
        let actions = try broadcast.add(mine, feeRate: 2000, clock: 9, at: .zero)
        #expect(actions.first == .store(.kept(BroadcastRecord(mine, feeRate: 2000, since: 9))))
        #expect(told(actions) == [1, 2])
        #expect(actions.contains(.send(PeerID(1), .inv(inventory(mine)))))
    }

    @Test("bug 72: a transaction is named by wtxid where both agreed on it, else by txid")
    func names() throws {
        var broadcast = broadcast([
            Self.peer(1), Self.peer(2, usesWtxid: false), Self.peer(3),
        ])
        let actions = try broadcast.add(mine, feeRate: nil, clock: 0, at: .zero)
        let byTxid = InventoryItem(.transaction, mine.txid.bytes)
        #expect(actions.contains(.send(PeerID(1), .inv(inventory(mine)))))
        #expect(actions.contains(.send(PeerID(2), .inv([byTxid]))))
    }

    @Test("criterion 29: a peer gets a transaction once, however often it asks, under either name")
    func servedOnce() throws {
        var broadcast = broadcast([Self.peer(1), Self.peer(2)])
        _ = try broadcast.add(mine, feeRate: nil, clock: 0, at: .zero)
        let witness = InventoryItem(.witnessTransaction, mine.txid.bytes)
        let flood = [InventoryItem](repeating: witness, count: 50_000) + inventory(mine)
        #expect(served(broadcast.requested(flood, by: PeerID(1))) == [1])
        #expect(broadcast.requested(inventory(mine), by: PeerID(1)) == [])
    }

    @Test("who was not told of a transaction does not get it, nor who is gone")
    func notForEverybody() throws {
        var broadcast = broadcast([Self.peer(1), Self.peer(2)])
        _ = try broadcast.add(mine, feeRate: nil, clock: 0, at: .zero)
        #expect(broadcast.requested(inventory(mine), by: PeerID(2)) == [])
        #expect(broadcast.requested(inventory(mine), by: PeerID(9)) == [])
        #expect(broadcast.requested(inventory(Strangers.transaction(2)), by: PeerID(1)) == [])
        // Without witnesses it would be another message.
        let bare = InventoryItem(.transaction, mine.txid.bytes)
        #expect(broadcast.requested([bare], by: PeerID(1)) == [])
    }

    @Test("who was told of a child gets its parent too")
    func parents() throws {
        let child = Strangers.transaction(2, spending: mine.txid)
        var broadcast = broadcast([Self.peer(1, feeFilter: 1000), Self.peer(2)])
        // The parent pays too little to be announced to the first.
        _ = try broadcast.add(mine, feeRate: 500, clock: 0, at: .zero)
        _ = try broadcast.add(child, feeRate: 5000, clock: 1, at: .zero)
        let parent = InventoryItem(.witnessTransaction, mine.txid.bytes)
        #expect(served(broadcast.requested([parent], by: PeerID(1))) == [1])
    }

    @Test("bug 71: only a peer that had not got it from us shows that it spread")
    func echo() throws {
        var broadcast = broadcast((1...3).map { Self.peer($0) })
        _ = try broadcast.add(mine, feeRate: nil, clock: 0, at: .zero)
        _ = broadcast.requested(inventory(mine), by: PeerID(1))
        #expect(broadcast.announced(inventory(mine), by: PeerID(1), clock: 5) == [])
        #expect(broadcast.records[0].echoed == nil)
        let actions = broadcast.announced(inventory(mine), by: PeerID(3), clock: 6)
        #expect(actions.last == .echoed(mine.txid, by: PeerID(3)))
        #expect(broadcast.records[0].echoed == 6)
        #expect(broadcast.announced(inventory(mine), by: PeerID(2), clock: 7) == [])
        let byTxid = [InventoryItem(.transaction, mine.txid.bytes)]
        #expect(broadcast.announced(byTxid, by: PeerID(3), clock: 8) == [])
    }

    @Test("bug 71: a peer that got it from us in an earlier run is no witness in the next either")
    func takersAreKept() throws {
        var before = broadcast((1...3).map { Self.peer($0) })
        let kept = try before.add(mine, feeRate: nil, clock: 0, at: .zero)
        #expect(before.records[0].takers.isEmpty)
        let actions = before.requested(inventory(mine), by: PeerID(1))
        let taker = Self.peer(1).endpoint
        // Before it gets it: a crash in between must not make it a witness.
        #expect(actions.first == .store(.taken(mine.txid, by: taker)))
        #expect(before.records[0].takers == [taker] && kept.count == 3)

        var after = Broadcast(before.records, at: .zero)
        for number in [11, 13] as [UInt64] {
            _ = after.connected(Self.peer(number, endpoint: Int(number) - 10), at: .zero)
        }
        #expect(after.announced(inventory(mine), by: PeerID(11), clock: 5) == [])
        #expect(after.records[0].echoed == nil)
        let echo = after.announced(inventory(mine), by: PeerID(13), clock: 6)
        #expect(echo.last == .echoed(mine.txid, by: PeerID(13)))
        // It asks again over its new connection: given, and not written a second time.
        #expect(after.requested(inventory(mine), by: PeerID(11)).count <= 1)
    }

    @Test("bug 71: peers that take it and show nothing are replaced, and the listener is told too")
    func blackHoles() throws {
        var broadcast = broadcast((1...3).map { Self.peer($0) })
        _ = try broadcast.add(mine, feeRate: nil, clock: 0, at: .zero)
        for id in [1, 2] { _ = broadcast.requested(inventory(mine), by: PeerID(UInt64(id))) }
        var all: [Broadcast.Action] = []
        for second in stride(from: 60, through: 600, by: 60) {
            all += broadcast.time(at: .seconds(second))
        }
        #expect(told(all) == [3])
        #expect(replaced(all) == [1])
    }

    @Test("a peer added by hand is never replaced")
    func manualStays() throws {
        var broadcast = broadcast([Self.peer(1, source: .manual), Self.peer(2, source: .manual)])
        _ = try broadcast.add(mine, feeRate: nil, clock: 0, at: .zero)
        _ = broadcast.requested(inventory(mine), by: PeerID(1))
        var all: [Broadcast.Action] = []
        for second in stride(from: 60, through: 9000, by: 60) {
            all += broadcast.time(at: .seconds(second))
        }
        #expect(replaced(all) == [])
    }

    @Test("a single peer is told too: then a block is the only proof")
    func singlePeer() throws {
        var broadcast = broadcast([Self.peer(1)])
        let actions = try broadcast.add(mine, feeRate: nil, clock: 0, at: .zero)
        #expect(told(actions) == [1])
    }

    @Test("criterion 60: rounds come after 60 s, doubling, an hour at most")
    func rounds() throws {
        var broadcast = broadcast()
        // A new peer in every round, so that there is somebody to tell.
        var times: [Int] = []
        _ = broadcast.connected(Self.peer(1), at: .zero)
        _ = try broadcast.add(mine, feeRate: nil, clock: 0, at: .zero)
        var last = Duration.zero
        for _ in 0..<9 {
            guard let entry = broadcast.entries[mine.txid] else { return }
            times.append(Int((entry.nextRound - last).components.seconds))
            last = entry.nextRound
            _ = broadcast.time(at: last)
        }
        #expect(times == [60, 120, 240, 480, 960, 1920, 3600, 3600, 3600])
    }

    @Test("peers that come and go cost no rounds, and each is told, but for the one who listens")
    func comings() throws {
        var broadcast = broadcast([Self.peer(1)])
        _ = try broadcast.add(mine, feeRate: nil, clock: 0, at: .zero)
        #expect(told(broadcast.connected(Self.peer(2), at: .seconds(1))) == [])
        var all: [Broadcast.Action] = []
        for number in UInt64(3)..<20 {
            all += broadcast.connected(Self.peer(number), at: .seconds(2))
            broadcast.disconnected(PeerID(number - 1))
        }
        #expect(told(all).count >= 8 && replaced(all).isEmpty)
        #expect(broadcast.entries[mine.txid]?.rounds == 1)
    }

    @Test("criterion 60: a peer that lets three announcements pass is spared, under its address")
    func ignored() throws {
        var broadcast = broadcast([Self.peer(1), Self.peer(2)])
        var all = try broadcast.add(mine, feeRate: nil, clock: 0, at: .zero)
        for second in stride(from: 10, through: 20_000, by: 10) {
            all += broadcast.time(at: .seconds(second))
        }
        #expect(told(all).count { $0 == 1 } == 3)
        // Coming again does not make it another.
        broadcast.disconnected(PeerID(1))
        all = broadcast.connected(Self.peer(7, endpoint: 1), at: .seconds(20_000))
        #expect(told(all).isEmpty)
        all = broadcast.connected(Self.peer(8), at: .seconds(20_000))
        #expect(told(all) == [8])
    }

    @Test("criterion 60: a peer whose fee filter is above the rate is passed over without penalty")
    func feeFilter() throws {
        var broadcast = broadcast([
            Self.peer(1, feeFilter: 3000), Self.peer(2, feeFilter: 1000), Self.peer(3),
        ])
        let all = try broadcast.add(mine, feeRate: 2000, clock: 0, at: .zero)
        #expect(told(all) == [2])
        #expect(broadcast.entries[mine.txid]?.ignored.isEmpty == true)
        broadcast.filtered(PeerID(1), below: 2000)
        #expect(told(broadcast.time(at: .seconds(60))) == [1])
    }

    @Test("that no peer takes the rate is said once, with the lowest that one takes")
    func belowFloor() throws {
        var broadcast = broadcast([
            Self.peer(1, feeFilter: 3000), Self.peer(2, feeFilter: 2500),
        ])
        var all = try broadcast.add(mine, feeRate: 2000, clock: 0, at: .zero)
        #expect(all.last == .belowFloor(mine.txid, lowest: 2500))
        all = broadcast.time(at: .seconds(60))
        #expect(all == [])
        broadcast.filtered(PeerID(1), below: 2100)
        #expect(
            broadcast.time(at: .seconds(180)) == [.belowFloor(mine.txid, lowest: 2100)])
    }

    @Test("criterion 59: what was kept is announced again after a restart")
    func restart() {
        let record = BroadcastRecord(mine, feeRate: 2000, since: 1)
        var broadcast = Broadcast([record], at: .seconds(5))
        #expect(told(broadcast.connected(Self.peer(1), at: .seconds(5))) == [1])
        #expect(broadcast.records == [record])
    }

    @Test("criterion 59: with what was kept damaged nothing is taken or announced")
    func damaged() {
        var broadcast = Broadcast(
            [BroadcastRecord(mine, feeRate: nil, since: 1)], damage: "a page", at: .zero)
        #expect(broadcast.connected(Self.peer(1), at: .zero) == [])
        #expect(throws: BroadcastRefusal.stopped("a page")) {
            try broadcast.add(mine, feeRate: nil, clock: 0, at: .zero)
        }
        #expect(broadcast.records.isEmpty)
    }

    @Test("bug 72: after hours without peers it is announced to the first that comes")
    func offline() throws {
        var broadcast = broadcast()
        _ = try broadcast.add(mine, feeRate: nil, clock: 0, at: .zero)
        #expect(broadcast.time(at: .seconds(50_000)) == [])
        #expect(broadcast.nextDeadline == nil)
        #expect(told(broadcast.connected(Self.peer(1), at: .seconds(50_000))) == [1])
    }

    @Test(
        "criterion 50: a send whose block is undone is announced again, and leaves after 100 blocks"
    )
    func reorganisation() throws {
        var broadcast = broadcast([Self.peer(1)])
        _ = try broadcast.add(mine, feeRate: nil, clock: 0, at: .zero)
        _ = broadcast.requested(inventory(mine), by: PeerID(1))
        var all = broadcast.confirmed([mine.txid: 500], tip: 500)
        #expect(all.count == 1 && broadcast.records[0].confirmed == 500)
        #expect(broadcast.time(at: .seconds(9000)) == [])
        #expect(broadcast.rolledBack(above: 500, at: .seconds(9000)) == [])
        all = broadcast.rolledBack(above: 499, at: .seconds(9000))
        #expect(told(all) == [1])
        #expect(broadcast.rolledBack(above: 499, at: .seconds(9000)) == [])
        _ = broadcast.confirmed([mine.txid: 501], tip: 501)
        #expect(broadcast.confirmed([:], tip: 600) == [])
        #expect(broadcast.confirmed([:], tip: 601) == [.store(.removed(mine.txid))])
        #expect(broadcast.records.isEmpty)
    }

    @Test("what is no send, too large or too many is refused")
    func refused() throws {
        var broadcast = broadcast()
        let nothing = Transaction(inputs: [], outputs: mine.outputs)
        #expect(throws: BroadcastRefusal.notASend) {
            try broadcast.add(nothing, feeRate: nil, clock: 0, at: .zero)
        }
        var large = mine
        large.outputs[0].scriptPubKey = Script([UInt8](repeating: 0, count: 100_000))
        #expect(throws: BroadcastRefusal.tooLarge(vsize: large.vsize)) {
            try broadcast.add(large, feeRate: nil, clock: 0, at: .zero)
        }
        for number in 0..<Broadcast.most {
            _ = try broadcast.add(
                Strangers.transaction(UInt64(number)), feeRate: nil, clock: 0, at: .zero)
        }
        #expect(throws: BroadcastRefusal.full(Broadcast.most)) {
            try broadcast.add(
                Strangers.transaction(5000), feeRate: nil, clock: 0, at: .zero)
        }
    }

    @Test("a cancelled transaction is announced no more and served to nobody")
    func cancelled() throws {
        var broadcast = broadcast([Self.peer(1)])
        _ = try broadcast.add(mine, feeRate: nil, clock: 0, at: .zero)
        #expect(broadcast.cancel(mine.txid) == [.store(.removed(mine.txid))])
        #expect(broadcast.requested(inventory(mine), by: PeerID(1)) == [])
        #expect(broadcast.time(at: .seconds(600)) == [])
        #expect(broadcast.cancel(mine.txid) == [])
    }
}
