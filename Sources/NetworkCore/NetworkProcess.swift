public import Messages

/// The network process as a state machine: events and the time go in, actions come out.
///
/// What it holds to: a request for a signature keeps its id and its file until the signer has it, whatever
/// happens to the link meanwhile; nobody at the socket can make it hold more than its limits.
public struct NetworkProcess: Sendable {
    /// How much may be asked.
    public let limits: NetworkLimits
    /// The chain of this instance.
    public let chain: ChainName
    let started: Duration
    var random: any RandomNumberGenerator & Sendable

    var orders: ControlHello?
    var facts = KeeperFacts()
    var weaknesses: [String] = []
    var connections: [QueryID: Throttle] = [:]
    var acceptGate = AcceptGate()
    var link = Link()
    var submissions = Submissions()
    var witness: LedgerWitness?
    /// The public accounts of the signer's wallets, as it handed them over last; nil before that.
    public internal(set) var accounts: [PairedAccounts]?
    var queries: UInt64 = 0
    var log: LogGate
    var actions: [NetworkAction] = []
    private var isFinished = false

    struct Link: Sendable {
        /// Whether there is a channel at all; it is up once the signer has said welcome.
        var isOpen = false
        var isUp = false
        var generation: UInt64 = 0
        var pinged: (nonce: UInt64, at: Duration)?
        var nextPing: Duration?
        var roundTrip = Duration.zero
        var isLate = false
    }

    /// A process that was started for `chain` and has heard nothing yet.
    ///
    /// - Parameters:
    ///   - witness: The head of the signer's ledger that was kept, if one was.
    ///   - random: Where request ids come from.
    public init(
        chain: ChainName, limits: NetworkLimits = NetworkLimits(), witness: LedgerWitness? = nil,
        random: any RandomNumberGenerator & Sendable, at now: Duration
    ) {
        self.chain = chain
        self.limits = limits
        self.witness = witness
        self.random = random
        started = now
        log = LogGate(perSecond: 2, atOnce: 20)
    }

    /// Takes one event and says what to do, in this order.
    public mutating func handle(_ event: NetworkEvent, at now: Duration) -> [NetworkAction] {
        guard !isFinished else { return [] }
        actions = []
        switch event {
        case .started: openLink(generation: 0)
        case .time: passTime(now)
        case .control(let order): control(order, now)
        case .controlEnded(let reason):
            say(.failure, "the keeper is gone: \(reason)", now)
            finish(.keeperGone)
        case .connected(let id): connected(id)
        case .acceptFailed(let reason): acceptFailed(reason, now)
        case .query(let id, let request): query(id, request, now)
        case .queryEnded(let id, let violation): queryEnded(id, violation, now)
        case .link(let reply): link(reply, now)
        case .linkEnded(let loss, let reason): linkEnded(loss, reason)
        case .note(let severity, let line): say(severity, line, now)
        }
        return actions
    }

    /// When `.time` has to come at the latest; nil while only other events can lead on.
    public var nextDeadline: Duration? {
        [pingDeadline, acceptGate.closedUntil].compactMap { $0 }.min()
    }

    private var pingDeadline: Duration? {
        guard link.isUp else { return nil }
        guard let pinged = link.pinged else { return link.nextPing }
        return link.isLate ? nil : pinged.at + limits.pingTimeout
    }

    /// Whether connections may be accepted: there is room, and the last try did not fail just now.
    public var acceptsConnections: Bool {
        connections.count < limits.connections && acceptGate.closedUntil == nil
    }

    /// What is to be probed, once the keeper has said it.
    public var probeTargets: (hello: ControlHello, facts: KeeperFacts)? {
        orders.map { ($0, facts) }
    }

    /// Until when nothing is to be read from a connection, which has sent too much too fast.
    public func pause(of id: QueryID, at now: Duration) -> Duration? {
        connections[id]?.pausedUntil(at: now)
    }

    /// How the process is.
    public func status(at now: Duration) -> NetworkStatus {
        var status = NetworkStatus(chain: chain)
        status.linkIsUp = link.isUp
        status.uptimeSeconds = UInt64((now - started).components.seconds)
        status.linkGeneration = link.generation
        status.roundTripNanoseconds = UInt64(
            link.roundTrip.components.attoseconds / 1_000_000_000)
        status.sent = submissions.sent
        status.answered = submissions.answered
        status.waiting = UInt64(submissions.waiting.count)
        status.queries = queries
        status.connections = UInt32(connections.count)
        status.handedWallets = UInt32(accounts?.count ?? 0)
        status.witnessedEntries = witness?.counter ?? 0
        status.facts = facts
        status.weaknesses = weaknesses
        return status
    }

    private mutating func control(_ order: ControlOrder, _ now: Duration) {
        switch order {
        case .hello(let hello):
            guard hello.role == .network, hello.chain == chain else {
                say(.failure, "the keeper's orders are for \(hello.role) on \(hello.chain)", now)
                return finish(.wrongOrders)
            }
            orders = hello
        case .newLink(let generation):
            actions.append(.adoptLink)
            openLink(generation: generation)
        case .facts(let newFacts, let newWeaknesses):
            facts = newFacts
            weaknesses = newWeaknesses
        case .nameServers(let text): actions.append(.useNameServers(NameServers.read(text)))
        case .ping(let nonce): actions.append(.report(.pong(nonce: nonce)))
        case .stop: finish(.stopped)
        }
    }

    mutating func say(_ severity: Severity, _ line: String, _ now: Duration) {
        guard let line = log.pass(line, at: now) else { return }
        actions.append(.report(.log(severity, line)))
    }

    private mutating func finish(_ ending: NetworkEnding) {
        isFinished = true
        actions.append(.finish(ending))
    }
}
