public import Bitcoin
public import Chain
public import NetworkCore
public import PeerMessages
public import TestSupport

/// A light client among simulated nodes, in simulated time: everything that happens follows from what
/// was set up and from the seed.
public struct World: Sendable {
    /// The network.
    public let parameters: ChainParameters
    /// Every block of any branch.
    public var tree = BlockTree()
    /// The nodes, by where they listen.
    public var nodes: [PeerEndpoint: SimulatedNode] = [:]
    /// What the light client has written.
    public var store: SimulatedStore
    /// The light client; nil while it is not running.
    public private(set) var client: LightClient?
    /// Times and numbers of the light client.
    public var limits: LightClient.Limits
    /// Since the start.
    public private(set) var now = Duration.zero
    /// The time at the start, in seconds since 1970.
    public var startClock: Int64 = 1_900_000_000
    /// How many seconds the machine's clock is ahead of the time.
    public var clockError: Int64 = 0
    /// Where randomness comes from.
    public var random: SeededGenerator

    /// Who was banned, and why.
    public private(set) var bans: [PeerEndpoint: String] = [:]
    /// Answers to commands.
    public private(set) var answers: [CommandID: ClientAnswer] = [:]
    /// Lines of the log.
    public private(set) var log: [String] = []
    /// The most that was held at any time.
    public private(set) var mostHeld = (filters: 0, bytes: 0, blocks: 0, headers: 0)
    /// Which node was asked for the block at a height, and which for its filter.
    public private(set) var blockAsks: [(block: BlockHash, node: PeerEndpoint)] = []
    /// Who sent the filter of a block last.
    public private(set) var filterSenders: [BlockHash: PeerEndpoint] = [:]
    /// Who was given a transaction by the light client since its last start.
    private var given: [Txid: Set<PeerEndpoint>] = [:]
    /// Echoes that the light client told of, and whether it had given the transaction to that node.
    public private(set) var echoes: [(txid: Txid, node: PeerEndpoint?, wasGiven: Bool)] = []
    /// How often each filter was sent.
    public private(set) var filterCounts: [BlockHash: Int] = [:]
    /// Events that were handled.
    public private(set) var steps = 0
    /// The number of the next commit that fails, and how.
    public var failingCommit: (number: Int, kind: StoreFault.Kind)?
    /// Called after each commit.
    public var onCommit: (@Sendable ([StoreChange], SimulatedStore) -> String?)?
    /// What `onCommit` found wrong.
    public private(set) var complaints: [String] = []

    struct Event: Sendable {
        enum Kind: Sendable {
            case client(LightClientEvent)
            case answer(PeerID, PeerMessage)
            case call(PeerID, [PeerMessage])
            case time
            case start
            case spread(Transaction)
        }

        let at: Duration
        let number: Int
        let run: Int
        let kind: Kind
    }

    private var queue = EventQueue()
    private var connections: [PeerID: PeerEndpoint] = [:]
    /// Until when a connection is busy with what was asked before.
    private var busy: [PeerID: Duration] = [:]
    /// Below which feerate a connection does not want to hear of transactions.
    private var feeFilters: [PeerID: Int64] = [:]
    private var nextPeer: UInt64 = 1
    private var nextCommand: UInt64 = 1
    private var number = 0
    /// Counts the starts: what belongs to an earlier run reaches nobody.
    private var run = 0

    /// A world without nodes.
    public init(_ parameters: ChainParameters = ChainParameters(.regtest), seed: UInt64 = 0) {
        self.parameters = parameters
        store = SimulatedStore(parameters)
        random = SeededGenerator(seed: seed)
        var limits = LightClient.Limits()
        limits.sync.walletStep = 1
        self.limits = limits
    }

    /// The time, which the nodes know.
    public var trueClock: Int64 { startClock + now.components.seconds }
    /// What the clock of the machine says.
    public var clock: Int64 { trueClock + clockError }

    /// The endpoints of the connections.
    public var connected: [PeerEndpoint] { connections.sorted { $0.key < $1.key }.map(\.value) }

    // MARK: The outside

    /// An address in a netblock of its own.
    public static func endpoint(_ number: Int) -> PeerEndpoint {
        PeerEndpoint(.ipv4(UInt32(truncatingIfNeeded: number + 11) << 16 | 1), port: 18_444)
    }

    /// Adds a node, which the light client knows when it starts next.
    @discardableResult
    public mutating func add(
        _ number: Int, _ node: SimulatedNode, source: PeerSource = .manual
    ) -> PeerEndpoint {
        let endpoint = World.endpoint(number)
        nodes[endpoint] = node
        store.commit([.peers(.kept(PeerRecord(endpoint, source: source)))])
        return endpoint
    }

    /// Starts the light client from what is stored.
    public mutating func start() {
        stop()
        var seed = random
        client = LightClient(
            store.state, seeds: [], limits: limits, at: now, clock: clock,
            random: SeededGenerator(seed: seed.next()))
        random = seed
        store.mayRewind = true
        handle(.started)
    }

    /// Ends the light client at once, as a crash does: what is not written is lost.
    public mutating func stop() {
        client = nil
        given = [:]
        run += 1
        connections = [:]
        busy = [:]
    }

    /// A node's chain becomes another one, and it tells whoever is connected.
    public mutating func follow(_ endpoint: PeerEndpoint, _ path: [BlockHash]) {
        guard let news = nodes[endpoint]?.follow(path, tree) else { return }
        for (id, other) in connections.sorted(by: { $0.key < $1.key }) where other == endpoint {
            let latency = nodes[endpoint]?.manner.latency ?? .zero
            schedule(.call(id, [news]), at: now + latency)
        }
    }

    /// A node's connections break.
    public mutating func hangUp(_ endpoint: PeerEndpoint) {
        for (id, other) in connections.sorted(by: { $0.key < $1.key }) where other == endpoint {
            close(id)
        }
    }

    /// Says something to the light client in the name of a node.
    public mutating func say(_ message: PeerMessage, from endpoint: PeerEndpoint) {
        for (id, other) in connections.sorted(by: { $0.key < $1.key }) where other == endpoint {
            schedule(.call(id, [message]), at: now)
        }
    }

    /// Gives a command and waits for nothing.
    @discardableResult
    public mutating func command(_ command: ClientCommand) -> CommandID {
        let id = CommandID(nextCommand)
        nextCommand += 1
        if case .rescan = command { store.mayRewind = true }
        handle(.command(id, command))
        return id
    }

    // MARK: Time

    /// Lets time pass until a condition holds, or so long. Whether it held.
    @discardableResult
    public mutating func run(
        for duration: Duration = .seconds(3600), until condition: (World) -> Bool = { _ in false }
    ) -> Bool {
        let end = now + duration
        while !condition(self) {
            let deadline = client?.nextDeadline.map { max($0, now) }
            let event = queue.first?.at
            guard let next = [deadline, event].compactMap({ $0 }).min(), next <= end else {
                now = end
                return condition(self)
            }
            now = max(now, next)
            steps += 1
            if let event, event <= next, let first = queue.popFirst() {
                perform(first)
            } else {
                handle(.time)
                // A deadline that stays is a loop.
                if let again = client?.nextDeadline, again <= now { now += .milliseconds(1) }
            }
        }
        return true
    }

    /// Lets time pass until every wallet is searched to a tip.
    @discardableResult
    public mutating func sync(to tip: BlockHash, for duration: Duration = .seconds(3600)) -> Bool {
        run(for: duration) { $0.isCurrent(at: tip) }
    }

    /// Whether the chain ends at a block, and everything is searched and written.
    public func isCurrent(at tip: BlockHash) -> Bool {
        guard let client, client.sync.chain.tip.hash == tip,
            case .current = client.sync.progress.phase
        else { return false }
        let height = client.sync.chain.height
        return client.sync.wallets.all.allSatisfy {
            $0.progress.map { $0.scanned >= height && $0.pass == nil } ?? false
        }
    }

    private mutating func schedule(_ kind: Event.Kind, at time: Duration) {
        number += 1
        queue.insert(Event(at: time, number: number, run: run, kind: kind))
    }

    private mutating func perform(_ event: Event) {
        guard event.run == run || isOutside(event.kind) else { return }
        switch event.kind {
        case .spread(let transaction): spread(transaction)
        case .client(let event): handle(event)
        case .start: if client == nil { start() }
        case .time: handle(.time)
        case .answer(let id, let message): question(message, id)
        case .call(let id, let messages):
            for message in messages where connections[id] != nil {
                note(message, from: id)
                // No message is shorter; nothing here depends on how much longer this one is.
                handle(.traffic(id, bytes: 24, skipped: 0))
                handle(.message(id, message))
            }
        }
    }

    /// What happens whether the light client runs or not.
    private func isOutside(_ kind: Event.Kind) -> Bool {
        switch kind {
        case .start, .spread: true
        default: false
        }
    }

    // MARK: The light client

    private mutating func handle(_ event: LightClientEvent) {
        let clock = clock
        guard let actions = client?.handle(event, at: now, clock: clock) else { return }
        if let held = client?.sync.held {
            mostHeld.filters = max(mostHeld.filters, held.filters)
            mostHeld.bytes = max(mostHeld.bytes, held.filterBytes)
            mostHeld.blocks = max(mostHeld.blocks, held.blocks)
        }
        mostHeld.headers = max(mostHeld.headers, client?.sync.headers.heldHeaders ?? 0)
        for action in actions {
            if case .commit(let changes) = action, let fault = fault(of: changes) {
                return handle(.commitFailed(fault))
            }
            perform(action)
            if client == nil { return }
        }
    }

    private mutating func fault(of changes: [StoreChange]) -> StoreFault? {
        if let failing = failingCommit, failing.number <= store.commits {
            failingCommit = nil
            return StoreFault(failing.kind, "the disk failed")
        }
        store.commit(changes)
        if let complaint = onCommit?(changes, store) { complaints.append(complaint) }
        for case .peers(.banned(let ban)) in changes { bans[ban.endpoint] = ban.reason }
        return nil
    }

    private mutating func perform(_ action: LightClientAction) {
        switch action {
        case .commit: break
        case .readFilters(let heights):
            let filters = store.read(heights)
            schedule(.client(.filtersRead(from: heights.lowerBound, filters)), at: now)
        case .dial(let id, let endpoint, _, _, _): dial(id, endpoint)
        case .cancel, .resolve, .fetchList: break
        case .send(let id, let message):
            guard let node = connections[id].flatMap({ nodes[$0] }) else { return }
            schedule(.answer(id, message), at: now + node.manner.latency / 2)
        case .disconnect(let id):
            connections[id] = nil
            busy[id] = nil
        case .answer(let id, let answer): answers[id] = answer
        case .reload(let pause):
            stop()
            schedule(.start, at: now + pause)
        case .log(_, let line): log.append(line)
        case .news(.echoed(let txid, let id)):
            let node = connections[id]
            let wasGiven = node.map { given[txid, default: []].contains($0) } ?? true
            echoes.append((txid, node, wasGiven))
        default: break
        }
    }

    private mutating func dial(_ id: DialID, _ endpoint: PeerEndpoint) {
        guard let node = nodes[endpoint], node.manner.isReachable else {
            let failure = DialFailure(.refused, "nobody listens")
            return schedule(.client(.dialled(id, .failure(failure))), at: now + .milliseconds(10))
        }
        let peer = PeerID(nextPeer)
        nextPeer += 1
        connections[peer] = endpoint
        let dialled = LightClientEvent.DialledPeer(id: peer, transport: .v1)
        schedule(.client(.dialled(id, .success(dialled))), at: now + node.manner.latency)
    }

    private mutating func close(_ id: PeerID) {
        guard connections.removeValue(forKey: id) != nil else { return }
        busy[id] = nil
        schedule(.client(.closed(id, .closed("the connection broke"))), at: now)
    }

    // MARK: Nodes

    private mutating func question(_ message: PeerMessage, _ id: PeerID) {
        guard let endpoint = connections[id], var node = nodes[endpoint] else { return }
        if case .getdata(let items) = message {
            for item in items where item.kind == .witnessBlock {
                blockAsks.append((BlockHash(item.hash), endpoint))
            }
        }
        if case .feefilter(let rate) = message { feeFilters[id] = rate }
        if case .tx(let transaction) = message {
            given[transaction.txid, default: []].insert(endpoint)
            let isNew = node.take(transaction)
            if isNew, !node.manner.swallowsTransactions {
                schedule(.spread(transaction), at: now + .seconds(2))
            }
        }
        let answer = node.respond(to: message, tree, clock: trueClock)
        nodes[endpoint] = node
        guard let answer else { return close(id) }
        var at = max(now, busy[id] ?? .zero) + node.manner.latency / 2
        for message in answer {
            schedule(.call(id, [message]), at: at)
            at += node.manner.pace
        }
        if !answer.isEmpty { busy[id] = at - node.manner.latency / 2 }
    }

    /// The feerate of all transactions, in satoshis for 1,000 virtual bytes.
    public static let feeRate: Int64 = 5_000

    /// Every node that can be reached has a transaction, and tells whoever wants to hear of it.
    private mutating func spread(_ transaction: Transaction) {
        for endpoint in nodes.keys.sorted(by: { "\($0)" < "\($1)" }) {
            guard let node = nodes[endpoint], node.manner.isReachable,
                nodes[endpoint]?.take(transaction) == true, !node.manner.swallowsTransactions
            else { continue }
            let item = node.name(of: transaction)
            for (id, other) in connections.sorted(by: { $0.key < $1.key })
            where other == endpoint && feeFilters[id, default: 0] <= World.feeRate {
                schedule(.call(id, [.inv([item])]), at: now + node.manner.latency)
            }
        }
    }

    private mutating func note(_ message: PeerMessage, from id: PeerID) {
        guard case .cfilter(let answer) = message, let endpoint = connections[id] else { return }
        filterSenders[answer.block] = endpoint
        filterCounts[answer.block, default: 0] += 1
    }
}
