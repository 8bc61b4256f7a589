import Bitcoin
import Chain
import NetworkCore
import PeerMessages
import SimulatedNetwork
import TestSupport
import Testing
import Watch

@Suite("Reorganisations, crashes and disks that fail")
struct ReorganisationTests {
    private func world() throws -> PaymentWorld {
        var world = try PaymentWorld(seed: 3)
        world.chain.mine(50, &world.world)
        world.chain.pay([try world.script(0)])
        world.chain.mine(10, &world.world)
        world.chain.pay([try world.script(1)])
        world.chain.mine(5, &world.world)
        return world
    }

    /// The chain without its last blocks, and one more than these of another branch.
    private func branch(_ world: inout PaymentWorld, depth: Int) throws {
        world.chain = ChainBuilder(on: Array(world.chain.path.dropLast(depth)))
        world.chain.pay([try world.script(2)])
        world.chain.mine(depth + 1, &world.world)
    }

    @Test(
        "The disk fails at each commit of a reorganisation: what is written is one of both states")
    func failingCommits() throws {
        for offset in 0..<6 {
            var world = try world()
            world.addNodes()
            world.expectSearch()
            try branch(&world, depth: 8)
            world.world.failingCommit = (world.world.store.commits + offset, .noSpace)
            world.announce()
            world.world.expectSync(to: world.chain.tip)
            try world.expectTruth()
            #expect(world.world.bans.isEmpty)
        }
    }

    @Test(
        "A crash at each commit of a catch-up ends in the same coins, from no higher than was written"
    )
    func crashes() throws {
        for crash in 0..<12 {
            var world = try world()
            world.world.limits.sync.unwrittenBlocks = 7
            world.addNodes()
            world.world.start()
            world.watch()
            let base = world.world.store.commits
            world.world.run { $0.store.commits >= base + crash }
            let written = world.world.store.state.wallets.first?.progress?.scanned ?? -1
            world.world.start()
            let resumed = world.world.client?.sync.wallets.all.first?.progress?.scanned ?? -1
            #expect(resumed <= written)
            world.world.expectSync(to: world.chain.tip)
            try world.expectTruth()
        }
    }

    @Test(
        "Headers, filter headers and filters that were lost come again; wallets are searched anew")
    func lostEnds() throws {
        for (headers, filters) in [(0, 0), (30, 30), (60, 20), (66, 0), (66, 65)] {
            var world = try world()
            world.addNodes()
            world.expectSearch()
            world.world.stop()
            world.world.store.truncate(headers: headers, filterHeaders: filters)
            world.world.start()
            world.world.expectSync(to: world.chain.tip)
            try world.expectTruth()
            #expect(world.world.bans.isEmpty)
        }
    }

    @Test("Where the end of the chain was lost, what is kept of a wallet is what is shown of it")
    func keptIsShown() throws {
        var world = try PaymentWorld(seed: 3)
        world.chain.mine(49, &world.world)
        // Watched only because of the payment behind it.
        world.chain.pay([try world.script(5)])
        world.chain.mine(5, &world.world)
        let fork = world.chain
        world.chain.pay([try world.script(2)])
        world.chain.mine(5, &world.world)
        world.chain.pay([try world.script(0)])
        world.chain.mine(5, &world.world)
        world.addNodes()
        world.world.start()
        world.watch(gapLimit: 4)
        world.world.expectSync(to: world.chain.tip)
        #expect(world.wallet?.transactions.count == 3)
        world.world.stop()
        world.world.store.truncate(headers: 58, filterHeaders: 45)
        world.chain = fork
        world.chain.mine(12, &world.world)
        world.announce()
        world.world.start()
        world.world.expectSync(to: world.chain.tip)
        let stored = world.world.store.state.wallets[0].transactions
        #expect(stored == world.wallet?.transactions)
        #expect(world.world.store.violations == [])
    }

    @Test("A block that comes while it is stopped, or starts, is not left out")
    func betweenStarts() throws {
        var world = try world()
        world.addNodes()
        world.expectSearch()
        for index in 3..<8 as Range<UInt32> {
            world.world.stop()
            world.chain.pay([try world.script(index)])
            world.chain.mine(&world.world)
            world.announce()
            world.world.start()
            world.chain.mine(&world.world)
            world.announce()
            world.world.expectSync(to: world.chain.tip)
        }
        try world.expectTruth()
    }

    @Test("Rival tips of two peers: nobody is asked for what it has not shown to know")
    func rivalTips() throws {
        var world = try world()
        world.addNodes(2)
        world.expectSearch()
        let first = world.world.mine(1, on: world.chain.path)
        let second = world.world.mine(1, on: world.chain.path)
        world.world.follow(World.endpoint(0), first)
        world.world.follow(World.endpoint(1), second)
        world.world.run(for: .seconds(60))
        let longer = world.world.mine(1, on: second)
        world.world.follow(World.endpoint(1), longer)
        world.world.run(for: .seconds(60))
        world.world.follow(World.endpoint(0), longer)
        world.world.expectSync(to: longer[longer.count - 1])
        #expect(world.world.nodes.values.allSatisfy { $0.rudeQuestions.isEmpty })
        #expect(world.world.bans.isEmpty)
    }

    @Test("Twelve blocks that are announced by the hash of the last only are all searched")
    func announcedByHash() throws {
        var world = try world()
        var manner = SimulatedNode.Manner()
        manner.announcesByHash = true
        world.addNodes(3, manner)
        world.expectSearch()
        world.chain.pay([try world.script(3)])
        world.chain.mine(12, &world.world)
        world.announce()
        world.world.expectSync(to: world.chain.tip, within: .seconds(60))
        try world.expectTruth()
    }

    @Test("No address is given out twice, whatever crashes, fails or leaves the chain")
    func issue() throws {
        var world = try world()
        world.addNodes()
        world.world.start()
        world.watch(gapLimit: 50)
        var seen: Set<UInt32> = []
        for round in 0..<20 {
            if round == 5 { world.world.expectSync(to: world.chain.tip) }
            if round == 10 {
                try branch(&world, depth: 8)
                world.announce()
                world.world.expectSync(to: world.chain.tip)
            }
            if round % 4 == 3 {
                // It was told to nobody, so it may come again.
                world.world.failingCommit = (world.world.store.commits, .device)
                let id = world.world.command(.issueAddress(WalletID(1), branch: 0))
                #expect(
                    world.world.answers[id]
                        == .refused(.store(StoreFault(.device, "the disk failed"))))
                world.world.run(for: .seconds(60))
            }
            let id = world.world.command(.issueAddress(WalletID(1), branch: 0))
            guard case .address(_, let index) = world.world.answers[id] else {
                Issue.record("no address in round \(round)")
                continue
            }
            #expect(seen.insert(index).inserted)
            if round % 3 == 1 { world.world.start() }
        }
        #expect(seen.count == 20)
    }

    /// Sends one of the wallet's coins away, and has it in the next block; what was sent, and the coin's
    /// script.
    private func sendAndMine(_ world: inout PaymentWorld) throws -> (Transaction, Script) {
        let coin = try #require(world.wallet?.unspent.first)
        let send = Transaction(
            inputs: [TransactionInput(outpoint: coin.outpoint)],
            outputs: [TransactionOutput(value: .zero, scriptPubKey: Script([0x52]))])
        world.world.command(.broadcast(send, feeRate: nil))
        mine(send, spending: coin.output.scriptPubKey, &world)
        return (send, coin.output.scriptPubKey)
    }

    private func mine(
        _ transaction: Transaction, spending script: Script, _ world: inout PaymentWorld
    ) {
        world.chain.add(transaction, spending: [script])
        world.chain.mine(&world.world)
        world.announce()
        world.world.expectSync(to: world.chain.tip)
    }

    @Test("A send of ours that leaves the chain is announced again, and confirmed anew")
    func ownSend() throws {
        var world = try world()
        world.addNodes()
        world.expectSearch()
        let base = world.chain
        let (send, script) = try sendAndMine(&world)
        let records = { (world: PaymentWorld) in world.world.client?.relay.broadcast.records }
        #expect(records(world)?.first?.confirmed == world.chain.height)
        world.chain = base
        world.chain.mine(2, &world.world)
        world.announce()
        world.world.expectSync(to: world.chain.tip)
        #expect(records(world)?.first?.confirmed == nil)
        mine(send, spending: script, &world)
        #expect(records(world)?.first?.confirmed == world.chain.height)
        try world.expectTruth()
    }

    @Test(
        "A send whose block the store lost is sent again, unless the block comes back",
        arguments: [true, false])
    func lostBlock(comesBack: Bool) throws {
        var world = try world()
        world.addNodes()
        world.expectSearch()
        let base = world.chain
        _ = try sendAndMine(&world)
        let height = world.chain.height
        #expect(world.world.store.state.broadcasts.map(\.confirmed) == [height])
        world.world.stop()
        world.world.store.truncate(headers: base.height, filterHeaders: base.height)
        if !comesBack {
            world.chain = base
            world.chain.mine(3, &world.world)
            world.announce()
        }
        world.world.start()
        // Known before a peer says anything, and written.
        #expect(world.world.store.state.broadcasts.map(\.confirmed) == [nil])
        world.world.expectSync(to: world.chain.tip)
        #expect(
            world.world.store.state.broadcasts.map(\.confirmed) == [comesBack ? height : nil])
        let records = world.world.client?.relay.broadcast.records
        #expect(records == world.world.store.state.broadcasts)
    }

    @Test("What a block has is known after a crash between the files that say so")
    func crashBetweenFiles() throws {
        var world = try world()
        world.addNodes()
        world.expectSearch()
        _ = try sendAndMine(&world)
        let client = try #require(world.world.client)
        var stored = world.world.store.state
        // The block was searched, and that of the record is not written.
        stored.broadcasts[0].confirmed = nil
        let again = LightClient(
            stored, at: .zero, clock: 0, random: SeededGenerator(seed: 1))
        #expect(again.relay.broadcast.records == client.relay.broadcast.records)
        #expect(again.relay.broadcast.records[0].confirmed == world.chain.height)
    }
}
