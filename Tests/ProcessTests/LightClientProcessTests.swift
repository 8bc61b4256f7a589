import Bitcoin
import Chain
import Descriptors
import Foundation
import LinuxIO
import Messages
import NetworkCore
import NetworkStore
import PeerMessages
import ScriptedPeer
import TestSupport
import Testing
import Watch

/// The state of a network process before its start and after its end, which nobody else has then.
struct ClientState {
    private let folder: ChildFolder
    var directory: String { folder.path + "/state" }
    private let parameters = ChainParameters(.regtest)

    init(in folder: ChildFolder) throws {
        self.folder = folder
        try FileManager.default.createDirectory(
            atPath: directory, withIntermediateDirectories: true)
    }

    func open() throws -> NetworkStore {
        try NetworkStore(DirectoryDisk(Kernel.openDirectory(directory)), parameters)
    }

    /// Peers that a person added, and wallets.
    func prepare(_ peers: [Listener], _ wallets: [RecordedWallet]) throws {
        try prepare(
            peers.map { try PeerEndpoint("\($0.address):\($0.port)", defaultPort: 18444) }, wallets)
    }

    /// The same, of peers that nothing here has to serve.
    func prepare(_ peers: [PeerEndpoint], _ wallets: [RecordedWallet] = []) throws {
        var changes = peers.map { StoreChange.peers(.kept(PeerRecord($0, source: .manual))) }
        for (index, wallet) in wallets.enumerated() {
            changes.append(
                .putWallet(
                    StoredWallet(
                        id: WalletID(UInt32(index + 1)), name: wallet.name,
                        descriptors: [wallet.descriptor], birthday: .height(0))))
        }
        try open().commit(changes)
    }

    /// The chain's height, and each wallet by its name.
    func read() throws -> (height: Int, tip: BlockHash?, wallets: [String: WatchedWallet]) {
        let state = try open().load()
        var wallets: [String: WatchedWallet] = [:]
        for stored in state.wallets
        where stored.progress?.scanned == state.headers.height && stored.progress?.pass == nil {
            wallets[stored.name] = try WatchedWallet(
                stored.descriptors, gapLimit: stored.gapLimit, step: 100, issued: stored.issued,
                transactions: stored.transactions)
        }
        return (state.headers.height, state.headers.hash(at: state.headers.height), wallets)
    }
}

/// A wallet of the recorded chain, with what Bitcoin Core said of it at the tip.
struct RecordedWallet {
    let name: String
    let descriptor: Descriptor
    let confirmed: UInt64
    let txids: Set<String>

    private struct Expected: Decodable {
        let wallets: [Wallet]

        struct Wallet: Decodable {
            let name: String
            let confirmed: UInt64
            let txids: [String]
        }
    }

    private struct Texts: Decodable {
        let wallets: [Wallet]

        struct Wallet: Decodable {
            let name: String
            let descriptor: String
        }
    }

    static func all() throws -> [RecordedWallet] {
        let texts: Texts = try Fixture.load("descriptors/core-wallets.json")
        let expected: Expected = try Fixture.load("watch/core-regtest.json")
        return try expected.wallets.map { wallet in
            let text = texts.wallets.first { $0.name == wallet.name }?.descriptor ?? ""
            return RecordedWallet(
                name: wallet.name, descriptor: try Descriptor(text), confirmed: wallet.confirmed,
                txids: Set(wallet.txids))
        }
    }

    /// The wallet after all blocks of a chain, applied one by one.
    func replayed(_ chain: ServedChain) throws -> WatchedWallet {
        var wallet = try WatchedWallet([descriptor], step: 100)
        for (height, block) in chain.blocks.enumerated() {
            _ = try wallet.apply(Block(block), at: UInt32(height))
        }
        return wallet
    }
}

extension WatchedWallet {
    /// Txid, output, satoshis and height of each coin.
    var coinTexts: Set<String> {
        Set(
            unspent.map {
                "\($0.outpoint.txid):\($0.outpoint.vout) \($0.output.value.sats) \($0.height)"
            })
    }
}

@Suite("The light client's process", .serialized)
struct LightClientProcessTests {
    private static let recorded = Result { try ServedChain.recorded() }
    private static let depths = [1, 3, 12, 101]
    private let messageStart = ChainParameters(.regtest).messageStart
    private let folder = ChildFolder()

    /// Runs the process until it says that it is at the chain's end, stops it, and looks at its state.
    private func synchronise(
        _ state: ClientState, to chain: ServedChain,
        while running: (RunningChild) throws -> Void = { _ in }
    ) throws -> [String: WatchedWallet] {
        let child = try RunningChild("bulkhead-network", in: folder)
        try child.begin(as: .network)
        try running(child)
        try child.waitUntilCurrent(at: chain.tipHeight)
        try child.order(.stop)
        #expect(try child.ending() == .exited(0))
        let (height, tip, wallets) = try state.read()
        #expect(height == chain.tipHeight)
        #expect(tip == chain.hashes[chain.tipHeight])
        return wallets
    }

    @Test("A chain over TCP leaves every wallet with what Bitcoin Core says")
    func wholeChain() throws {
        let chain = try Self.recorded.get()
        let peers = try (1...3).map { number in
            var conduct = ScriptedPeer.Conduct()
            conduct.encrypts = number < 3
            return try ScriptedPeer(
                chain, messageStart: messageStart, conduct: conduct,
                address: "127.\(number).0.1")
        }
        let state = try ClientState(in: folder)
        let expected = try RecordedWallet.all()
        #expect(expected.count == 17)
        try state.prepare(peers.map(\.listener), expected)
        let wallets = try synchronise(state, to: chain) { _ in
            for _ in 0..<1000 where peers.contains(where: \.sessions.isEmpty) {
                pause(milliseconds: 10)
            }
        }
        #expect(wallets.count == expected.count)
        for wallet in expected {
            let found = try #require(wallets[wallet.name])
            let balance = found.balance(at: UInt32(chain.tipHeight))
            #expect(balance.total == wallet.confirmed, "\(wallet.name)")
            #expect(Set(found.transactions.map { "\($0.txid)" }) == wallet.txids)
            #expect(try found.coinTexts == wallet.replayed(chain).coinTexts)
        }
        // Encrypted wherever both ends can, in the clear with the third.
        for peer in peers[..<2] {
            #expect(peer.sessions.allSatisfy { ($0 != nil) == ScriptedPeer.canEncrypt })
        }
        #expect(!peers[2].sessions.isEmpty && peers[2].sessions.allSatisfy { $0 == nil })
    }

    @Test(
        "A branch that takes over leaves every wallet as if it had been the only one, and back",
        arguments: depths)
    func forks(depth: Int) throws {
        let chain = try Self.recorded.get()
        let fork = try chain.forked(depth)
        // Longer than the branch, so that it takes over again.
        let longer = chain.mined(2)
        let peers = try (1...2).map {
            try ScriptedPeer(chain, messageStart: messageStart, address: "127.\($0).0.1")
        }
        let state = try ClientState(in: folder)
        // Each of the recorded wallets over one of the branches.
        let all = try RecordedWallet.all()
        let place = Self.depths.firstIndex(of: depth) ?? 0
        let wallets = all.indices.filter { $0 % Self.depths.count == place }.map { all[$0] }
        try state.prepare(peers.map(\.listener), wallets)
        _ = try synchronise(state, to: chain)

        var served = chain
        /// Serves another chain while the process runs, or before it starts.
        func change(to other: ServedChain, whileRunning: Bool) throws {
            if !whileRunning { for peer in peers { peer.take(other) } }
            let found = try synchronise(state, to: other) { child in
                guard whileRunning else { return }
                try child.waitUntilCurrent(at: served.tipHeight)
                for peer in peers { peer.take(other) }
            }
            served = other
            for wallet in wallets {
                let held = try #require(found[wallet.name])
                let expected = try wallet.replayed(other).coinTexts
                #expect(held.coinTexts == expected, "\(wallet.name)")
            }
        }
        try change(to: fork, whileRunning: true)
        try change(to: longer, whileRunning: true)
        try change(to: fork.mined(2), whileRunning: false)
        try change(to: longer.mined(2), whileRunning: false)
    }

    @Test("Killed at any moment, it goes on with what it had")
    func killed() throws {
        let chain = try Self.recorded.get()
        let peer = try ScriptedPeer(chain, messageStart: messageStart)
        let state = try ClientState(in: folder)
        let wallets = try Array(RecordedWallet.all().prefix(3))
        try state.prepare([peer.listener], wallets)
        for pause in [50, 200, 400, 800, 100, 600] as [UInt32] {
            let child = try RunningChild("bulkhead-network", in: folder)
            try child.begin(as: .network)
            usleep(pause * 1000)
            _ = try Kernel.killAndReap(child.pid)
        }
        let found = try synchronise(state, to: chain)
        for wallet in wallets {
            #expect(try found[wallet.name]?.coinTexts == wallet.replayed(chain).coinTexts)
        }
    }
}
