import ChildRuntime
import Confinement
import LinuxIO
import Messages
import NetworkCore

/// The network process's loop: waits, reads, lets the core decide, does what it says.
final class NetworkLoop {
    typealias Control = FrameChannel<ControlOrder, ControlReport>
    typealias Link = FrameChannel<LinkReply, LinkRequest>
    typealias Query = FrameChannel<QueryRequest, QueryReply>

    let control: Control
    let listener: FileDescriptor
    let report: ProcessReport
    var process: NetworkProcess
    var link: Link?
    /// The descriptor that came with the order to take a new link.
    var nextLink: PassedDescriptor?
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
    static let linkLimits = Link.Limits(patience: .seconds(30), waitingBytes: 64 << 20)

    init(
        control: Control, link: consuming FileDescriptor, listener: consuming FileDescriptor,
        probes: ProbeChild,
        report: ProcessReport, process: NetworkProcess
    ) throws(Errno) {
        // The loop is its only owner, or the other side would not see it close.
        self.link = try Link(link, limits: Self.linkLimits)
        self.control = control
        self.listener = listener
        self.probes = ProbeQueue(probes, of: .network)
        self.report = report
        self.process = process
    }

    /// Turns until the process has to end.
    func run() -> NetworkEnding {
        handle(.started)
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
        let controlPlace = set.add(control.number, control.interest())
        deadlines.append(control.deadline)
        let listenerPlace = process.acceptsConnections ? set.add(listener.number, .reading) : nil
        let linkPlace = link.map { link in
            deadlines.append(link.deadline)
            return set.add(link.number, link.interest())
        }
        let queryPlaces = queries.map { id, channel in
            let pause = process.pause(of: id, at: now)
            deadlines += [channel.deadline, pause]
            return (id, set.add(channel.number, channel.interest(paused: pause != nil)))
        }
        do {
            try set.wait(until: deadlines.compactMap { $0 }.min())
        } catch {
            handle(.controlEnded("waiting failed: \(error)"))
            return
        }
        if set.isReady(at: controlPlace) { serveControl(set, controlPlace) }
        if let linkPlace, set.isReady(at: linkPlace) { serveLink(set, linkPlace) }
        for (id, place) in queryPlaces where set.isReady(at: place) { serveQuery(id, set, place) }
        if let listenerPlace, set.canRead(at: listenerPlace) { accept() }
        stepProbes()
        passTime()
    }

    private func passTime() {
        let now = Kernel.timeSinceBoot()
        handle(.time)
        if let end = control.overdue(at: now) { handle(.controlEnded("\(end)")) }
        if let end = link?.overdue(at: now) { endLink(end) }
        for (id, channel) in queries {
            if let end = channel.overdue(at: now) { endQuery(id, end) }
        }
    }

    private func stepProbes() {
        guard probes.isBusy, let (hello, facts) = process.probeTargets else { return }
        guard let (id, rows) = probes.step(at: ProbeTargets(hello, facts)) else { return }
        send(.probes(rows), to: id)
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

    private func perform(_ action: NetworkAction) {
        switch action {
        case .reply(let id, let reply): send(reply, to: id)
        case .selfReport(let id): send(.selfReport(report.refreshed()), to: id)
        case .probe(let id): probes.ask(id)
        case .close(let id): queries[id] = nil
        case .tell(let request):
            guard let link else { return }
            tellSigner { () throws(ChannelEnd) in try link.send(request, at: Kernel.timeSinceBoot())
            }
        case .adoptLink: adoptLink()
        case .report(let report):
            tellKeeper { () throws(ChannelEnd) in
                try control.send(report, at: Kernel.timeSinceBoot())
            }
        case .finish(let ending): self.ending = ending
        }
    }
}
