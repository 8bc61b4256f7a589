import Chain
import LinuxIO
import NetworkCore
import NetworkStore
import NetworkTransport

/// The light client's part of the loop: waits for what it waits for, feeds it events, and does what it
/// says, each event's actions before the next event.
final class ClientLoop {
    /// What the rest of the process hears.
    enum News {
        case answer(CommandID, ClientAnswer)
        case relay(RelayNews)
        case log(LightClientAction.LogSeverity, String)
    }

    private(set) var client: LightClient
    let store: NetworkStore
    let parts: Parts
    private var events: [LightClientEvent] = []
    private var isHandling = false
    /// When this turn of the loop has had its time, and what is left waits for the next.
    private var turnEnd = Duration.zero
    /// Long enough to get on, short enough for a person at the socket.
    private static let turnTime = Duration.milliseconds(50)
    private var news: [News] = []
    /// Kept filters that are to be read, one run in each turn of the loop, so that a search of all of
    /// them keeps nobody from being served.
    private var reads: [ClosedRange<Int>] = []
    /// When what could not be written is loaded and tried again.
    private var reload: Duration?
    /// Whether the store may have room to give back, a little in each turn.
    private var mayGiveBack = true
    /// When the file of filters is tried again, and how long to wait after that.
    private var filterRetry: Duration?
    private var filterPause = Duration.seconds(60)

    /// Everything that was made before the process was confined.
    struct Parts {
        let connections: PeerConnections
        let system: SystemResolver?
        /// What is fetched over HTTPS; nil where certificates cannot be checked.
        let transfers: HTTPSTransfers?
        let https: HTTPSResolver?
        let choice: PeerChoice
        /// A signed list of peers, in place of the one that is kept.
        let peerList: [UInt8]?
    }

    /// Starts from what is stored.
    init(_ store: NetworkStore, _ parts: Parts) throws(StoreRefusal) {
        self.store = store
        self.parts = parts
        client = try ClientLoop.load(store, parts)
    }

    private static func load(
        _ store: NetworkStore, _ parts: Parts
    ) throws(StoreRefusal) -> LightClient {
        var stored = try store.load()
        if let list = parts.peerList { stored.peers.signedList = list }
        let choice = parts.choice
        return LightClient(
            stored, policy: choice.policy, peers: choice.peers,
            publishers: choice.publishers, list: choice.list, seeds: choice.seeds,
            limits: choice.limits,
            at: Kernel.timeSinceBoot(), clock: Kernel.secondsSince1970(),
            random: SystemRandomNumberGenerator())
    }

    /// Gives away what the rest of the process has to hear.
    func takeNews() -> [News] {
        news += store.takeNotices().map { .log(.warning, $0) }
        defer { news = [] }
        return news
    }

    /// Looks names up by these servers from now on.
    func use(_ servers: [IPEndpoint]) { parts.system?.use(servers) }

    // MARK: The loop

    /// Adds what is to be waited for.
    func add(to set: inout PollSet) {
        // Nothing more is read while there is more to do than a turn has time for.
        parts.connections.add(to: &set, isPaused: !events.isEmpty)
        parts.system?.add(to: &set)
        parts.transfers?.add(to: &set)
    }

    /// When `serve` has to come at the latest.
    var deadline: Duration? {
        guard reads.isEmpty, events.isEmpty, !mayGiveBack else { return .zero }
        return [
            reload, filterRetry, client.nextDeadline, parts.connections.deadline,
            parts.system?.deadline,
            parts.transfers?.deadline,
        ].compactMap { $0 }.min()
    }

    /// Does what is to be done now. Pass the set that `add` was given last.
    func serve(_ set: PollSet) {
        turnEnd = Kernel.timeSinceBoot() + ClientLoop.turnTime
        handleWaiting()
        parts.connections.serve(set, tell: handle)
        parts.connections.passTime(tell: handle)
        parts.system?.serve(set)
        parts.transfers?.serve(set)
        let finished = (parts.system?.takeFinished() ?? []) + (parts.https?.takeFinished() ?? [])
        for (id, hosts) in finished { handle(.resolved(id, hosts)) }
        let problems = (parts.system?.takeProblems() ?? []) + (parts.https?.takeProblems() ?? [])
        news += problems.map { .log(.warning, $0) }
        if !reads.isEmpty, events.isEmpty {
            let heights = reads.removeFirst()
            handle(.filtersRead(from: heights.lowerBound, store.readFilters(heights)))
        }
        let now = Kernel.timeSinceBoot()
        giveBackRoom(now)
        if let reload, reload <= now { loadAgain(now) }
        if events.isEmpty, let deadline = client.nextDeadline, deadline <= now { handle(.time) }
    }

    /// A little in each turn; a file that failed is tried again after a minute, two, four, at last
    /// once an hour.
    private func giveBackRoom(_ now: Duration) {
        if let due = filterRetry, due <= now { (filterRetry, mayGiveBack) = (nil, true) }
        if mayGiveBack { mayGiveBack = store.giveBackRoom() }
        guard store.hasFilterTrouble, filterRetry == nil else { return }
        filterRetry = now + filterPause
        filterPause = min(filterPause * 2, .seconds(3600))
    }

    /// Tells the light client, and does what it says; events that this brings about come after.
    func handle(_ event: LightClientEvent) {
        events.append(event)
        handleWaiting()
    }

    private func handleWaiting() {
        guard !isHandling else { return }
        isHandling = true
        while !events.isEmpty, Kernel.timeSinceBoot() < turnEnd {
            let event = events.removeFirst()
            let actions = client.handle(
                event, at: Kernel.timeSinceBoot(), clock: Kernel.secondsSince1970())
            perform(actions)
        }
        isHandling = false
    }

    private func perform(_ actions: [LightClientAction]) {
        for action in actions {
            guard case .commit(let changes) = action else {
                perform(action)
                continue
            }
            do throws(StoreFault) {
                try store.commit(changes)
                mayGiveBack = mayGiveBack || changes.contains(where: \.dropsFilters)
            } catch {
                // Nothing of the rest may happen, since it rests on what is not written.
                events.insert(.commitFailed(error), at: 0)
                return
            }
        }
    }

    private func perform(_ action: LightClientAction) {
        switch action {
        case .commit: break
        case .readFilters(let heights):
            reads.append(heights)
        case .dial(let id, let endpoint, let route, let isEncrypted, let timeout):
            parts.connections.dial(
                id, endpoint.host, port: endpoint.port, by: route, isEncrypted: isEncrypted,
                timeout: timeout, tell: handle)
        case .cancel(let id): parts.connections.cancel(id)
        case .send(let id, let message): parts.connections.send(message, to: id, tell: handle)
        case .disconnect(let id): parts.connections.close(id)
        case .resolve(let id, let name, let method): resolve(id, name, method)
        case .fetchList(let id, let url, let route): fetchList(id, url, route)
        case .answer(let id, let answer): news.append(.answer(id, answer))
        case .news(let relay): news.append(.relay(relay))
        case .reload(let pause): reload = Kernel.timeSinceBoot() + pause
        case .log(let severity, let line): news.append(.log(severity, line))
        }
    }

    private func resolve(_ id: ResolveID, _ name: String, _ method: ResolveMethod) {
        switch method {
        case .https:
            guard let https = parts.https else { return events.append(.resolved(id, [])) }
            https.resolve(id, name)
        case .system:
            guard let system = parts.system else { return events.append(.resolved(id, [])) }
            system.resolve(id, name)
        }
    }

    // MARK: After a failure of the disk

    private static let pauseAfterRefusal = Duration.seconds(30)

    /// Begins anew with what the disk has.
    private func loadAgain(_ now: Duration) {
        reload = nil
        reads = []
        if let fault = client.fault {
            for case .command(let id, _) in events {
                news.append(.answer(id, .refused(.store(fault))))
            }
        }
        events = []
        parts.connections.closeAll()
        do throws(StoreRefusal) {
            try store.reopen()
            client = try ClientLoop.load(store, parts)
        } catch {
            news.append(.log(.warning, "\(error)"))
            reload = now + ClientLoop.pauseAfterRefusal
            return
        }
        handle(.started)
    }
}
