import Chain
import ChainDesk
import ChildRuntime
import Confinement
import LinuxIO
import Messages
import NetworkCore
import NetworkStore
import NetworkTransport

/// The network process's loop: waits, reads, lets the core decide, does what it says.
final class NetworkLoop {
    typealias Channels = ChildChannels<LinkReply, LinkRequest>
    typealias Query = FrameChannel<QueryRequest, QueryReply>

    let channels: Channels
    let listener: FileDescriptor
    let report: ProcessReport
    let witness: WitnessFile
    /// Nil if its files are not used; `refusal` says why.
    let client: ClientLoop?
    let refusal: String
    var desk: ChainDesk
    var process: NetworkProcess
    var queries: [QueryID: Query] = [:]
    var probes: ProbeQueue<QueryID>
    var buffer = ReadBuffer()
    var ending: NetworkEnding?
    private var events: [NetworkEvent] = []
    private var isHandling = false
    private var counter: UInt64 = 0
    private var set = PollSet()

    /// Room for every request that the core holds at once, and patience while the signer, which
    /// reads no faster than it wants to, reads nothing.
    private static let linkLimits = Channels.Link.Limits(
        patience: .seconds(30), waitingBytes: 64 << 20)

    init(
        control: Channels.Control, link: consuming FileDescriptor,
        listener: consuming FileDescriptor,
        probes: ProbeChild, witness: consuming WitnessFile, parameters: ChainParameters,
        client: Result<ClientLoop, StoreRefusal>, report: ProcessReport, process: NetworkProcess
    ) throws(Errno) {
        channels = try Channels(control: control, link: link, linkLimits: Self.linkLimits)
        self.listener = listener
        self.probes = ProbeQueue(probes, of: .network)
        self.report = report
        self.witness = witness
        switch client {
        case .success(let client): (self.client, refusal) = (client, "")
        case .failure(let error): (self.client, refusal) = (nil, "\(error)")
        }
        desk = ChainDesk(parameters)
        self.process = process
    }

    /// Turns until the process has to end.
    func run() -> NetworkEnding {
        handle(.started)
        if let client {
            client.handle(.started)
        } else {
            handle(.note(.failure, "the light client does not run: \(refusal)"))
        }
        while true {
            if let ending { return ending }
            turn()
        }
    }

    func nextNumber() -> UInt64 {
        counter += 1
        return counter
    }

    private func turn() {
        set.removeAll()
        let now = Kernel.timeSinceBoot()
        var deadlines = [process.nextDeadline, probes.isBusy ? now : nil]
        let places = channels.add(to: &set)
        deadlines.append(channels.deadline)
        let listenerPlace = process.acceptsConnections ? set.add(listener.number, .reading) : nil
        let queryPlaces = queries.map { id, channel in
            let pause = process.pause(of: id, at: now)
            deadlines += [channel.deadline, pause]
            return (id, set.add(channel.number, channel.interest(paused: pause != nil)))
        }
        client?.add(to: &set)
        deadlines.append(client?.deadline)
        if let client, desk.hasLabelsToStep(client.store) { deadlines.append(now) }
        do {
            try set.wait(until: deadlines.compactMap { $0 }.min())
        } catch {
            handle(.controlEnded("waiting failed: \(error)"))
            return
        }
        channels.serveControl(set, places, hear)
        channels.serveLink(set, places, hear)
        for (id, place) in queryPlaces where set.isReady(at: place) { serveQuery(id, set, place) }
        if let listenerPlace, set.canRead(at: listenerPlace) { accept() }
        client?.serve(set)
        hearClient()
        watchPairings()
        stepLabels()
        stepProbes()
        passTime()
    }

    private func passTime() {
        let now = Kernel.timeSinceBoot()
        handle(.time)
        channels.passTime(now, hear)
        for (id, channel) in queries {
            if let end = channel.overdue(at: now) { endQuery(id, end) }
        }
    }

    private func stepProbes() {
        guard probes.isBusy, let (hello, facts) = process.probeTargets else { return }
        guard let (id, rows) = probes.step(at: ProbeTargets(hello, facts)) else { return }
        send(.probes(rows), to: id)
    }

    func hearClient() {
        for item in client?.takeNews() ?? [] {
            switch item {
            case .log(.information, let line): handle(.note(.information, line))
            case .log(.warning, let line):
                handle(.note(.warning, line))
                desk.note([line])
            case .answer(let id, let answer): tell(id, answer)
            case .relay(let news): desk.note(news)
            }
        }
    }

    private func hear(_ news: Channels.News) {
        switch news {
        case .order(let order): handle(.control(order))
        case .keeperGone(let reason): handle(.controlEnded(reason))
        case .link(let reply): handle(.link(reply))
        case .linkEnded(let loss, let reason): handle(.linkEnded(loss, reason))
        }
    }

    /// Tells the core, and does what it says; events that this brings about come after.
    func handle(_ event: NetworkEvent) {
        events.append(event)
        guard !isHandling else { return }
        isHandling = true
        while !events.isEmpty {
            let event = events.removeFirst()
            for action in process.handle(event, at: Kernel.timeSinceBoot()) { perform(action) }
        }
        isHandling = false
    }

    private func keep(_ head: LedgerWitness) {
        do throws(Errno) {
            try witness.keep(head)
        } catch {
            channels.report(
                .log(.failure, "the head of the signer's ledger could not be kept: \(error)"), hear)
        }
    }

    private func perform(_ action: NetworkAction) {
        switch action {
        case .reply(let id, let reply): send(reply, to: id)
        case .selfReport(let id): send(.selfReport(report.refreshed()), to: id)
        case .probe(let id): probes.ask(id)
        case .close(let id): queries[id] = nil
        case .chain(let id, let request): ask(request, for: id)
        case .tell(let request): channels.tell(request, hear)
        case .keep(let head): keep(head)
        case .watch(let accounts): desk.take(accounts)
        case .useNameServers(let hosts):
            client?.use(hosts.compactMap { IPEndpoint($0, port: 53) })
        case .adoptLink: channels.adoptLink(hear)
        case .report(let report): channels.report(report, hear)
        case .finish(let ending): self.ending = ending
        }
    }
}
