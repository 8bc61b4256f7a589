public import Bitcoin
public import Descriptors
import NetworkCore
import PeerMessages
import TestSupport
import Watch

/// One random story of a light client: nodes that are honest, lie, are slow, silent or die, blocks and
/// reorganisations, transactions that are sent, floods of headers, clocks that go wrong, crashes, disks
/// that fail and lose their end. The same seed tells the same story.
public struct Simulation {
    /// What came of it.
    public struct Report: Sendable {
        /// The seed.
        public let seed: UInt64
        /// What is not as it should be; nothing, for a light client that keeps its word.
        public let failures: [String]
        /// What happened, one line each.
        public let story: [String]
        /// Events that were handled.
        public let steps: Int
        /// How long it took in its own time.
        public let duration: Duration
    }

    private var world: World
    private var random: SeededGenerator
    private var chain: ChainBuilder
    private let descriptor: Descriptor
    private let scripts: [Script]
    private var liars: Set<PeerEndpoint> = []
    private var issues: [CommandID] = []
    /// What was sent, and the command by which.
    private var sends: [(id: CommandID, transaction: Transaction)] = []
    private var story: [String] = []

    private static let gapLimit: UInt32 = 4
    /// Indices of addresses that are paid.
    private static let indices: UInt32 = 24

    /// Tells the story of a seed.
    ///
    /// - Parameters:
    ///   - descriptor: of the wallet, with one branch.
    ///   - genesis: the first block of regtest.
    public static func run(
        seed: UInt64, _ descriptor: Descriptor, scripts: [Script], genesis: (Block, [UInt8])
    ) -> Report {
        var simulation = Simulation(seed, descriptor, scripts, genesis)
        simulation.play()
        let failures = simulation.end()
        return Report(
            seed: seed, failures: failures, story: simulation.story, steps: simulation.world.steps,
            duration: simulation.world.now)
    }

    /// The scripts that `run` needs.
    public static func scripts(of descriptor: Descriptor) throws -> [Script] {
        try (0..<indices).map { try descriptor.output(at: $0).scriptPubKey }
    }

    private init(
        _ seed: UInt64, _ descriptor: Descriptor, _ scripts: [Script], _ genesis: (Block, [UInt8])
    ) {
        random = SeededGenerator(seed: seed)
        world = World(seed: random.next())
        self.descriptor = descriptor
        self.scripts = scripts
        chain = ChainBuilder(on: [world.tree.insert(genesis.0, genesis.1)])
        // Now and then so many that there are checkpoints of filter headers.
        let extra = Int.random(in: 1...25, using: &random) == 1 ? 1_000 : 0
        let length = extra + Int.random(in: 10...90, using: &random)
        // So that the newest blocks are of this day, and a clock that is behind is behind them.
        world.startClock = Int64(genesis.0.header.time) + 600 * Int64(length + 1)
        var limits = world.limits
        limits.sync.walletStep = [1, 5].randomElement(using: &random) ?? 1
        limits.sync.unwrittenBlocks = Int.random(in: 1...40, using: &random)
        limits.sync.keptFilterBytes = [0, 2_000, 1 << 20].randomElement(using: &random) ?? 0
        world.limits = limits
        grow(length)
        addNodes()
    }

    private mutating func chance(_ one: Int) -> Bool {
        Int.random(in: 1...one, using: &random) == 1
    }

    // MARK: The chain

    /// Blocks with payments and spends at random.
    private mutating func grow(_ count: Int) {
        for _ in 0..<count {
            if chance(4) {
                // Now and then an address far ahead, whose turn comes later.
                let top = min(scripts.count, 3 + chain.height / 6 + (chance(6) ? 8 : 0))
                chain.pay([scripts[Int.random(in: 0..<top, using: &random)]])
            }
            if chance(6), let coin = chain.coins.randomElement(using: &random) {
                chain.spend(coin.outpoint, to: Script([0x51]))
            }
            if chance(4) { includeSends() }
            chain.mine(&world)
        }
    }

    private mutating func reorganise() {
        let depth = min(chain.height - 1, chance(5) ? 25 : Int.random(in: 1...4, using: &random))
        guard depth > 0 else { return }
        story.append("\(world.now): \(depth) blocks are replaced")
        chain = ChainBuilder(on: Array(chain.path.dropLast(depth)), in: world.tree)
        grow(depth + 1)
        announce()
    }

    private mutating func announce() {
        for endpoint in sortedNodes { world.follow(endpoint, chain.path) }
    }

    private var sortedNodes: [PeerEndpoint] { world.nodes.keys.sorted { "\($0)" < "\($1)" } }

    // MARK: Nodes

    private mutating func addNodes() {
        var lies: [SimulatedNode.Lie] = [
            .omittedFilters, .partialFilters(keeping: scripts[0]), .tamperedFilters,
            .malformedFilters, .alteredBlocks, .repeatedTransactions, .alteredWitnesses,
            .wrongTargets, .shortHashes,
        ]
        if chain.height > 1_000 { lies += [.shortCheckpoints, .contradictoryCheckpoints] }
        let count = Int.random(in: 3...6, using: &random)
        let most = Int.random(in: 0...2, using: &random)
        // No block shows it: two honest ones have to outvote it.
        if most == 1 { lies.append(.otherSpends) }
        for number in 0..<count {
            var manner = SimulatedNode.Manner()
            manner.latency = .milliseconds(Int.random(in: 1...2_000, using: &random))
            manner.pace = .milliseconds(Int.random(in: 0...50, using: &random))
            manner.announcesByHash = chance(3)
            manner.usesWtxid = chance(2)
            manner.swallowsTransactions = chance(4)
            manner.announcesAgain = chance(3)
            if chance(8) { manner.claims = chance(2) ? 2_000_000 : max(0, chain.height - 50) }
            let isLiar = number < most
            if isLiar {
                manner.lie = lies.randomElement(using: &random)
                let first = Int.random(in: 1...chain.height, using: &random)
                manner.lieHeights = Set(first...first + 3)
                story.append("node \(number) lies: \(manner.lie.map { "\($0)" } ?? "")")
            }
            let endpoint = world.add(number, SimulatedNode(chain.path, manner))
            if isLiar { liars.insert(endpoint) }
        }
    }

    private mutating func trouble() {
        guard let endpoint = sortedNodes.randomElement(using: &random) else { return }
        var manner = world.nodes[endpoint]?.manner ?? .init()
        switch Int.random(in: 0...5, using: &random) {
        case 0: manner.isReachable.toggle()
        case 1: manner.ignored = manner.ignored.isEmpty ? [.getdata] : []
        case 2: manner.ignored = manner.ignored.isEmpty ? [.getcfilters] : []
        case 3: manner.ignored = manner.ignored.isEmpty ? [.getheaders, .getcfheaders] : []
        case 4: manner.lacksBlocks.toggle()
        default: manner.dropsEvery = manner.dropsEvery == nil ? 7 : nil
        }
        world.nodes[endpoint]?.manner = manner
        if chance(2) { world.hangUp(endpoint) }
    }

    // MARK: The story

    private mutating func play() {
        world.start()
        let birthday: WalletBirthday = chance(2) ? .unknown : .height(1)
        world.command(
            .addWallet(
                name: "w", [descriptor], gapLimit: Simulation.gapLimit, birthday: birthday))
        for _ in 0..<Int.random(in: 5...25, using: &random) {
            world.run(for: .milliseconds(Int.random(in: 1...20_000, using: &random)))
            happen()
        }
    }

    private mutating func happen() {
        switch Int.random(in: 0...13, using: &random) {
        case 11: send()
        case 12: flood()
        case 13: misset()
        case 0...2:
            grow(Int.random(in: 1...3, using: &random))
            announce()
        case 3: reorganise()
        case 4: crash()
        case 5:
            story.append("\(world.now): the disk fails")
            let kind: StoreFault.Kind = chance(2) ? .noSpace : .device
            let number = world.store.commits + Int.random(in: 0...5, using: &random)
            world.failingCommit = (number, kind)
        case 6:
            issues.append(world.command(.issueAddress(WalletID(1), branch: 0)))
        case 7 where chance(3):
            story.append("\(world.now): everything is searched again")
            let height = Int.random(in: 1...chain.height, using: &random)
            world.command(.rescan(nil, from: height))
        default: trouble()
        }
    }

    /// A coin of the wallet is spent by a transaction that is sent.
    private mutating func send() {
        let entry = world.client?.sync.wallets.all.first
        guard let coin = entry?.wallet.unspent.randomElement(using: &random) else { return }
        let transaction = Transaction(
            inputs: [TransactionInput(outpoint: coin.outpoint)],
            outputs: [
                TransactionOutput(
                    value: Amount(sats: UInt64(sends.count)) ?? .zero, scriptPubKey: Script([0x52]))
            ])
        story.append("\(world.now): \(transaction.txid) is sent")
        let id = world.command(.broadcast(transaction, feeRate: World.feeRate))
        sends.append((id, transaction))
    }

    /// Miners take what the nodes have.
    private mutating func includeSends() {
        let known = sends.filter { send in
            world.nodes.values.contains { $0.mempool[send.transaction.txid] != nil }
        }
        guard let send = known.randomElement(using: &random) else { return }
        chain.include(send.transaction)
    }

    /// A node sends headers of branches that have no more work than the chain, one after the other.
    private mutating func flood() {
        guard let endpoint = sortedNodes.randomElement(using: &random) else { return }
        story.append("\(world.now): a flood of headers")
        for _ in 0..<20 {
            let depth = Int.random(in: 1..<chain.height, using: &random)
            let headers = world.lightBranch(depth, beside: chain.path)
            world.say(.headers(headers), from: endpoint)
            world.run(for: .milliseconds(Int.random(in: 0...300, using: &random)))
        }
    }

    /// The machine's clock is set wrong, or right again.
    private mutating func misset() {
        let hour: Int64 = 3600
        let year = 365 * 24 * hour
        let errors = [0, -3 * hour, 3 * hour, -10 * year, 10 * year, -90 * 24 * hour]
        world.clockError = errors.randomElement(using: &random) ?? 0
        story.append("\(world.now): the clock is \(world.clockError) s wrong")
    }

    private mutating func crash() {
        story.append("\(world.now): crash")
        world.stop()
        switch Int.random(in: 0...5, using: &random) {
        case 0:
            // A store heals by cutting off what is damaged.
            let height = Int.random(in: 0...chain.height, using: &random)
            world.store.truncate(
                headers: height, filterHeaders: Int.random(in: 0...height, using: &random))
        case 1: world.store.damageFilters { $0 % 5 == 0 }
        case 2: if chance(2) { reorganise() }
        default: break
        }
        world.start()
    }

    // MARK: The end

    /// All nodes that do not lie become reachable and answer; then everything has to be found.
    private mutating func end() -> [String] {
        for endpoint in sortedNodes where !liars.contains(endpoint) {
            var manner = SimulatedNode.Manner()
            manner.latency = .milliseconds(50)
            manner.usesWtxid = world.nodes[endpoint]?.manner.usesWtxid ?? false
            // What it swallowed it asks for once more over a new connection alone.
            if world.nodes[endpoint]?.manner.swallowsTransactions == true { world.hangUp(endpoint) }
            world.nodes[endpoint]?.manner = manner
        }
        world.failingCommit = nil
        world.clockError = 0
        if world.client == nil { world.start() }
        grow(1)
        announce()
        let hasWallet = world.store.state.wallets.count == 1
        var failures: [String] = []
        if !world.sync(to: chain.tip, for: .seconds(6 * 3600)) {
            let phase = world.client.map { "\($0.sync.progress)" } ?? "not running"
            failures.append("not current after six hours: \(phase)")
        }
        // Liars that were not asked yet may have something to say.
        world.run(for: .seconds(1300))
        world.sync(to: chain.tip)
        if hasWallet { failures += differences() }
        failures += world.store.violations + world.complaints
        for (endpoint, reason) in world.bans where !liars.contains(endpoint) {
            failures.append("\(endpoint) is honest and banned: \(reason)")
        }
        // A branch for each seat, and one that nobody serves any more.
        let mostHeaders = 4 * (chain.height + 25)
        if world.mostHeld.filters > 100 || world.mostHeld.blocks > 2
            || world.mostHeld.headers > mostHeaders
        {
            failures.append("held too much: \(world.mostHeld)")
        }
        let indices = issues.compactMap { id -> UInt32? in
            guard case .address(_, let index) = world.answers[id] else { return nil }
            return index
        }
        if Set(indices).count != indices.count { failures.append("an address was issued twice") }
        return failures + wrongSends()
    }

    /// Whether each transaction that was taken reached somebody, and what is said of it is so.
    private mutating func wrongSends() -> [String] {
        // The longest pause between two announcements, and some more.
        world.run(for: .seconds(2 * 3600))
        var failures: [String] = []
        let kept = world.store.state.broadcasts
        let shown = Set(
            world.client?.sync.wallets.all.flatMap { $0.wallet.transactions.map(\.txid) } ?? [])
        for send in sends where world.answers[send.id] == .done {
            let txid = send.transaction.txid
            let height = chain.path.firstIndex { hash in
                world.tree[hash]?.block.transactions.contains { $0.txid == txid } == true
            }
            guard let record = kept.first(where: { $0.transaction == send.transaction }) else {
                if height == nil { failures.append("\(txid) is forgotten") }
                continue
            }
            // A block shows it to the wallet alone: not where it spends what is not watched any more.
            let isShown = shown.contains(txid)
            if record.confirmed != height, isShown || record.confirmed != nil {
                let said = record.confirmed.map { "block \($0)" } ?? "no block"
                failures.append("\(txid) is said to be in \(said)")
            }
            let isKnown = world.nodes.values.contains { $0.mempool[txid] != nil }
            if height == nil, !isKnown { failures.append("\(txid) reached nobody") }
        }
        for echo in world.echoes where echo.wasGiven {
            failures.append("\(echo.txid) is no echo of \(echo.node.map { "\($0)" } ?? "nobody")")
        }
        return failures
    }

    private func differences() -> [String] {
        guard let entry = world.client?.sync.wallets.all.first else { return ["no wallet"] }
        var issued: [Int: UInt32] = [:]
        if let index = entry.wallet.branches[0].lastIssued { issued[0] = index }
        let truth = try? world.tree.truth(
            of: [descriptor], along: chain.path, gapLimit: Simulation.gapLimit, issued: issued)
        guard let truth else { return ["no truth"] }
        var failures: [String] = []
        let found = Set(entry.wallet.transactions.map(\.txid))
        let wanted = Set(truth.transactions.map(\.txid))
        for txid in wanted.subtracting(found) { failures.append("missed \(txid)") }
        for entry in entry.wallet.transactions
        where world.tree[entry.block]?.block.transactions[entry.position].txid != entry.txid
            || chain.path[Int(entry.height)] != entry.block
        {
            failures.append("invented \(entry.txid)")
        }
        for (outpoint, coin) in truth.coins where entry.wallet.coins[outpoint] != coin {
            failures.append("coin \(outpoint) differs")
        }
        let stored = world.store.state.wallets.first?.transactions.map(\.txid) ?? []
        if Set(stored) != found { failures.append("what is stored is not what is shown") }
        return failures
    }
}
