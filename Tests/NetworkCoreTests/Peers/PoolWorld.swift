import Chain
import PeerMessages
import TestSupport
import Testing
import Wire

@testable import NetworkCore

/// A pool in a world of peers that behave as told, run by a clock that jumps.
struct PoolWorld {
    /// What a peer does.
    enum Conduct: Hashable {
        /// Introduces itself with this and answers pings.
        case serves(VersionMessage)
        /// Takes the connection after so long.
        case slow(Duration, VersionMessage)
        /// Takes the connection and says nothing.
        case mute
        /// Does not take the connection.
        case refuses
        /// Lets dials run into their deadline.
        case vanished
    }

    var pool: PeerPool
    var now = Duration.zero
    /// What peers do; those that are not here refuse.
    var conducts: [PeerEndpoint: Conduct] = [:]
    /// What resolvers say, by name; those that are not here say nothing.
    var names: [String: [PeerHost]] = [:]
    var hasNetwork = true
    var hasGateway = true

    var dials: [(endpoint: PeerEndpoint, route: DialRoute, isEncrypted: Bool, at: Duration)] = []
    var lookups: [(name: String, method: ResolveMethod)] = []
    /// What publishers of lists answer, one after the other, a second after they were asked; then nothing.
    var lists: [Result<[UInt8], ListFetchFailure>] = []
    var fetches: [(url: String, route: ListRoute, at: Duration)] = []
    var seated: [PeerEndpoint] = []
    var unseated: [(endpoint: PeerEndpoint, fault: PeerFault)] = []
    var lines: [PeerID: PeerEndpoint] = [:]
    var kept: KeptPeers
    var messages: [(PeerEndpoint, PeerMessage)] = []
    var notes: [PeerNote] = []
    /// Kinds of messages that peers got.
    var heard: Set<PeerMessageKind> = []
    /// Checked after every step.
    var check: (PoolWorld) -> Void = { _ in }

    private var events: [(at: Duration, event: Event)] = []
    private var lastPeer: UInt64 = 0

    private enum Event {
        case outcome(DialID, PeerEndpoint, DialFailure?)
        case message(PeerID, PeerMessage)
        case answer(ResolveID, [PeerHost])
        case list(ListFetchID, Result<[UInt8], ListFetchFailure>)
        case close(PeerID)
    }

    init(
        _ chain: ChainParameters = ChainParameters(.mainnet), policy: RoutingPolicy = .standard,
        kept: KeptPeers = KeptPeers(), publishers: Set<Bytes32> = [], list: String? = nil,
        seeds: [String] = ["seed"], limits: PeerPool.Limits = PeerPool.Limits(),
        clock: Int64 = 1_000_000, seed: UInt64 = 1
    ) {
        self.kept = kept
        pool = PeerPool(
            chain, policy: policy, kept: kept, publishers: publishers,
            list: list.flatMap { HTTPSLocation($0) }, seeds: seeds, limits: limits, clock: clock,
            random: SeededGenerator(seed: seed))
    }

    mutating func start() { run(pool.start(at: now)) }

    /// The connection to an endpoint.
    func id(_ endpoint: PeerEndpoint) -> PeerID? { lines.first { $0.value == endpoint }?.key }

    var endpoints: Set<PeerEndpoint> { Set(pool.seated.map(\.endpoint)) }

    mutating func run(_ actions: [PeerPool.Action]) {
        for action in actions { perform(action) }
        check(self)
    }

    private mutating func perform(_ action: PeerPool.Action) {
        switch action {
        case .dial(let id, let endpoint, let route, let isEncrypted, let timeout):
            dials.append((endpoint, route, isEncrypted, now))
            answer(id, endpoint, route, timeout)
        case .cancel(let id):
            events.removeAll { if case .outcome(id, _, _) = $0.event { true } else { false } }
        case .send(let id, let message): hear(message, from: id)
        case .disconnect(let id): lines[id] = nil
        case .resolve(let id, let name, let method):
            lookups.append((name, method))
            events.append((now + .milliseconds(50), .answer(id, names[name] ?? [])))
        case .fetchList(let id, let url, let route):
            fetches.append((url, route, now))
            guard !lists.isEmpty else { return }
            events.append((now + .seconds(1), .list(id, lists.removeFirst())))
        case .seated(let info): seated.append(info.endpoint)
        case .unseated(let id, let fault):
            unseated.append((lines[id] ?? endpointOf[id] ?? .none, fault))
        case .message(let id, let message): messages.append((lines[id] ?? .none, message))
        case .store(let change): kept.apply(change)
        case .note(let note): notes.append(note)
        }
    }

    /// Every connection there ever was.
    private(set) var endpointOf: [PeerID: PeerEndpoint] = [:]

    private mutating func answer(
        _ id: DialID, _ endpoint: PeerEndpoint, _ route: DialRoute, _ timeout: Duration
    ) {
        var delay = Duration.milliseconds(100)
        var failure: DialFailure?
        switch conducts[endpoint] {
        case .serves, .mute: break
        case .slow(let time, _): delay = time
        case .vanished: delay = timeout + .seconds(1000)
        case .refuses, nil: failure = DialFailure(.refused, "refused")
        }
        if route == .direct, !hasNetwork { failure = DialFailure(.noNetwork, "no network") }
        if route != .direct, !hasGateway { failure = DialFailure(.gateway, "no gateway") }
        if delay >= timeout { (delay, failure) = (timeout, DialFailure(.timeout, "late")) }
        events.append((now + delay, .outcome(id, endpoint, failure)))
    }

    private mutating func hear(_ message: PeerMessage, from id: PeerID) {
        heard.insert(message.kind)
        guard let endpoint = lines[id] else { return }
        var replies: [PeerMessage] = []
        switch (conducts[endpoint], message) {
        case (.serves(let version), .version), (.slow(_, let version), .version):
            replies = [.version(version), .wtxidrelay, .sendaddrv2]
        case (.serves, .verack), (.slow, .verack): replies = [.verack]
        case (.serves, .ping(let nonce)), (.slow, .ping(let nonce)):
            replies = [.pong(nonce: nonce)]
        case (.serves, .getheaders), (.slow, .getheaders): replies = [.headers([])]
        default: break
        }
        for reply in replies { say(reply, from: id) }
    }

    /// A peer says something, a little later.
    mutating func say(_ message: PeerMessage, from id: PeerID) {
        events.append((now + .milliseconds(10), .message(id, message)))
    }

    /// A peer closes its connection, a little later.
    mutating func hangUp(_ id: PeerID) { events.append((now + .milliseconds(10), .close(id))) }

    /// Lets time pass; everything that falls due happens.
    mutating func pass(_ time: Duration) {
        let end = now + time
        var steps = 0
        while true {
            steps += 1
            guard steps < 2_000_000 else {
                Issue.record("time stands still at \(now)")
                return
            }
            let next = events.indices.min { events[$0].at < events[$1].at }
            let deadline = pool.nextDeadline
            let at =
                [next.map { events[$0].at }, deadline].compactMap { $0 }.min() ?? .seconds(1 << 40)
            guard at <= end else { break }
            now = max(now, at)
            if let next, events[next].at <= at {
                let event = events.remove(at: next).event
                run(happen(event))
            } else {
                run(pool.time(at: now))
            }
        }
        now = end
        run(pool.time(at: now))
    }

    private mutating func happen(_ event: Event) -> [PeerPool.Action] {
        switch event {
        case .outcome(let id, _, let failure?): return pool.dialled(id, .failure(failure), at: now)
        case .outcome(let id, let endpoint, nil):
            lastPeer += 1
            let peer = PeerID(lastPeer)
            lines[peer] = endpoint
            endpointOf[peer] = endpoint
            return pool.dialled(
                id, .success(LightClientEvent.DialledPeer(id: peer, transport: .v1)), at: now)
        case .message(let id, let message):
            guard lines[id] != nil else { return [] }
            return pool.received(bytes: 100, skipped: 0, from: id, at: now)
                + pool.received(message, from: id, at: now)
        case .answer(let id, let hosts): return pool.resolved(id, hosts, at: now)
        case .list(let id, let result):
            return pool.fetched(id, result, isCurrent: false, at: now)
        case .close(let id):
            guard lines.removeValue(forKey: id) != nil else { return [] }
            return pool.closed(id, .closed("gone"), at: now)
        }
    }
}
