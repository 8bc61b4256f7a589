import Messages
import SignerCore
import StateFiles
import TestSupport
import Testing
import Wire

/// One signer, its disk, its workers and the people at its consoles, all of whom die when chance says.
///
/// A count is kept in the open here: failures and wait, four bytes each. A change of the password is
/// a number that vault and name must have in common.
struct OperationWorld {
    private var random: SeededGenerator
    private let schedule: AttemptSchedule
    private let disk = SimulatedDisk()
    private var store: StateStore<SimulatedDisk>
    private var signer: Signer
    private var now = Duration.seconds(40)
    private var started = Duration.seconds(40)

    private let vaults: [VaultID]
    private var consoles: Set<ConsoleID> = []
    /// What each console waits for, and whether it typed the right password.
    private var asked: [ConsoleID: (request: VaultRequest, isRight: Bool)] = [:]
    private var pipes: [PipeID: ConsoleID] = [:]
    private var workers: [WorkerID: OperationJob] = [:]
    private var isRight: [WorkerID: Bool] = [:]
    private var killed: Set<WorkerID> = []
    /// Attempts since the last right password: what the kept count must never be below.
    private var attempts: [VaultID: UInt32] = [:]
    private var lastAttempt: [VaultID: Duration] = [:]
    private var counter: UInt64 = 0

    private(set) var answers = 0
    private(set) var waits = 0
    private(set) var wrongPasswords = 0
    private(set) var powerCuts = 0

    init(seed: UInt64) {
        random = SeededGenerator(seed: seed)
        schedule = seed % 2 == 0 ? .standard : .strict
        vaults = [1, 17].compactMap { VaultID(Array($0..<$0 + 16)) }
        store = StateStore(disk)
        signer = Signer(chain: .regtest, schedule: schedule, at: .seconds(40))
        for id in vaults {
            disk.place(StateFile.vault(id).path, [0])
            disk.place(StateFile.name(id).path, [0])
            disk.place(StateFile.secretKey(id).path, [9])
            // Somebody has been at it before, so that waits are met soon.
            disk.place(StateFile.attempts(id).path, Self.record(5, schedule.wait(after: 5)))
            attempts[id] = 5
        }
        disk.place(StateFile.ledgerKey.path, [1])
        disk.place(StateFile.ledgerHead.path, [0])
        begin()
    }

    private static func record(_ failures: UInt32, _ wait: UInt32) -> [UInt8] {
        var writer = Writer()
        writer.write(failures)
        writer.write(wait)
        return writer.bytes
    }

    private static func failures(_ bytes: [UInt8]?) -> UInt32? {
        var reader = Reader(bytes ?? [])
        return try? reader.readUInt32()
    }

    private mutating func next() -> UInt64 {
        counter += 1
        return counter
    }

    private mutating func chance(_ percent: Int) -> Bool {
        Int.random(in: 0..<100, using: &random) < percent
    }

    /// A signer starts on what the disk has.
    private mutating func begin() {
        started = now
        store = StateStore(disk)
        do throws(DiskFailure) {
            try store.recover()
        } catch {
            Issue.record("a whole disk does not recover: \(error)")
        }
        signer = Signer(chain: .regtest, schedule: schedule, at: now)
        workers = [:]
        killed = []
        consoles = []
        asked = [:]
        pipes = [:]
        lastAttempt = [:]
        let hello = ControlHello(
            role: .signer, chain: .regtest, hasOneUser: true, networkUID: 7,
            signerDirectory: "", signerSocket: "")
        tell(.control(.hello(hello)))
        tell(.listed(list()))
    }

    private func list() -> Result<StateListing, DiskFailure> {
        Result { () throws(DiskFailure) in
            StateListing(files: try store.files(), deviceKey: .safe, indexKey: .safe)
        }
    }

    mutating func step() {
        now += .milliseconds(Int.random(in: 0...800, using: &random))
        if chance(3) { now += .seconds(Int.random(in: 1...4000, using: &random)) }
        tell(.time)
        switch Int.random(in: 0..<14, using: &random) {
        case 0, 1: connect()
        case 2, 3, 4, 5: ask()
        case 6: if chance(40) { leave() }
        case 7: if chance(30) { cutPower() }
        case 8: breakDisk()
        default: endWorker()
        }
        checkState()
    }

    /// Everything comes to its end: nobody is left waiting.
    mutating func settle() {
        disk.fault = nil
        for _ in 0..<200 where !workers.isEmpty { endWorker(always: true) }
        #expect(workers.isEmpty)
        #expect(asked.isEmpty, "everyone who asked was answered")
        #expect(pipes.isEmpty, "every pipe went to a worker or was closed")
    }

    // MARK: People

    private mutating func connect() {
        guard signer.acceptsConsoles else { return }
        let id = ConsoleID(next())
        consoles.insert(id)
        tell(.connected(id, uid: UInt32(1000 + id.number % 4)))
    }

    private mutating func ask() {
        guard let id = consoles.sorted(by: { $0.number < $1.number }).randomElement(using: &random),
            let vault = vaults.randomElement(using: &random)
        else { return }
        let isBusy = asked[id] != nil
        let requests: [VaultRequest] = [
            .showPhrase(vault), .changePassword(vault, .pbkdf2), .list, .newKit(vault),
        ]
        guard let request = requests.randomElement(using: &random) else { return }
        for what in [ConsoleRequest.secretInput, .output] where request != .list {
            let pipe = PipeID(next())
            pipes[pipe] = id
            tell(.console(id, what, pipe: pipe))
        }
        if !isBusy { asked[id] = (request, chance(8)) }
        let before = answers
        tell(.console(id, .operation(request), pipe: nil))
        if isBusy { #expect(answers > before, "a second operation is refused at once") }
    }

    private mutating func leave() {
        guard let id = consoles.sorted(by: { $0.number < $1.number }).randomElement(using: &random)
        else { return }
        consoles.remove(id)
        asked[id] = nil
        tell(.consoleEnded(id, violation: nil))
    }

    // MARK: The machine

    private mutating func breakDisk() {
        let step = disk.steps + Int.random(in: 0...12, using: &random)
        let faults: [SimulatedDisk.Fault] = [
            .powerCut, .failure(.noSpace), .failure(.failed(path: "x", "EIO")),
        ]
        if let fault = faults.randomElement(using: &random) { disk.fault = (step, fault) }
    }

    /// The power goes; or only the signer, and the time since boot goes on.
    private mutating func cutPower(isReboot: Bool? = nil) {
        powerCuts += 1
        let isReboot = isReboot ?? chance(60)
        disk.restart(isReboot ? .chance : .everything, using: &random)
        if isReboot { now = .seconds(Int.random(in: 5...60, using: &random)) }
        begin()
    }

    private mutating func endWorker(always: Bool = false) {
        let ids = workers.keys.sorted { $0.number < $1.number }
        guard let id = ids.randomElement(using: &random), let job = workers[id] else { return }
        guard always || killed.contains(id) || chance(60) else { return }
        workers[id] = nil
        if killed.contains(id) || chance(15) {
            noteEnd(job)
            return tell(.workerEnded(id, .failed("signal 9 ended it")))
        }
        switch job.task {
        case .record, .check, .merge: tell(.workerEnded(id, .said(.done(.done(remarks: []), []))))
        case .pair: tell(.workerEnded(id, .said(.paired([]))))
        case .count(let request): count(id, job, request)
        case .carryOut(let request): carryOut(id, job, request)
        }
    }

    private mutating func count(_ id: WorkerID, _ job: OperationJob, _ request: VaultRequest) {
        guard let vault = request.vault, let file = job.files[.attempts(vault)],
            let failures = Self.failures(file)
        else {
            Issue.record("no count was loaded")
            return
        }
        let wait = schedule.wait(after: failures)
        let next = Self.record(failures + 1, schedule.wait(after: failures + 1))
        tell(
            .workerEnded(
                id,
                .said(.counted(AttemptCount(failures: failures, wait: wait, next: next)))))
    }

    private mutating func carryOut(_ id: WorkerID, _ job: OperationJob, _ request: VaultRequest) {
        guard let vault = request.vault else {
            return tell(.workerEnded(id, .said(.done(.vaults([]), []))))
        }
        noteEnd(job)
        guard isRight[id] == true else {
            wrongPasswords += 1
            let refusal = VaultRefusal.wrongPassword(failures: 1, wait: 0)
            return tell(
                .workerEnded(
                    id, .said(.refused(refusal, [.put(.ledgerHead, [UInt8(next() & 127)])]))))
        }
        attempts[vault] = 0
        var changes: [StateChange] = [.put(.attempts(vault), Self.record(0, 0))]
        if case .changePassword = request {
            changes += [.put(.vault(vault), [UInt8(next() & 127)])]
        }
        tell(.workerEnded(id, .said(.done(.done(remarks: []), changes))))
    }

    private mutating func noteEnd(_ job: OperationJob) {
        guard case .carryOut(let request) = job.task, let vault = request.vault else { return }
        lastAttempt[vault] = now
    }

    // MARK: What must hold

    private func checkState() {
        for vault in vaults {
            let kept = Self.failures(disk.flushedBytes(of: StateFile.attempts(vault).path))
            let isKept = kept.map { $0 >= attempts[vault] ?? 0 } ?? false
            #expect(isKept, "the count went down")
        }
    }

    private mutating func tell(_ event: SignerEvent) {
        var events = [event]
        while !events.isEmpty {
            let event = events.removeFirst()
            for action in signer.handle(event, at: now) { events += perform(action) }
        }
        if disk.isWithoutPower { cutPower(isReboot: true) }
    }

    private mutating func perform(_ action: SignerAction) -> [SignerEvent] {
        switch action {
        case .list: return [.listed(list())]
        case .load(let files):
            return [.loaded(load(files))]
        case .commit(let changes): return [.committed(commit(changes))]
        case .begin(let id, let job): begin(id, job)
        case .kill(let id):
            #expect(workers[id] != nil)
            #expect(killed.insert(id).inserted, "a worker is killed once")
        case .drop(let pipe): #expect(pipes.removeValue(forKey: pipe) != nil)
        case .reply(let id, .operationAnswer(let answer)): answered(id, answer)
        case .close(let id):
            consoles.remove(id)
            #expect(asked[id] == nil)
        case .start, .finish: Issue.record("nobody asked for \(action)")
        case .reply, .selfReport, .probe, .tell, .adoptLink, .report, .tidy: break
        }
        return []
    }

    private func load(_ files: [StateFile]) -> LoadedFiles {
        var loaded = LoadedFiles()
        for file in files {
            do throws(DiskFailure) {
                loaded.files[file] = try store.read(file)
            } catch {
                loaded.unreadable[file] = error.reason
            }
        }
        return loaded
    }

    private func commit(_ changes: [StateChange]) -> CommitResult {
        do throws(Transaction.Failure) {
            try store.commit(changes)
            return .done
        } catch {
            if case .unsettled = error { return .unsettled("x") }
            return .unchanged("x")
        }
    }

    private mutating func answered(
        _ id: ConsoleID, _ answer: Result<VaultAnswer, VaultRefusal>
    ) {
        #expect(consoles.contains(id), "only who is there is answered")
        answers += 1
        if case .failure(.mustWait(let seconds)) = answer {
            waits += 1
            #expect(seconds > 0)
        }
        if answer != .failure(.busy) { asked[id] = nil }
    }

    private mutating func begin(_ id: WorkerID, _ job: OperationJob) {
        #expect(workers.isEmpty, "one operation runs at a time")
        workers[id] = job
        for (_, pipe) in job.pipes {
            let owner = pipes.removeValue(forKey: pipe)
            #expect(owner != nil, "a pipe goes to one worker")
            if let owner { isRight[id] = asked[owner]?.isRight ?? false }
        }
        switch job.task {
        case .record, .check, .merge, .pair: break
        case .count: #expect(job.pipes.isEmpty, "no password is near the count")
        case .carryOut(let request):
            guard request.takesPassword, let vault = request.vault else { return }
            let before = attempts[vault] ?? 0
            attempts[vault] = before + 1
            let kept = Self.failures(disk.flushedBytes(of: StateFile.attempts(vault).path)) ?? 0
            #expect(kept >= before + 1, "the attempt is kept before it is made")
            let wait = Duration.seconds(Int64(schedule.wait(after: kept - 1)))
            let since = max(started, lastAttempt[vault] ?? started)
            #expect(now >= since + wait, "the wait was shortened")
            lastAttempt[vault] = now
        }
    }
}
