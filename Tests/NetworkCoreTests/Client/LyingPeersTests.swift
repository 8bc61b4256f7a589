import Bitcoin
import Chain
import NetworkCore
import PeerMessages
import SimulatedNetwork
import Testing
import Watch
import Wire

@Suite("Peers that lie, lack something or are slow")
struct LyingPeersTests {
    /// Chains with a payment near each end, made once.
    private static let chains = Result {
        try Dictionary(uniqueKeysWithValues: [200, 300, 400, 1_050].map { ($0, try make($0)) })
    }

    private static func make(_ length: Int) throws -> PaymentWorld {
        var world = try PaymentWorld(seed: 9)
        world.chain.mine(19, &world.world)
        world.chain.pay([try world.script(0)])
        world.chain.mine(&world.world)
        world.chain.mine(length - 40, &world.world)
        world.chain.pay([try world.script(1)])
        world.chain.mine(20, &world.world)
        return world
    }

    private func chain(_ length: Int = 1_050) throws -> PaymentWorld {
        try #require(try Self.chains.get()[length])
    }

    private func manner(
        _ lie: SimulatedNode.Lie, at heights: Set<Int> = [20]
    ) -> SimulatedNode.Manner {
        var manner = SimulatedNode.Manner()
        manner.lie = lie
        manner.lieHeights = heights
        return manner
    }

    @Test(
        "Whatever one of three lies about, in whichever seat: all payments are found, it is banned",
        arguments: [
            SimulatedNode.Lie.omittedFilters, .tamperedFilters, .contradictoryCheckpoints,
            .shortCheckpoints, .shortHashes, .malformedFilters, .wrongTargets,
        ])
    func oneLiar(lie: SimulatedNode.Lie) throws {
        for seat in 0..<3 {
            var world = try chain()
            for number in 0..<3 {
                let manner = number == seat ? manner(lie) : SimulatedNode.Manner()
                world.world.add(number, SimulatedNode(world.chain.path, manner))
            }
            try world.expectTrueSearch()
            // Filters that are false one by one come to light only if the liar is asked for them.
            let isAskedForCertain = lie != .tamperedFilters
            let banned = Set(world.world.bans.keys)
            #expect(banned.isSubset(of: [World.endpoint(seat)]))
            if isAskedForCertain { #expect(banned == [World.endpoint(seat)], "\(lie) \(seat)") }
            let kept = Set(world.world.store.peers.records.map(\.endpoint))
            let honest = Set((0..<3).filter { $0 != seat }.map { World.endpoint($0) })
            #expect(honest.isSubset(of: kept))
        }
    }

    @Test(
        "A block that is not what its header commits to is refused, and comes from another peer",
        arguments: [
            SimulatedNode.Lie.alteredBlocks, .repeatedTransactions, .alteredWitnesses,
        ])
    func falseBlocks(lie: SimulatedNode.Lie) throws {
        var world = try chain(200)
        world.world.add(0, SimulatedNode(world.chain.path))
        for number in 1...2 {
            world.world.add(number, SimulatedNode(world.chain.path, manner(lie)))
        }
        try world.expectTrueSearch()
        #expect(!world.world.bans.isEmpty)
        #expect(world.world.bans[World.endpoint(0)] == nil)
    }

    @Test(
        "A filter with one wrong bit convicts its sender at its height, and nothing is taken of it")
    func tampered() throws {
        var world = try chain(200)
        world.world.add(0, SimulatedNode(world.chain.path, manner(.tamperedFilters, at: [20])))
        world.world.start()
        world.watch()
        world.world.run(for: .seconds(120))
        let ban = world.world.bans[World.endpoint(0)]
        #expect(ban == PeerProof.filter(height: 20).description)
        let progress = world.world.client?.sync.wallets.all.first?.progress
        #expect((progress?.scanned ?? 0) < 20)
        #expect(world.wallet?.transactions.isEmpty == true)
    }

    @Test("What every peer lied about comes to light with the first honest one, without an import")
    func poisoned() throws {
        var world = try chain()
        for number in 0..<2 {
            world.world.add(number, SimulatedNode(world.chain.path, manner(.omittedFilters)))
        }
        world.expectSearch()
        #expect(world.wallet?.transactions.count == 1)
        world.world.add(2, SimulatedNode(world.chain.path))
        world.world.start()
        world.world.run(for: .seconds(300)) { $0.wallet(named: "w")?.transactions.count == 2 }
        world.world.expectSync(to: world.chain.tip)
        try world.expectTruth()
        #expect(Set(world.world.bans.keys) == [World.endpoint(0), World.endpoint(1)])
    }

    @Test("A filter header that was stored wrong is taken back, and nobody suffers for it")
    func storedWrong() throws {
        var world = try chain(300)
        world.addNodes()
        world.expectSearch()
        world.world.stop()
        world.world.store.poison(filterHeader: 150, with: .beforeGenesis)
        world.world.start()
        world.world.expectSync(to: world.chain.tip)
        try world.expectTruth()
        #expect(world.world.bans.isEmpty)
    }

    @Test("A block that is fetched for one payment convicts a filter that leaves out another")
    func convictedByBlock() throws {
        var world = try PaymentWorld(seed: 4)
        world.chain.pay([try world.script(0)])
        world.chain.mine(30, &world.world)
        var manner = SimulatedNode.Manner()
        manner.lie = .partialFilters(keeping: try world.script(0))
        manner.lieHeights = [1]
        world.world.add(0, SimulatedNode(world.chain.path, manner))
        world.world.start()
        world.watch()
        world.world.run(for: .seconds(120))
        #expect(world.world.bans.count == 1)
        world.world.add(1, SimulatedNode(world.chain.path))
        world.world.start()
        world.world.expectSync(to: world.chain.tip)
        try world.expectTruth()
    }

    @Test("Peers that announce filters and stay silent about them rest, and are not banned")
    func silentAboutFilters() throws {
        var world = try chain(200)
        var manner = SimulatedNode.Manner()
        manner.ignored = [.getcfilters, .getcfheaders, .getcfcheckpt]
        world.world.add(0, SimulatedNode(world.chain.path, manner))
        world.world.add(1, SimulatedNode(world.chain.path, manner))
        world.world.start()
        world.watch()
        world.world.run(for: .seconds(300))
        #expect(world.wallet?.transactions.isEmpty == true)
        world.world.add(2, SimulatedNode(world.chain.path))
        world.world.start()
        world.world.expectSync(to: world.chain.tip)
        try world.expectTruth()
        #expect(world.world.bans.isEmpty)
    }

    @Test("Peers that lack blocks, say so or not, cost time and no ban", arguments: [true, false])
    func withoutBlocks(isSaid: Bool) throws {
        var world = try chain(200)
        var manner = SimulatedNode.Manner()
        if isSaid { manner.lacksBlocks = true } else { manner.ignored = [.getdata] }
        world.world.add(0, SimulatedNode(world.chain.path, manner))
        world.world.add(1, SimulatedNode(world.chain.path, manner))
        world.world.add(2, SimulatedNode(world.chain.path))
        try world.expectTrueSearch()
        #expect(world.world.bans.isEmpty)
    }

    @Test("A peer that hangs up in the middle of its range costs nothing but the time")
    func hangsUp() throws {
        var world = try chain(400)
        world.addNodes()
        world.world.start()
        world.watch()
        for _ in 0..<20 {
            world.world.run(for: .milliseconds(90))
            if let node = world.world.connected.first { world.world.hangUp(node) }
        }
        world.world.expectSync(to: world.chain.tip)
        try world.expectTruth()
        #expect(world.world.bans.isEmpty)
    }

    @Test("Messages that nobody asked for disturb no question, and blame nobody")
    func flood() throws {
        var world = try chain(300)
        world.addNodes()
        world.world.start()
        world.watch()
        for round in 0..<100 {
            world.world.run(for: .milliseconds(20))
            let hash = world.chain.path[round + 1]
            let unknown = Bytes32 { $0.storeBytes(of: UInt64(round), as: UInt64.self) }
            let items = [
                InventoryItem(.block, hash.bytes), InventoryItem(.witnessTransactionID, hash.bytes),
                // A block that nobody has.
                InventoryItem(.block, unknown),
            ]
            world.world.say(.inv(items), from: World.endpoint(round % 3))
            world.world.say(
                .cfilter(FilterAnswer(block: hash, filter: [0])), from: World.endpoint(1))
        }
        world.world.expectSync(to: world.chain.tip)
        try world.expectTruth()
        #expect(world.world.bans.isEmpty)
    }

    @Test("Nodes that catch up announce hundreds of blocks in a second, and keep their seats")
    func bursts() throws {
        var world = try chain(200)
        world.addNodes()
        world.world.start()
        world.watch()
        world.world.expectSync(to: world.chain.tip)
        for _ in 0..<600 {
            world.chain.mine(&world.world)
            world.announce()
            world.world.run(for: .milliseconds(2))
        }
        let isCurrent = world.world.sync(to: world.chain.tip, for: .seconds(20))
        #expect(isCurrent)
        #expect(world.world.client?.pool.seated.count == 3)
        try world.expectTruth()
    }

    @Test("Who announces the same block again and again loses its seat, and says why")
    func sameHeader() throws {
        var world = try chain(200)
        world.addNodes()
        world.world.start()
        world.world.expectSync(to: world.chain.tip)
        let tip = try #require(world.world.tree[world.chain.tip]?.block.header)
        for _ in 0..<150 {
            world.world.say(.headers([tip]), from: World.endpoint(1))
            world.world.run(for: .milliseconds(2))
        }
        let pool = try #require(world.world.client?.pool)
        #expect(!pool.seated.map(\.endpoint).contains(World.endpoint(1)))
        let rest = pool.book.rest(of: World.endpoint(1), at: world.world.now)
        #expect(rest?.fault == .misconduct(.flood(.headers)))
        #expect(world.world.bans.isEmpty)
    }

    @Test("A height that is only claimed holds up nothing")
    func claims() throws {
        var world = try chain(200)
        var manner = SimulatedNode.Manner()
        manner.claims = 2_000_000
        world.world.add(0, SimulatedNode(world.chain.path, manner))
        manner.claims = 194
        world.world.add(1, SimulatedNode(world.chain.path, manner))
        try world.expectTrueSearch()
        #expect(world.world.bans.isEmpty)
    }

    @Test("Headers that everybody has are not worth having: who replays them loses its seat")
    func replayed() throws {
        var world = try chain(1_050)
        world.world.add(0, SimulatedNode(world.chain.path))
        var manner = SimulatedNode.Manner()
        manner.ignored = [.getheaders]
        world.world.add(1, SimulatedNode(world.chain.path, manner))
        world.world.start()
        world.world.sync(to: world.chain.tip, for: .seconds(20))
        for place in 1..<1_000 {
            let header = try #require(world.world.tree[world.chain.path[place]]?.block.header)
            world.world.say(.headers([header]), from: World.endpoint(1))
            world.world.run(for: .milliseconds(2))
        }
        let pool = try #require(world.world.client?.pool)
        #expect(!pool.seated.map(\.endpoint).contains(World.endpoint(1)))
    }
}
