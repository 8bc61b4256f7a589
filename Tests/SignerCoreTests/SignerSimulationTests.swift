import Messages
import SignerCore
import TestSupport
import Testing
import Wire

/// A signer among peers that flood, die and lie, with every promise checked at every step.
@Suite("The signer in simulations")
struct SignerSimulationTests {
    @Test(
        "Whatever its peers do, every promise of the signer is kept",
        arguments: 0..<200 as Range<UInt64>)
    func simulate(seed: UInt64) {
        var world = World(seed: seed)
        for _ in 0..<400 { world.step() }
        world.settle()
    }
}

/// The surroundings of one signer and what it must hold to in them.
private struct World {
    private var random: SeededGenerator
    private var signer: Signer
    private var now = Duration.zero
    private let limits: SignerLimits

    private var consoles: Set<ConsoleID> = []
    /// Reviews that a console has asked for and not been answered.
    private var asked: Set<ConsoleID> = []
    private var pipes: Set<PipeID> = []
    private var workers: [WorkerID: Job] = [:]
    private var killed: Set<WorkerID> = []
    private var linkIsUp = false
    private var linkIsOpen = true
    private var generation: UInt64 = 0
    /// What was answered finally, which must never change while it is kept.
    private var final: [RequestID: RequestState] = [:]
    private var counter: UInt64 = 0

    init(seed: UInt64) {
        random = SeededGenerator(seed: seed)
        var limits = SignerLimits()
        limits.linkEntries = 4
        limits.linkEntryBytes = 2000
        limits.consoleEntries = 4
        limits.consoleEntryBytes = 2000
        limits.entryTime = .seconds(60)
        limits.consoles = 3
        limits.consoleIdleTime = .seconds(20)
        self.limits = limits
        signer = Signer(chain: .signet, limits: limits, at: .zero)
        let hello = ControlHello(
            role: .signer, chain: .signet, hasOneUser: false, networkUID: 7,
            signerDirectory: "", signerSocket: "")
        tell(.control(.hello(hello)))
    }

    private mutating func next() -> UInt64 {
        counter += 1
        return counter
    }

    private mutating func chance(_ percent: Int) -> Bool {
        Int.random(in: 0..<100, using: &random) < percent
    }

    private mutating func payload() -> [UInt8] {
        [UInt8](repeating: 1, count: Int.random(in: 0...900, using: &random))
    }

    mutating func step() {
        now += .milliseconds(Int.random(in: 0...1500, using: &random))
        tell(.time)
        switch Int.random(in: 0..<10, using: &random) {
        case 0: connect()
        case 1, 2: console()
        case 3, 4: link()
        case 5: endConsole()
        case 6: changeLink()
        default: endWorker()
        }
    }

    /// Lets everything come to its end: nobody may be left waiting.
    mutating func settle() {
        for _ in 0..<100 where !workers.isEmpty { endWorker(always: true) }
        for id in consoles { tell(.consoleEnded(id, violation: nil)) }
        now += limits.entryTime
        tell(.time)
        #expect(workers.isEmpty)
        #expect(asked.isEmpty)
        #expect(pipes.isEmpty)
        #expect(signer.status(at: now).waiting == 0)
        #expect(signer.status(at: now).waitingBytes == 0)
    }

    private mutating func connect() {
        guard signer.acceptsConsoles else { return }
        let id = ConsoleID(next())
        let isNetwork = chance(20)
        if !isNetwork { consoles.insert(id) }
        let actions = tell(.connected(id, uid: isNetwork ? 7 : 1000))
        #expect(actions.contains(.close(id)) == isNetwork)
    }

    private mutating func console() {
        guard let id = consoles.randomElement(using: &random) else { return }
        guard chance(70) else {
            let nonce = random.next()
            #expect(
                tell(.console(id, .ping(nonce: nonce), pipe: nil)).contains(
                    .reply(id, .pong(nonce: nonce))))
            return
        }
        // A second review of a console is refused at once, and the first one goes on.
        let isSecond = asked.contains(id)
        asked.insert(id)
        let actions: [SignerAction]
        if chance(30) {
            let pipe = PipeID(next())
            pipes.insert(pipe)
            tell(.console(id, .output, pipe: pipe))
            let entry = EntryID(UInt32.random(in: 1...60, using: &random))
            actions = tell(.console(id, .review(entry, .json), pipe: nil))
        } else {
            actions = tell(.console(id, .submit(file: payload()), pipe: nil))
        }
        guard isSecond else { return }
        #expect(
            actions.contains {
                if case .reply(id, .entry(.failure)) = $0 { true } else { false }
            })
        asked.insert(id)
    }

    private mutating func endConsole() {
        guard let id = consoles.randomElement(using: &random) else { return }
        consoles.remove(id)
        asked.remove(id)
        let isViolation = chance(50)
        tell(.consoleEnded(id, violation: isViolation ? "it lied" : nil))
    }

    private mutating func link() {
        guard linkIsOpen else { return }
        if !linkIsUp {
            linkIsUp = true
            #expect(tell(.link(.hello)) == [.tell(.welcome)])
        }
        let id = RequestID(high: 0, low: UInt64.random(in: 0..<40, using: &random))
        let isRequest = chance(70)
        let actions =
            isRequest ? tell(.link(.request(id, payload: payload()))) : tell(.link(.inquiry(id)))
        guard case .tell(.answer(id, let answer))? = actions.first else {
            Issue.record("a request of the link was not answered")
            return
        }
        if let known = final[id] { #expect(answer == known) }
        if isRequest { #expect(answer != .unknown) }
    }

    private mutating func changeLink() {
        if linkIsOpen, chance(60) {
            linkIsOpen = false
            linkIsUp = false
            #expect(tell(.linkEnded(.violation, "x")).count == 1)
        } else {
            generation += 1
            linkIsOpen = true
            linkIsUp = false
            #expect(tell(.control(.newLink(generation: generation))) == [.adoptLink])
        }
    }

    private mutating func endWorker(always: Bool = false) {
        guard let (id, job) = workers.randomElement(using: &random) else { return }
        guard always || killed.contains(id) || chance(60) else { return }
        workers[id] = nil
        let fails = killed.contains(id) || chance(30)
        let verdict: ReviewVerdict = chance(50) ? .stopped : .ready
        let result: WorkerResult =
            fails ? .failed("it died") : .reviewed(.success(summary(job.file, verdict)))
        tell(.workerEnded(id, result))
    }

    /// Tells the signer and holds it to what it answers.
    @discardableResult
    private mutating func tell(_ event: SignerEvent) -> [SignerAction] {
        let actions = signer.handle(event, at: now)
        for action in actions { check(action) }
        #expect(workers.count <= 2)
        let link = workers.values.count { $0.asker == nil }
        #expect(link <= 1, "each side has one worker at most")
        let status = signer.status(at: now)
        #expect(Int(status.waiting) <= limits.linkEntries + limits.consoleEntries)
        #expect(Int(status.waitingBytes) <= limits.linkEntryBytes + limits.consoleEntryBytes)
        #expect(Int(status.consoles) <= limits.consoles)
        return actions
    }

    private mutating func check(_ action: SignerAction) {
        switch action {
        case .reply(let id, let reply):
            #expect(consoles.contains(id), "only who is there is answered")
            if case .entry = reply {
                #expect(asked.remove(id) != nil, "nobody is answered twice")
            }
        case .tell(let reply):
            #expect(linkIsUp, "nothing is said on a link that is not up")
            if case .answer(let request, let state) = reply, state.isFinal,
                ![.full, .tooFast, .unknown].contains(state)
            {
                #expect(final[request] == nil || final[request] == state)
                final[request] = state
            }
        case .start(let id, let job):
            #expect(workers[id] == nil)
            workers[id] = job
            if let pipe = job.output {
                #expect(pipes.remove(pipe) != nil, "a pipe goes to one worker")
            }
        case .drop(let pipe):
            #expect(pipes.remove(pipe) != nil, "a pipe is closed once, and by no worker's loss")
        case .kill(let id):
            #expect(workers[id] != nil)
            #expect(killed.insert(id).inserted, "a worker is killed once")
        case .finish: Issue.record("it ended, which nobody had asked for")
        case .close(let id):
            consoles.remove(id)
            #expect(!asked.contains(id), "whoever waits for an answer is not closed")
        case .list, .load, .commit, .begin, .tidy:
            Issue.record("an operation began, which nobody had asked for")
        case .selfReport, .probe, .adoptLink, .report: break
        }
    }
}
