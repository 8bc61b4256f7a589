import Bitcoin
import Chain
import Descriptors
import NetworkCore
import SimulatedNetwork
import TestSupport
import Testing
import Wire

@Suite("Blocks of a signet")
struct SignetTests {
    /// The public signet's first blocks, served by three nodes; a wallet that the 50th pays is watched.
    private func world(_ parameters: ChainParameters) throws -> (World, tip: BlockHash) {
        var world = World(parameters)
        var reader = Reader(try Fixture.bytes("blocks/signet-0-120.bin"))
        var path: [BlockHash] = []
        var paid: Script?
        while !reader.isAtEnd {
            let block = try Block(reader.read(Int(reader.readUInt32())))
            // They have nothing but a coinbase.
            #expect(block.transactions.count == 1)
            path.append(world.tree.insert(block, CompactFilter(block: block, spent: []).bytes))
            if path.count == 51 { paid = block.transactions[0].outputs[0].scriptPubKey }
        }
        #expect(path.count == 121)
        world.startClock = Int64(world.tree[path[120]]?.block.header.time ?? 0) + 60
        for number in 0..<3 { world.add(number, SimulatedNode(path)) }
        world.start()
        let descriptor = try Descriptor("raw(\(Hex.encode(try #require(paid).bytes)))")
        world.command(.addWallet(name: "w", [descriptor], gapLimit: 1, birthday: .unknown))
        return (world, path[120])
    }

    @Test("A payment in a block that its signers made is found")
    func signed() throws {
        var parameters = ChainParameters(.signet)
        parameters.requireWork(.zero)
        var (world, tip) = try world(parameters)
        world.expectSync(to: tip)
        #expect(world.wallet(named: "w")?.transactions.contains { $0.height == 50 } == true)
        #expect(world.bans.isEmpty)
    }

    /// Other keys than the signers', and a form that is not evaluated here.
    private static let challenges: [Script] = {
        let keys = ChainParameters(.signet).signetChallenge?.bytes.dropLast(2) ?? []
        return [Script(keys + [0x53, 0xAE]), .p2tr(outputKey: .zero)]
    }()

    @Test(
        "One in a block of others is not, however much work there is: the state and the log say why",
        arguments: challenges)
    func notSigned(challenge: Script) throws {
        var (world, tip) = try world(ChainParameters(signetChallenge: challenge))
        world.run(for: .seconds(3600))
        #expect(world.client?.sync.chain.tip.hash == tip)
        #expect(world.wallet(named: "w")?.transactions.isEmpty == true)
        let progress = world.client?.sync.wallets.all.first?.progress
        let scanned = try #require(progress?.scanned)
        guard case .invalidBlock(let height, .notSigned)? = world.client?.sync.progress.phase else {
            Issue.record("\(String(describing: world.client?.sync.progress.phase))")
            return
        }
        #expect(height == scanned + 1 && height <= 50)
        #expect(world.log.filter { $0.hasPrefix("block \(height) ") }.count == 1)
        #expect(world.bans.isEmpty)
        // Nobody has the block otherwise: it is not fetched all the time.
        #expect(world.blockAsks.count < 20)
    }

    @Test("A block that is not signed hinders nobody once no wallet is searched for")
    func withoutWallet() throws {
        var (world, tip) = try world(ChainParameters(signetChallenge: .p2tr(outputKey: .zero)))
        world.run(for: .seconds(3600))
        let id = try #require(world.client?.sync.wallets.all.first?.id)
        world.command(.removeWallet(id))
        world.run(for: .seconds(60))
        let asks = world.blockAsks.count
        world.run(for: .seconds(3600))
        #expect(world.blockAsks.count == asks)
        // Nobody pays this one.
        world.command(
            .addWallet(name: "v", [try Descriptor("raw(51)")], gapLimit: 1, birthday: .unknown))
        world.run(for: .seconds(60))
        #expect(world.client?.sync.chain.tip.hash == tip)
        guard case .current? = world.client?.sync.progress.phase else {
            Issue.record("\(String(describing: world.client?.sync.progress.phase))")
            return
        }
    }
}
