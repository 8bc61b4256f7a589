import Bitcoin
import Chain
import Descriptors
import NetworkCore
import PeerMessages
import SimulatedNetwork
import Testing
import Watch

/// A wallet, a chain with payments to it, and nodes that serve it.
struct PaymentWorld: Sendable {
    var world = World()
    var chain: ChainBuilder
    let descriptor: Descriptor

    init(seed: UInt64 = 1) throws {
        descriptor = try RecordedWorld.wallets.get()[2].descriptor
        world = World(seed: seed)
        let genesis = Network.regtest.genesis
        let tree = try RecordedWorld.chains.get()
        let block = try #require(tree.tree[genesis.hash])
        chain = ChainBuilder(on: [world.tree.insert(block.block, block.filter)])
    }

    func script(_ index: UInt32, change: Bool = false) throws -> Script {
        let branch = descriptor.branches[change ? 1 : 0]
        return try branch.output(at: index).scriptPubKey
    }

    mutating func addNodes(_ count: Int = 3, _ manner: SimulatedNode.Manner = .init()) {
        for number in 0..<count { world.add(number, SimulatedNode(chain.path, manner)) }
    }

    mutating func watch(gapLimit: UInt32 = 20, birthday: WalletBirthday = .unknown) {
        world.command(
            .addWallet(name: "w", [descriptor], gapLimit: gapLimit, birthday: birthday))
    }

    var wallet: WatchedWallet? { world.wallet(named: "w") }

    /// Every node follows the chain as it is now.
    mutating func announce() {
        for endpoint in world.nodes.keys.sorted(by: { "\($0)" < "\($1)" }) {
            world.follow(endpoint, chain.path)
        }
    }

    /// Starts the light client, which watches the wallet and has to search the chain to its end.
    mutating func expectSearch(sourceLocation: SourceLocation = #_sourceLocation) {
        world.start()
        watch()
        world.expectSync(to: chain.tip, sourceLocation: sourceLocation)
    }

    /// The same, after which the wallet has what the chain says.
    mutating func expectTrueSearch(sourceLocation: SourceLocation = #_sourceLocation) throws {
        expectSearch(sourceLocation: sourceLocation)
        try expectTruth(sourceLocation: sourceLocation)
    }

    func expectTruth(
        gapLimit: UInt32 = 20, sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let truth = try world.tree.truth(
            of: [descriptor], along: chain.path, gapLimit: gapLimit)
        #expect(wallet?.coins == truth.coins, sourceLocation: sourceLocation)
        #expect(wallet?.transactions == truth.transactions, sourceLocation: sourceLocation)
        #expect(world.store.violations == [], sourceLocation: sourceLocation)
    }
}

@Suite("Searching blocks")
struct ScanTests {
    @Test("Indices used past the gap during a catch-up are found in the same catch-up")
    func pastTheGap() throws {
        var world = try PaymentWorld()
        // 30 is paid long before 12, which makes it watched; so are a spend of it, and 45 behind it.
        world.chain.mine(5, &world.world)
        world.chain.pay([try world.script(30), try world.script(45)])
        world.chain.mine(&world.world)
        let coin = try #require(world.chain.coins.first)
        world.chain.mine(150, &world.world)
        world.chain.spend(coin.outpoint, to: Script([0x51]))
        world.chain.mine(&world.world)
        world.chain.mine(150, &world.world)
        world.chain.pay([try world.script(12)])
        world.chain.mine(&world.world)
        world.chain.mine(30, &world.world)
        world.addNodes()
        world.expectSearch()
        #expect(world.wallet?.transactions.count == 3)
        try world.expectTruth()
        #expect(world.wallet?.branches[0].lastUsed == 45)
        // The second pass took the filters from the store.
        #expect(world.world.filterCounts.values.allSatisfy { $0 == 1 })
    }

    @Test("Filters that are not kept are fetched again for addresses that come to be watched")
    func pastTheGapWithoutFilters() throws {
        var world = try PaymentWorld()
        world.world.limits.sync.keptFilterBytes = 0
        world.chain.mine(5, &world.world)
        world.chain.pay([try world.script(25)])
        world.chain.mine(100, &world.world)
        world.chain.pay([try world.script(10)])
        world.chain.mine(&world.world)
        world.addNodes()
        try world.expectTrueSearch()
        #expect(world.wallet?.transactions.count == 2)
        #expect(world.world.store.filterBytes == 0)
    }

    @Test("A second pass survives a crash at any commit")
    func passAcrossCrashes() throws {
        for crash in stride(from: 4, through: 24, by: 2) {
            var world = try PaymentWorld()
            world.world.limits.sync.unwrittenBlocks = 10
            world.chain.pay([try world.script(30)])
            world.chain.mine(60, &world.world)
            world.chain.pay([try world.script(12)])
            world.chain.mine(40, &world.world)
            world.addNodes()
            world.world.start()
            world.watch()
            world.world.run { $0.store.commits >= crash + 3 }
            world.world.stop()
            world.world.start()
            world.world.expectSync(to: world.chain.tip)
            try world.expectTruth()
        }
    }

    @Test("A coin that a second pass has still to find is spent in a block that comes meanwhile")
    func spentBeforeFound() throws {
        var world = try PaymentWorld()
        // From peers, so that the pass is still under way when the block comes.
        world.world.limits.sync.keptFilterBytes = 0
        world.chain.mine(600, &world.world)
        world.chain.pay([try world.script(30)])
        world.chain.mine(&world.world)
        let coin = try #require(world.chain.coins.first)
        world.chain.mine(50, &world.world)
        // This one makes 30 watched.
        world.chain.pay([try world.script(12)])
        world.chain.mine(&world.world)
        world.addNodes()
        world.world.start()
        world.watch()
        let hasPass = world.world.run { $0.client?.sync.wallets.all.first?.progress?.pass != nil }
        #expect(hasPass)
        world.chain.spend(coin.outpoint, to: Script([0x51]))
        world.chain.mine(&world.world)
        world.announce()
        let height = world.chain.height
        let isSearched = world.world.run {
            $0.client?.sync.wallets.all.first?.progress?.scanned == height
        }
        #expect(isSearched)
        let open = world.world.client?.sync.wallets.all.first?.progress?.pass
        #expect(open.map { $0.next <= 601 } == true)
        world.world.expectSync(to: world.chain.tip)
        #expect(world.wallet?.transactions.count == 3)
        #expect(world.wallet?.balance(at: 653).total == 10_000)
        try world.expectTruth()
    }

    @Test("Memory is bounded by a window of filters and two blocks, whatever the chain")
    func memory() throws {
        var world = try PaymentWorld()
        for round in 0..<40 {
            world.chain.pay([try world.script(UInt32(round % 10))])
            world.chain.mine(10, &world.world)
        }
        world.addNodes()
        try world.expectTrueSearch()
        #expect(world.world.mostHeld.filters <= 100)
        #expect(world.world.mostHeld.filters > 20)
        #expect(world.world.mostHeld.blocks <= 2)
    }

    @Test("A block comes from another peer than its filter, where there is one")
    func otherPeer() throws {
        for count in [1, 3] {
            var world = try PaymentWorld()
            for index in 0..<15 as Range<UInt32> {
                world.chain.pay([try world.script(index)])
                world.chain.mine(7, &world.world)
            }
            world.addNodes(count)
            try world.expectTrueSearch()
            #expect(world.world.blockAsks.count == 15)
            for ask in world.world.blockAsks {
                let isOther = world.world.filterSenders[ask.block] != ask.node
                #expect(isOther == (count > 1))
            }
        }
    }

    @Test("An output script of 99,919 bytes and an output of nothing to us: the search goes on")
    func hugeScript() throws {
        var world = try PaymentWorld()
        let script = try world.script(0)
        let huge = Script([0x4E] + [UInt8](repeating: 1, count: 99_918))
        world.chain.add(
            Transaction(
                inputs: [TransactionInput(outpoint: OutPoint(txid: Txid(.zero), vout: 1))],
                outputs: [
                    TransactionOutput(value: .zero, scriptPubKey: huge),
                    TransactionOutput(value: .zero, scriptPubKey: script),
                ]), spending: [Script([0x52])])
        world.chain.mine(&world.world)
        world.chain.pay([try world.script(1)])
        world.chain.mine(5, &world.world)
        world.addNodes()
        try world.expectTrueSearch()
        #expect(world.wallet?.balance(at: 6).total == 10_000)
    }

    @Test("A spend without any output to the wallet is found by the script that it spends")
    func sweep() throws {
        var world = try PaymentWorld()
        world.chain.pay([try world.script(0)])
        world.chain.mine(&world.world)
        let coin = try #require(world.chain.coins.first)
        world.chain.mine(20, &world.world)
        world.chain.spend(coin.outpoint, to: Script([0x51]))
        world.chain.mine(&world.world)
        world.addNodes()
        world.expectSearch()
        #expect(world.wallet?.balance(at: 22).total == 0)
        #expect(world.wallet?.transactions.count == 2)
    }

    @Test("Every length of chain around the sizes of messages is searched to its end")
    func lengths() throws {
        for length in [1, 2, 29, 30, 31, 59, 60, 61, 999, 1000, 1001] {
            var world = try PaymentWorld()
            world.chain.mine(length - 1, &world.world)
            world.chain.pay([try world.script(0)])
            world.chain.mine(&world.world)
            world.addNodes()
            world.expectSearch()
            #expect(world.wallet?.transactions.count == 1, "\(length)")
        }
    }

    @Test("The first blocks that are not searched are those before the birthday")
    func birthdays() throws {
        var world = try PaymentWorld()
        for index in 0..<4 as Range<UInt32> {
            world.chain.mine(200, &world.world)
            world.chain.pay([try world.script(index)])
        }
        world.chain.mine(200, &world.world)
        world.addNodes()
        world.world.start()
        let time = UInt64(Network.regtest.genesis.time) + 600 * 500
        world.watch(birthday: .time(time))
        world.world.expectSync(to: world.chain.tip)
        // Block 500 is of that time; a day is 144 blocks.
        let progress = world.world.client?.sync.wallets.all.first?.progress
        #expect(progress?.start == 356)
        #expect(progress?.scanned == 1000)
        let late = world.wallet?.transactions.map(\.height)
        #expect(late == [401, 601, 801])
        // Told the truth about its age, the rest is found without anything twice.
        world.world.command(.rescan(nil, from: 1))
        world.world.expectSync(to: world.chain.tip)
        let all = world.wallet?.transactions.map(\.height)
        #expect(all == [201, 401, 601, 801])
        try world.expectTruth()
    }

    @Test("A wallet that comes later catches up while the others follow the tip")
    func secondWallet() throws {
        var world = try PaymentWorld()
        world.chain.mine(300, &world.world)
        world.addNodes()
        world.expectSearch()
        let other = try RecordedWorld.wallets.get()[3]
        let script = try other.descriptor.branches[0].output(at: 0).scriptPubKey
        world.chain.pay([script, try world.script(0)])
        world.chain.mine(&world.world)
        let id = world.world.watch(other)
        world.announce()
        world.world.expectSync(to: world.chain.tip)
        #expect(world.world.wallet(id)?.transactions.count == 1)
        #expect(world.wallet?.transactions.count == 1)
    }

    @Test("A throttled peer gets smaller ranges and stays; nobody is let go for being slow")
    func throttled() throws {
        var world = try PaymentWorld()
        world.chain.mine(120, &world.world)
        world.chain.pay([try world.script(0)])
        world.chain.mine(&world.world)
        var manner = SimulatedNode.Manner()
        manner.pace = .seconds(4)
        manner.latency = .seconds(2)
        world.addNodes(1, manner)
        world.expectSearch()
        #expect(world.world.connected.count == 1)
        #expect(world.world.filterCounts.values.allSatisfy { $0 == 1 })
    }

    @Test("A lost filter is asked for again, of others first, and ends nothing")
    func lostFilter() throws {
        var world = try PaymentWorld()
        world.chain.mine(100, &world.world)
        world.chain.pay([try world.script(0)])
        world.chain.mine(&world.world)
        world.addNodes(2)
        var manner = SimulatedNode.Manner()
        manner.dropsEvery = 9
        world.world.add(2, SimulatedNode(world.chain.path, manner))
        try world.expectTrueSearch()
        #expect(world.world.bans.isEmpty)
    }

    @Test("Kept filters stay within their bound, and damaged ones are fetched again")
    func keptFilters() throws {
        var world = try PaymentWorld()
        world.world.limits.sync.keptFilterBytes = 6_000
        world.chain.pay([try world.script(3)])
        world.chain.mine(2_300, &world.world)
        world.addNodes()
        world.expectSearch()
        #expect(world.world.store.filterBytes <= 6_000)
        #expect(world.world.store.filterBytes > 0)
        world.world.stop()
        world.world.store.damageFilters { $0 % 3 == 0 }
        world.world.start()
        world.world.command(.rescan(nil, from: 1))
        world.world.expectSync(to: world.chain.tip)
        try world.expectTruth()
        #expect(world.world.bans.isEmpty)
    }
}
