import Bitcoin
import Chain
import NetworkCore
import PeerMessages
import SimulatedNetwork
import Testing
import Watch

/// Reports about other clients, replayed on the whole light client. Their numbers are those of
/// docs/light-client.md, which also names the tests elsewhere.
@Suite("Public bugs of other clients, replayed")
struct PublicBugsTests {
    /// A light client that is at the tip of a chain, with three honest nodes.
    private func searched(blocks: Int = 60, nodes: Int = 3) throws -> PaymentWorld {
        var world = try PaymentWorld(seed: 5)
        world.chain.pay([try world.script(0)])
        world.chain.mine(blocks, &world.world)
        world.addNodes(nodes)
        try world.expectTrueSearch()
        return world
    }

    private func setManners(
        _ world: inout PaymentWorld, _ change: (inout SimulatedNode.Manner) -> Void
    ) {
        for endpoint in world.world.nodes.keys {
            var manner = world.world.nodes[endpoint]?.manner ?? .init()
            change(&manner)
            world.world.nodes[endpoint]?.manner = manner
        }
    }

    @Test("bug 4: a block that is announced before its filter is there comes a little later")
    func lateFilters() throws {
        var world = try searched(nodes: 1)
        setManners(&world) { $0.ignored = [.getcfheaders, .getcfilters] }
        world.chain.pay([try world.script(1)])
        world.chain.mine(&world.world)
        world.announce()
        world.world.run(for: .seconds(2))
        #expect(world.wallet?.transactions.count == 1)
        setManners(&world) { $0.ignored = [] }
        // It is asked again before its silence costs it the seat.
        world.world.expectSync(to: world.chain.tip, within: .seconds(10))
        try world.expectTruth()
        #expect(world.world.bans.isEmpty)
    }

    @Test("bug 18: twelve blocks that one hash announces while headers still come are not missed")
    func announcedDuringHeaders() throws {
        var world = try PaymentWorld(seed: 5)
        world.chain.mine(2_010, &world.world)
        var manner = SimulatedNode.Manner()
        manner.latency = .seconds(1)
        world.addNodes(3, manner)
        world.world.start()
        world.watch(birthday: .height(2_000))
        let isHalf = world.world.run { $0.client?.sync.chain.height == 2_000 }
        #expect(isHalf)
        world.chain.pay([try world.script(0)])
        world.chain.mine(12, &world.world)
        world.announce()
        // Less than what passes until everybody is asked again of itself.
        world.world.expectSync(to: world.chain.tip, within: .seconds(300))
        #expect(world.wallet?.transactions.map(\.height) == [2_011])
        #expect(world.world.bans.isEmpty)
    }

    @Test("bug 21: a reorganisation while filters are on their way blames nobody")
    func reorganisedDuringFilters() throws {
        var world = try PaymentWorld(seed: 5)
        world.chain.mine(200, &world.world)
        world.chain.pay([try world.script(0)])
        world.chain.mine(100, &world.world)
        var manner = SimulatedNode.Manner()
        manner.latency = .milliseconds(400)
        world.addNodes(3, manner)
        world.world.start()
        world.watch()
        let isUnderWay = world.world.run { $0.filterCounts.count > 40 }
        #expect(isUnderWay && world.world.filterCounts.count < 200)
        world.chain = ChainBuilder(on: Array(world.chain.path.dropLast(150)))
        world.chain.pay([try world.script(1)])
        world.chain.mine(152, &world.world)
        world.announce()
        world.world.expectSync(to: world.chain.tip, within: .seconds(300))
        try world.expectTruth()
        #expect(world.world.bans.isEmpty)
    }

    @Test("bug 23: outputs that a filter must not have convict nobody: OP_RETURN, empty scripts")
    func neverInFilters() throws {
        var world = try PaymentWorld(seed: 5)
        // Behind OP_RETURN anything may stand, opcodes too (as in BIP158's block 15007).
        let scripts: [Script] = [
            Script([0x6A]), Script([0x6A, 0xAC, 0x61, 0x6A]), Script([0x6A, 0x4C]), Script([]),
            try world.script(0),
        ]
        for round in 0..<5 {
            world.chain.pay(Array(scripts.dropFirst(round)))
            world.chain.mine(3, &world.world)
        }
        world.addNodes()
        try world.expectTrueSearch()
        #expect(world.wallet?.transactions.count == 5)
        #expect(world.world.bans.isEmpty)
    }

    @Test("bug 57: what is below a fork is not fetched again")
    func belowTheFork() throws {
        var world = try searched()
        let before = world.world.filterCounts
        let fork = Array(world.chain.path.dropLast(4))
        world.chain = ChainBuilder(on: fork)
        world.chain.mine(5, &world.world)
        world.announce()
        world.world.expectSync(to: world.chain.tip)
        world.world.command(.rescan(nil, from: 1))
        world.world.expectSync(to: world.chain.tip)
        try world.expectTruth()
        let again = fork.indices.dropFirst().filter {
            world.world.filterCounts[fork[$0]] != before[fork[$0]]
        }
        #expect(again == [])
    }

    @Test(
        "bug 59: a clock that is wrong by hours or years is a state with a name, and bans nobody",
        arguments: [-3 * 3600, -10 * 365 * 86_400, 3 * 3600, 10 * 365 * 86_400] as [Int64])
    func clocks(error: Int64) throws {
        var world = try PaymentWorld(seed: 5)
        world.chain.pay([try world.script(0)])
        world.chain.mine(60, &world.world)
        let tip = try #require(world.world.tree[world.chain.tip]?.block.header.time)
        world.world.startClock = Int64(tip) + 60
        world.world.clockError = error
        world.addNodes()
        world.world.start()
        world.watch()
        world.world.run(for: .seconds(900))
        if error < 0 {
            guard case .clockIsBehind? = world.world.client?.sync.progress.phase else {
                Issue.record("\(String(describing: world.world.client?.sync.progress.phase))")
                return
            }
            world.world.clockError = 0
        }
        world.world.expectSync(to: world.chain.tip, within: .seconds(300))
        try world.expectTruth()
        #expect(world.world.bans.isEmpty)
    }

    @Test("bug 54: branches without more work than the chain take no memory, and blame nobody")
    func lightBranches() throws {
        var world = try searched(blocks: 120)
        for round in 0..<60 {
            let headers = world.world.lightBranch(100, beside: world.chain.path)
            #expect(headers.count == 100)
            world.world.say(.headers(headers), from: World.endpoint(round % 3))
            world.world.run(for: .seconds(30))
        }
        #expect(world.world.mostHeld.headers <= 4 * 120)
        #expect(world.world.mostHeld.headers > 0)
        world.chain.pay([try world.script(1)])
        world.chain.mine(&world.world)
        world.announce()
        world.world.expectSync(to: world.chain.tip)
        try world.expectTruth()
        #expect(world.world.bans.isEmpty)
    }

    @Test("bug 60: a witness of 33,970 bytes and one of 500,003 parts come through")
    func largeWitnesses() throws {
        let witnesses = [
            Witness([[UInt8](repeating: 7, count: 33_970)]),
            Witness([[UInt8]](repeating: [], count: 500_003)),
        ]
        for witness in witnesses {
            let input = TransactionInput(
                outpoint: OutPoint(txid: Txid(.zero), vout: 1), witness: witness)
            let transaction = Transaction(
                inputs: [input],
                outputs: [TransactionOutput(value: .zero, scriptPubKey: Script([0x51]))])
            let block = Block(header: Network.regtest.genesis, transactions: [transaction])
            let message = try PeerMessage(.block, payload: PeerMessage.block(block).payload)
            let isSame = message == .block(block)
            #expect(isSame)
        }
    }

    @Test("bug 70: a transaction that two blocks have is one coin, and leaves with neither alone")
    func twice() throws {
        var world = try PaymentWorld(seed: 5)
        let transaction = Transaction(
            inputs: [TransactionInput(outpoint: OutPoint(txid: Txid(.zero), vout: 1))],
            outputs: [
                TransactionOutput(
                    value: try #require(Amount(sats: 700)), scriptPubKey: try world.script(0))
            ])
        for _ in 0..<2 {
            world.chain.add(transaction, spending: [Script([0x52])])
            world.chain.mine(5, &world.world)
        }
        world.addNodes()
        world.expectSearch()
        #expect(world.wallet?.transactions.map(\.height) == [1, 6])
        #expect(world.wallet?.balance(at: 10).total == 700)
        world.chain = ChainBuilder(on: Array(world.chain.path.prefix(6)))
        world.chain.mine(6, &world.world)
        world.announce()
        world.world.expectSync(to: world.chain.tip)
        #expect(world.wallet?.transactions.map(\.height) == [1])
        #expect(world.wallet?.balance(at: 11).total == 700)
        #expect(world.wallet?.unspent.map(\.height) == [1])
    }

    // MARK: Sending

    /// A transaction that spends the wallet's coin, sent.
    private func send(_ world: inout PaymentWorld) throws -> Transaction {
        let coin = try #require(world.wallet?.unspent.first)
        let transaction = Transaction(
            inputs: [TransactionInput(outpoint: coin.outpoint, witness: Witness([[1]]))],
            outputs: [TransactionOutput(value: .zero, scriptPubKey: Script([0x52]))])
        world.world.command(.broadcast(transaction, feeRate: World.feeRate))
        return transaction
    }

    @Test(
        "bug 71: a transaction that spread is told of once, by the echo of a node that had it from others",
        arguments: [false, true])
    func spreads(byWtxid: Bool) throws {
        var world = try searched()
        setManners(&world) { $0.usesWtxid = byWtxid }
        world.world.start()
        world.world.expectSync(to: world.chain.tip)
        let transaction = try send(&world)
        world.world.run(for: .seconds(60))
        #expect(world.world.echoes.map(\.txid) == [transaction.txid])
        #expect(world.world.echoes.allSatisfy { !$0.wasGiven })
        #expect(world.world.nodes.values.allSatisfy { $0.mempool[transaction.txid] != nil })
    }

    @Test("bug 71: who got it from us is no witness that it spread, in a new connection neither")
    func swallowed() throws {
        var world = try searched()
        setManners(&world) {
            $0.swallowsTransactions = true
            $0.announcesAgain = true
        }
        let transaction = try send(&world)
        for _ in 0..<10 {
            world.world.run(for: .seconds(600))
            for endpoint in world.world.connected { world.world.hangUp(endpoint) }
        }
        #expect(world.world.nodes.values.contains { $0.mempool[transaction.txid] != nil })
        #expect(world.world.echoes.isEmpty)
    }
}
