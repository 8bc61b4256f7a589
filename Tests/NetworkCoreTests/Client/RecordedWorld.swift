import Bitcoin
import Chain
import Descriptors
import NetworkCore
import SimulatedNetwork
import TestSupport
import Testing
import Watch

/// The chain that a real Bitcoin Core made, and what it said of seventeen wallets.
struct RecordedWorld {
    /// What Core said of a wallet at the tip.
    struct Wallet: Sendable {
        let name: String
        let descriptor: Descriptor
        let confirmed: UInt64
        /// The txid, output, satoshis and height of each coin.
        let coins: Set<String>
        let txids: Set<String>
    }

    /// The recorded chain and its branches, in one tree.
    struct Chains: Sendable {
        var tree = BlockTree()
        var main: [BlockHash] = []
        var forks: [Int: [BlockHash]] = [:]

        init() throws {
            main = try tree.insert(recorded: "core-regtest")
            for depth in [1, 3, 12, 101] {
                let branch = try tree.insert(recorded: "core-regtest-fork-\(depth)")
                forks[depth] = main.dropLast(depth) + branch
            }
        }
    }

    private struct Expected: Decodable {
        let wallets: [Wallet]

        struct Wallet: Decodable {
            let name: String
            let confirmed: UInt64
            let coins: [Coin]
            let txids: [String]
        }

        struct Coin: Decodable {
            let text: String

            init(from decoder: any Decoder) throws {
                var fields = try decoder.unkeyedContainer()
                let txid = try fields.decode(String.self)
                let rest = try (0..<3).map { _ in try fields.decode(UInt64.self) }
                text = "\(txid):\(rest[0]) \(rest[1]) \(rest[2])"
            }
        }
    }

    private struct Texts: Decodable {
        let wallets: [Wallet]

        struct Wallet: Decodable {
            let name: String
            let descriptor: String
        }
    }

    static let chains = Result { try Chains() }

    static let wallets = Result { () -> [Wallet] in
        let list: Texts = try Fixture.load("descriptors/core-wallets.json")
        let texts = Dictionary(uniqueKeysWithValues: list.wallets.map { ($0.name, $0.descriptor) })
        let expected: Expected = try Fixture.load("watch/core-regtest.json")
        return try expected.wallets.map {
            Wallet(
                name: $0.name, descriptor: try Descriptor(texts[$0.name] ?? ""),
                confirmed: $0.confirmed, coins: Set($0.coins.map(\.text)), txids: Set($0.txids))
        }
    }

    /// A world of honest nodes that serve the recorded chain.
    static func world(
        nodes: Int = 3, path: [BlockHash]? = nil, _ manner: SimulatedNode.Manner = .init()
    ) throws -> World {
        let chains = try chains.get()
        var world = World()
        world.tree = chains.tree
        for number in 0..<nodes { world.add(number, SimulatedNode(path ?? chains.main, manner)) }
        return world
    }
}

extension World {
    /// Watches a recorded wallet.
    mutating func watch(
        _ wallet: RecordedWorld.Wallet, birthday: WalletBirthday = .unknown
    ) -> WalletID? {
        let id = command(
            .addWallet(
                name: wallet.name, [wallet.descriptor], gapLimit: 20, birthday: birthday))
        guard case .wallet(let wallet) = answers[id] else { return nil }
        return wallet
    }

    /// Lets time pass until every wallet is searched to a tip, which has to come.
    mutating func expectSync(
        to tip: BlockHash?, within time: Duration = .seconds(3600),
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        let isDone = tip.map { sync(to: $0, for: time) } ?? false
        let phase = client.map { "\($0.sync.progress.phase)" } ?? "not running"
        #expect(isDone, Comment(rawValue: phase), sourceLocation: sourceLocation)
    }

    /// A wallet as the light client has it.
    func wallet(_ id: WalletID?) -> WatchedWallet? {
        id.flatMap { client?.sync.wallets[$0]?.wallet }
    }

    /// The same, for wallets by name.
    func wallet(named name: String) -> WatchedWallet? {
        client?.sync.wallets.all.first { $0.name == name }?.wallet
    }

    /// What replaying a path from the start gives a wallet.
    func replay(_ path: [BlockHash], _ descriptor: Descriptor) throws -> WatchedWallet {
        var wallet = try WatchedWallet([descriptor])
        for (height, hash) in path.enumerated().dropFirst() {
            guard let block = tree[hash]?.block else { continue }
            _ = try wallet.apply(block, at: UInt32(height))
        }
        return wallet
    }
}

extension WatchedWallet {
    /// As the fixture writes coins.
    var coinTexts: Set<String> {
        Set(
            unspent.map {
                "\($0.outpoint.txid):\($0.outpoint.vout) \($0.output.value.sats) \($0.height)"
            })
    }
}

/// What Core said, and what is found here.
func expectRecorded(
    _ world: World, _ wallets: [RecordedWorld.Wallet], tip: UInt32 = 2033,
    sourceLocation: SourceLocation = #_sourceLocation
) {
    for expected in wallets {
        let wallet = world.wallet(named: expected.name)
        let comment = Comment(rawValue: expected.name)
        #expect(
            wallet?.balance(at: tip).total == expected.confirmed, comment,
            sourceLocation: sourceLocation)
        #expect(wallet?.coinTexts == expected.coins, comment, sourceLocation: sourceLocation)
        let txids = wallet?.history.map(\.txid.description)
        #expect(txids.map { Set($0) } == expected.txids, comment, sourceLocation: sourceLocation)
    }
    #expect(world.store.violations == [], sourceLocation: sourceLocation)
    #expect(world.complaints == [], sourceLocation: sourceLocation)
}
