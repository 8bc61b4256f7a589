import Bitcoin
import Chain
import NetworkCore
import SimulatedNetwork
import Testing
import Watch

@Suite("The light client on the recorded chain")
struct RecordedChainTests {
    private let chains: RecordedWorld.Chains
    private let wallets: [RecordedWorld.Wallet]

    init() throws {
        chains = try RecordedWorld.chains.get()
        wallets = try RecordedWorld.wallets.get()
    }

    private var tip: BlockHash { chains.main[2033] }

    private static let depths = [1, 3, 12, 101]

    /// The wallets that are watched over a branch of this depth: each of them over one of the branches.
    private func part(of depth: Int) -> [RecordedWorld.Wallet] {
        let place = Self.depths.firstIndex(of: depth) ?? 0
        return wallets.indices.filter { $0 % Self.depths.count == place }.map { wallets[$0] }
    }

    @Test("Every wallet's balance, coins, heights and txids are Bitcoin Core's")
    func expected() throws {
        #expect(wallets.count == 17)
        var world = try RecordedWorld.world()
        world.start()
        for wallet in wallets {
            let id = world.watch(wallet)
            #expect(id != nil)
        }
        world.expectSync(to: tip)
        expectRecorded(world, wallets)
        #expect(world.bans.isEmpty)
        #expect(world.nodes.values.allSatisfy { $0.rudeQuestions.isEmpty })
        #expect(world.client?.sync.progress.phase == .current(height: 2033))
    }

    @Test("A network that has only its genesis block is synchronised, and stays so as it grows")
    func genesisOnly() throws {
        let genesis = Array(chains.main.prefix(1))
        var world = try RecordedWorld.world(path: genesis)
        world.start()
        world.run(for: .seconds(60))
        #expect(world.client?.sync.progress.phase == .current(height: 0))
        for node in world.connected { world.follow(node, chains.main) }
        world.expectSync(to: tip)
        #expect(world.bans.isEmpty)
    }

    @Test(
        "A branch of any depth, served while it runs, gives what a replay gives, and back again",
        arguments: depths)
    func forkWhileRunning(depth: Int) throws {
        let watched = part(of: depth)
        var world = try RecordedWorld.world()
        world.start()
        for wallet in watched { _ = world.watch(wallet) }
        world.expectSync(to: tip)
        let branch = try #require(chains.forks[depth])
        let branchTip = try #require(branch.last)
        for node in world.connected { world.follow(node, branch) }
        world.expectSync(to: branchTip)
        for wallet in watched {
            let replayed = try world.replay(branch, wallet.descriptor)
            #expect(world.wallet(named: wallet.name)?.coins == replayed.coins)
            #expect(world.wallet(named: wallet.name)?.transactions == replayed.transactions)
        }
        // Whatever is still being asked of the branch is asked while the nodes have it.
        world.run(for: .seconds(60))
        // The recorded chain is shorter: it comes back only with more work than the branch.
        let longer = world.mine(2, on: chains.main)
        for node in world.connected { world.follow(node, longer) }
        world.expectSync(to: longer[longer.count - 1])
        expectRecorded(world, watched)
        #expect(world.bans.isEmpty)
        #expect(world.nodes.values.allSatisfy { $0.rudeQuestions.isEmpty })
    }

    @Test(
        "A branch of any depth that came while it was stopped, and the way back, likewise",
        arguments: depths)
    func forkWhileStopped(depth: Int) throws {
        let watched = part(of: depth)
        var world = try RecordedWorld.world()
        world.start()
        for wallet in watched { _ = world.watch(wallet) }
        world.expectSync(to: tip)
        world.stop()
        let branch = try #require(chains.forks[depth])
        for number in 0..<3 { world.follow(World.endpoint(number), branch) }
        world.start()
        world.expectSync(to: branch[branch.count - 1])
        for wallet in watched {
            let replayed = try world.replay(branch, wallet.descriptor)
            #expect(world.wallet(named: wallet.name)?.coins == replayed.coins)
            #expect(world.wallet(named: wallet.name)?.transactions == replayed.transactions)
        }
        world.stop()
        let longer = world.mine(2, on: chains.main)
        for number in 0..<3 { world.follow(World.endpoint(number), longer) }
        world.start()
        world.expectSync(to: longer[longer.count - 1])
        expectRecorded(world, watched)
        #expect(world.bans.isEmpty)
    }

    @Test("A start from what is stored goes on where it was, and asks for no filter again")
    func restart() throws {
        var world = try RecordedWorld.world()
        world.start()
        for wallet in wallets[..<3] { _ = world.watch(wallet) }
        world.expectSync(to: tip)
        world.start()
        let counts = world.filterCounts
        world.expectSync(to: tip)
        #expect(world.filterCounts == counts)
        expectRecorded(world, Array(wallets[..<3]))
    }
}
