import Bitcoin
import PeerMessages
import Testing
import Wire

@testable import NetworkCore

@Suite("Unconfirmed transactions")
struct UnconfirmedViewTests {
    private let mine = Strangers.transaction(1)

    private func view(_ peers: [PeerInfo] = [BroadcastTests.peer(1), BroadcastTests.peer(2)])
        -> UnconfirmedView
    {
        var view = UnconfirmedView()
        for peer in peers { view.connected(peer) }
        return view
    }

    private func items(_ numbers: Range<UInt64>) -> [InventoryItem] {
        numbers.map { InventoryItem(.witnessTransactionID, Strangers.bytes($0)) }
    }

    private func inventory(_ transaction: Transaction) -> [InventoryItem] {
        [InventoryItem(.witnessTransactionID, transaction.wtxid.bytes)]
    }

    private func asked(_ actions: [UnconfirmedView.Action]) -> Int {
        actions.reduce(0) { count, action in
            if case .send(_, .getdata(let items)) = action { count + items.count } else { count }
        }
    }

    @Test("criterion 45: while it is closed nothing is asked for")
    func closed() {
        var view = view()
        #expect(view.announced(items(0..<10), by: PeerID(1), at: .zero) == [])
        view.open(for: .seconds(60), at: .zero)
        #expect(asked(view.announced(items(0..<10), by: PeerID(1), at: .seconds(59))) == 10)
        view.time(at: .seconds(60))
        #expect(!view.isOpen && view.inFlightCount == 0 && view.rememberedCount == 0)
        #expect(view.announced(items(10..<20), by: PeerID(1), at: .seconds(60)) == [])
        // An answer that is late counts for nothing.
        #expect(
            view.received(mine, from: PeerID(1), clock: 1) { _ in true } == [])
    }

    @Test("criterion 45: at the deadline itself nothing is asked for, told or not")
    func deadline() {
        var view = view()
        view.open(for: .seconds(60), at: .zero)
        #expect(view.announced(items(0..<10), by: PeerID(1), at: .seconds(60)) == [])
        view.open(for: .seconds(60), at: .seconds(30))
        view.time(at: .seconds(89))
        #expect(view.isOpen)
    }

    @Test("criterion 45: at most 512 are under way and 10,000 remembered")
    func bounds() {
        var view = view()
        view.open(at: .zero)
        #expect(asked(view.announced(items(0..<5000), by: PeerID(1), at: .zero)) == 512)
        #expect(view.inFlightCount == 512)
        #expect(asked(view.announced(items(600..<700), by: PeerID(2), at: .zero)) == 0)
        for batch in UInt64(0)..<40 {
            let part = items(10_000 + batch * 500..<10_000 + batch * 500 + 500)
            view.notFound(items(0..<5000), by: PeerID(1))
            _ = view.announced(part, by: PeerID(1), at: .zero)
            #expect(view.inFlightCount <= 512 && view.rememberedCount <= 10_000)
            for item in part { view.notFound([item], by: PeerID(1)) }
        }
    }

    @Test("each is asked for once, by the name that the peer uses")
    func once() {
        var view = view([BroadcastTests.peer(1), BroadcastTests.peer(2, usesWtxid: false)])
        view.open(at: .zero)
        #expect(asked(view.announced(items(0..<5), by: PeerID(1), at: .zero)) == 5)
        #expect(asked(view.announced(items(0..<5), by: PeerID(1), at: .zero)) == 0)
        let byTxid = [InventoryItem(.transaction, Strangers.bytes(99))]
        #expect(
            view.announced(byTxid, by: PeerID(2), at: .zero) == [
                .send(
                    PeerID(2), .getdata([InventoryItem(.witnessTransaction, Strangers.bytes(99))]))
            ])
        #expect(view.announced(byTxid, by: PeerID(1), at: .zero) == [])
        #expect(view.announced([InventoryItem(.block, .zero)], by: PeerID(1), at: .zero) == [])
    }

    @Test("criterion 46: a payment is seen once and stays when peers leave and others come")
    func survives() {
        var view = view()
        view.open(at: .zero)
        _ = view.announced(inventory(mine), by: PeerID(1), at: .zero)
        #expect(
            view.received(mine, from: PeerID(1), clock: 5) { _ in true } == [.seen(mine.txid)])
        view.disconnected(PeerID(1))
        view.connected(BroadcastTests.peer(3))
        #expect(view.sightings[mine.txid]?.seen == 5)
        _ = view.announced(inventory(mine), by: PeerID(3), at: .zero)
        #expect(view.received(mine, from: PeerID(3), clock: 6) { _ in true } == [])
        #expect(view.sightings.count == 1)
        view.close()
        #expect(view.sightings.count == 1)
    }

    @Test("criterion 46: what a peer left without sending is fetched from the next")
    func nextPeer() {
        var view = view()
        view.open(at: .zero)
        #expect(asked(view.announced(inventory(mine), by: PeerID(1), at: .zero)) == 1)
        #expect(asked(view.announced(inventory(mine), by: PeerID(2), at: .zero)) == 0)
        view.disconnected(PeerID(1))
        #expect(asked(view.announced(inventory(mine), by: PeerID(2), at: .zero)) == 1)
        view.time(at: .seconds(30))
        #expect(asked(view.announced(inventory(mine), by: PeerID(2), at: .seconds(30))) == 1)
        view.notFound(inventory(mine), by: PeerID(2))
        #expect(view.inFlightCount == 0)
    }

    @Test("what nobody was asked for, or another was, is not shown")
    func unasked() {
        var view = view()
        view.open(at: .zero)
        #expect(view.received(mine, from: PeerID(1), clock: 1) { _ in true } == [])
        _ = view.announced(inventory(mine), by: PeerID(1), at: .zero)
        #expect(view.received(mine, from: PeerID(2), clock: 1) { _ in true } == [])
        #expect(view.received(mine, from: PeerID(1), clock: 1) { _ in false } == [])
        #expect(view.sightings.isEmpty)
    }

    @Test("a block that has it, or has another spend of its coins, ends it")
    func confirmed() {
        let rival = Transaction(
            inputs: mine.inputs, outputs: Strangers.transaction(2).outputs)
        for block in [mine, rival] {
            var view = view()
            view.open(at: .zero)
            _ = view.announced(inventory(mine), by: PeerID(1), at: .zero)
            _ = view.received(mine, from: PeerID(1), clock: 1) { _ in true }
            view.confirmed([Strangers.transaction(9)])
            #expect(view.sightings.count == 1)
            view.confirmed([block])
            #expect(view.sightings.isEmpty)
        }
    }

    @Test("criterion 55: one peer's word raises no fee above the cap, and not above the others'")
    func feeFloor() {
        #expect(FeeFloor.floor(of: []) == nil)
        #expect(FeeFloor.floor(of: [PeerPool.noTransactions, .max, .min, -1]) == nil)
        #expect(FeeFloor.floor(of: [1000]) == 1000)
        #expect(FeeFloor.floor(of: [9_000_000]) == FeeFloor.cap)
        #expect(FeeFloor.floor(of: [1000, 9_000_000]) == 1000)
        #expect(FeeFloor.floor(of: [1000, 9_000_000, 2000]) == 2000)
        #expect(FeeFloor.floor(of: [0, 0, .max]) == 0)
    }

    @Test("bug 73: without any word of a peer there is no floor, and nothing fails")
    func noFloor() { #expect(FeeFloor.floor(of: []) == nil) }

    @Test("peers announce all while somebody looks, those worth an echo while one is awaited")
    func announcements() throws {
        var relay = Relay(Broadcast(at: .zero))
        #expect(relay.announcementRate == PeerPool.noTransactions)
        _ = try relay.send(mine, feeRate: 2000, clock: 0, at: .zero)
        #expect(relay.announcementRate == 1800)
        relay.look(at: .zero)
        #expect(relay.announcementRate == 0)
        relay.lookAway()
        _ = relay.connected(BroadcastTests.peer(1), at: .zero)
        _ = relay.connected(BroadcastTests.peer(2), at: .zero)
        let news = relay.received(
            .inv(inventory(mine)), from: PeerID(2), clock: 3, at: .zero
        ) { _ in false }
        #expect(news.last == .news(.echoed(mine.txid, by: PeerID(2))))
        #expect(relay.announcementRate == PeerPool.noTransactions)
    }

    @Test("messages reach what they are about")
    func messages() throws {
        var relay = Relay(Broadcast(at: .zero))
        _ = relay.connected(BroadcastTests.peer(1), at: .zero)
        func say(_ message: PeerMessage) -> [Relay.Action] {
            relay.received(message, from: PeerID(1), clock: 1, at: .zero) { _ in true }
        }
        _ = try relay.send(mine, feeRate: 500, clock: 0, at: .zero)
        let taker = BroadcastTests.peer(1).endpoint
        #expect(
            say(.getdata(inventory(mine))) == [
                .store(.taken(mine.txid, by: taker)), .send(PeerID(1), .tx(mine)),
            ])
        let other = Strangers.transaction(2)
        relay.look(at: .zero)
        #expect(say(.inv(inventory(other))).count == 1)
        #expect(say(.tx(other)) == [.news(.seen(other.txid))])
        _ = say(.feefilter(9000))
        #expect(relay.time(at: .seconds(60)).contains(.news(.belowFloor(mine.txid, lowest: 9000))))
        _ = relay.confirmed([(other, 5), (mine, 5)], tip: 5)
        #expect(relay.view.sightings.isEmpty && relay.broadcast.records[0].confirmed == 5)
        #expect(
            relay.rolledBack(above: 4, at: .seconds(60)).contains(
                .store(
                    .kept(BroadcastRecord(mine, feeRate: 500, since: 0, takers: [taker])))))
    }
}
