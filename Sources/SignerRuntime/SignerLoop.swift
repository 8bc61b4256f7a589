import ChildRuntime
import Confinement
import LinuxIO
import Messages
import SignerCore
import StateFiles

/// The broker's loop: waits, reads, lets the core decide, does what it says.
final class SignerLoop {
    typealias Channels = ChildChannels<LinkRequest, LinkReply>
    typealias Console = FrameChannel<ConsoleRequest, ConsoleReply>

    let channels: Channels
    let listener: FileDescriptor
    let workerFilter: SeccompFilter
    let state: SignerState
    /// Nil where the keeper passed none.
    let memory: MemoryFigures?
    let report: ProcessReport
    var signer: Signer
    var consoles: [ConsoleID: Console] = [:]
    var pipes: [PipeID: PassedDescriptor] = [:]
    var workers: [WorkerID: Worker] = [:]
    /// The large files of the operation that runs.
    var transfer: Transfer?
    /// What workers have written aside and nobody has adopted yet.
    var staged: Set<StateFile> = []
    var probes: ProbeQueue<ConsoleID>
    /// The second half of what a console has asked to be tried, and the rows of the first.
    var workerProbes: (asker: ConsoleID, rows: [ProbeRow], probes: WorkerProbes)?
    var buffer = ReadBuffer()
    var ending: SignerEnding?
    private var events: [SignerEvent] = []
    private var isHandling = false
    private var counter: UInt64 = 0
    private var set = PollSet()

    /// Patience with the link is longer: while it sends too fast, nothing is read from it. All signed
    /// files that are kept may be on their way at once.
    private static let linkLimits = Channels.Link.Limits(
        patience: .seconds(30), waitingBytes: 64 << 20)

    init(
        control: Channels.Control, link: consuming FileDescriptor,
        listener: consuming FileDescriptor,
        probes: ProbeChild,
        workerFilter: SeccompFilter, state: SignerState, memory: MemoryFigures?,
        report: ProcessReport, signer: Signer
    ) throws(Errno) {
        channels = try Channels(
            control: control, link: link, linkLimits: Self.linkLimits, greeting: .welcome)
        self.listener = listener
        self.probes = ProbeQueue(probes, of: .signer)
        self.workerFilter = workerFilter
        self.state = state
        self.memory = memory
        self.report = report
        self.signer = signer
    }

    /// Turns until the signer has to end.
    func run() -> SignerEnding {
        recover()
        while true {
            if let ending { return ending }
            turn()
        }
    }

    func nextNumber() -> UInt64 {
        counter += 1
        return counter
    }

    // MARK: One turn

    private func turn() {
        set.removeAll()
        let now = Kernel.timeSinceBoot()
        let tries = probes.isBusy && workerProbes == nil
        var deadlines = [signer.nextDeadline, tries ? now : nil]
        let linkPause = signer.linkPause(at: now)
        let places = channels.add(to: &set, linkIsPaused: linkPause != nil)
        deadlines += [channels.deadline, linkPause]
        let listenerPlace = signer.acceptsConsoles ? set.add(listener.number, .reading) : nil
        let consolePlaces = consoles.map { id, channel in
            let pause = signer.pause(of: id, at: now)
            deadlines += [channel.deadline, pause]
            return (id, set.add(channel.number, channel.interest(paused: pause != nil)))
        }
        let probePlace = workerProbes?.probes.number.map { set.add($0, .reading) }
        let workerPlaces = workers.map { id, worker in (id, set.add(worker.number, .reading)) }
        let feedPlace = transfer?.feeder?.number.map { set.add($0, .writing) }
        let stagePlace = transfer?.stager?.number.map { set.add($0, .reading) }
        let filePlace = transfer?.collector?.number.map { set.add($0, .reading) }
        do {
            try set.wait(until: deadlines.compactMap { $0 }.min())
        } catch {
            handle(.controlEnded("waiting failed: \(error)"))
            return
        }
        channels.serveControl(set, places, hear)
        if let feedPlace, set.canWrite(at: feedPlace) { feed() }
        if let stagePlace, set.canRead(at: stagePlace) { stage() }
        if let filePlace, set.canRead(at: filePlace) { collect() }
        for (id, place) in workerPlaces where set.canRead(at: place) { readWorker(id) }
        for (id, place) in consolePlaces where set.isReady(at: place) {
            serveConsole(id, set, place)
        }
        channels.serveLink(set, places, hear)
        if let listenerPlace, set.canRead(at: listenerPlace) { accept() }
        if let probePlace, set.canRead(at: probePlace) { readWorkerProbe() }
        if tries { stepProbes() }
        passTime()
    }

    private func passTime() {
        let now = Kernel.timeSinceBoot()
        handle(.time)
        channels.passTime(now, hear)
        for (id, channel) in consoles {
            if let end = channel.overdue(at: now) { endConsole(id, end) }
        }
    }

    // MARK: Events

    func hear(_ news: Channels.News) {
        switch news {
        case .order(let order): handle(.control(order))
        case .keeperGone(let reason): handle(.controlEnded(reason))
        case .link(let request): handle(.link(request))
        case .linkEnded(let loss, let reason): handle(.linkEnded(loss, reason))
        }
    }

    /// Tells the core, and does what it says; events that this brings about come after.
    func handle(_ event: SignerEvent) {
        events.append(event)
        guard !isHandling else { return }
        isHandling = true
        while !events.isEmpty {
            let event = events.removeFirst()
            for action in signer.handle(event, at: Kernel.timeSinceBoot()) { perform(action) }
        }
        isHandling = false
    }
}
