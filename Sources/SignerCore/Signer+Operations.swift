import Messages
import StateFiles

/// Operations on the state: what a console asks for, up to the first worker.
extension Signer {
    mutating func handOver(_ what: Handover, _ pipe: PipeID?, _ id: ConsoleID) {
        guard let pipe else { return }
        if let older = consoles[id]?.handed.updateValue(pipe, forKey: what) {
            actions.append(.drop(older))
        }
    }

    mutating func operate(_ id: ConsoleID, _ request: VaultRequest) {
        guard let console = consoles[id] else { return }
        consoles[id]?.handed = [:]
        var operation = OperationQueue.Operation(
            console: id, uid: console.uid, work: .request(request))
        let wanted = handovers(of: request, at: id)
        let taken = wanted.union(request.optionalHandovers)
        operation.pipes = console.handed.filter { taken.contains($0.key) }
        drop(console.handed.filter { !taken.contains($0.key) })
        let missing = Handover.allCases.first {
            wanted.contains($0) && operation.pipes[$0] == nil
        }
        // One operation a console: its answer carries no name.
        if let missing {
            refuse(operation, .notHandedOver(missing))
        } else if operations.holds(id) || !operations.take(operation) {
            counts.refused += 1
            refuse(operation, .busy)
        }
    }

    /// What must be handed over. What a console submitted goes back by its output and no other way.
    private func handovers(of request: VaultRequest, at id: ConsoleID) -> Set<Handover> {
        guard case .approve(let number, _, _) = request,
            let entry = pending.entry(number, for: id), !entry.origin.isLink
        else { return request.handovers }
        return request.handovers.union([.output])
    }

    private mutating func refuse(
        _ operation: OperationQueue.Operation, _ refusal: VaultRefusal
    ) {
        drop(operation.pipes)
        if let id = operation.console {
            actions.append(.reply(id, .operationAnswer(.failure(refusal))))
        }
    }

    mutating func drop(_ pipes: [Handover: PipeID]) {
        for (_, pipe) in pipes.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
            actions.append(.drop(pipe))
        }
    }

    /// A console is gone. What has not begun is forgotten; a worker that runs is killed, and an
    /// attempt that was counted stays counted.
    mutating func abandonOperations(of id: ConsoleID) {
        if let operation = operations.withdraw(id) { drop(operation.pipes) }
        guard operations.running?.operation.console == id else { return }
        operations.running?.isAbandoned = true
        // The ledger says that it was signed: whoever asked over the link gets it.
        if operations.running?.phase == .merging, operations.running?.isForLink == true { return }
        if let worker = operations.markKilled() { actions.append(.kill(worker)) }
    }

    // MARK: Before the first worker

    mutating func listed(_ result: Result<StateListing, DiskFailure>, _ now: Duration) {
        if case .success(let state) = result {
            noteStart(state)
            problems = state.problems
        } else if case .failure(let failure) = result {
            problems = [VaultRefusal.diskUnread("\(failure)").sentence]
        }
        guard var running = operations.running, running.phase == .listing else { return }
        let state: StateListing
        switch result {
        case .success(let found): state = found
        case .failure(let failure): return end(.failure(.diskUnread("\(failure)")), now)
        }
        running.state = state
        if case .approve(let number, _, _) = running.request {
            guard let console = running.operation.console,
                let entry = pending.entry(number, for: console), entry.summary != nil
            else {
                let decided = pending.decision(on: number, at: now)
                return end(.failure(decided.map { .decided($0) } ?? .noSuchEntry(number)), now)
            }
            running.entry = entry
            pending.setBeingSigned(number, true)
            operations.running = running
        }
        running.plan =
            switch running.operation.work {
            case .request(let request): OperationPlan(request, in: state)
            case .record(let events): OperationPlan(recording: events, in: state)
            case .pair: OperationPlan(pairing: state)
            }
        if let refusal = running.obstacle { return end(.failure(refusal), now) }
        running.phase = .loading
        operations.running = running
        actions.append(.load(running.plan.loaded.filter { state.files.contains($0) }))
    }

    mutating func loaded(_ loaded: LoadedFiles, _ now: Duration) {
        guard operations.running?.phase == .loading else { return }
        operations.running?.files = loaded.files
        operations.running?.unreadable = loaded.unreadable
        guard let request = operations.running?.request, request.takesPassword else {
            return beginWork(now)
        }
        guard mustCheck(request) else { return beginCount(request, now) }
        operations.running?.phase = .checking
        begin(.check(request), pipes: [:], now)
    }

    /// Whether a review is made before the attempt counts, for what it refuses is no attempt at the
    /// password. Where the last review of the same wallets found what is approved, it would find the same:
    /// the signing worker makes it anyway.
    private func mustCheck(_ request: VaultRequest) -> Bool {
        guard case .approve(_, let approval, _) = request,
            let entry = operations.running?.entry
        else { return false }
        return !entry.agrees(with: approval, at: pairing.changes)
    }

    mutating func beginCount(_ request: VaultRequest, _ now: Duration) {
        guard operations.running?.isAbandoned == false else { return end(.failure(.busy), now) }
        operations.running?.phase = .counting
        begin(.count(request), pipes: [:], now)
    }

    /// Forks the worker that puts the signatures in. They are in no file yet, and the ledger knows of
    /// them.
    mutating func beginMerge(_ signatures: [UInt8], _ now: Duration) {
        guard let running = operations.running, let request = running.request,
            !running.isAbandoned || running.isForLink
        else { return end(.failure(.busy), now) }
        let pipes = running.operation.pipes
        operations.running?.operation.pipes = [:]
        operations.running?.phase = .merging
        begin(
            .merge(request, signatures: signatures, isForLink: running.isForLink), pipes: pipes,
            now)
    }

    /// Forks the worker that does what was asked; the pipes go to it.
    mutating func beginWork(_ now: Duration) {
        guard let running = operations.running else { return }
        guard !running.isAbandoned else { return end(.failure(.busy), now) }
        // The output of an approval is for what the signatures were put into.
        let kept = running.operation.pipes.filter { running.entry != nil && $0.key == .output }
        let pipes = running.operation.pipes.filter { kept[$0.key] == nil }
        operations.running?.operation.pipes = kept
        operations.running?.phase = .working
        switch running.operation.work {
        case .request(let request): begin(.carryOut(request), pipes: pipes, now)
        case .record(let events): begin(.record(events), pipes: pipes, now)
        case .pair: begin(.pair, pipes: pipes, now)
        }
    }

    private mutating func begin(
        _ task: OperationJob.Task, pipes: [Handover: PipeID], _ now: Duration
    ) {
        guard let running = operations.running else { return }
        let vault = running.request?.vault
        let (time, keys) = needs(of: task, running)
        let worker = WorkerID(nextWorker)
        nextWorker += 1
        operations.running?.worker = worker
        operations.running?.deadline = now + time
        actions.append(
            .begin(
                worker,
                OperationJob(
                    task: task, uid: running.operation.uid, plan: running.plan,
                    files: running.files, unreadable: running.unreadable,
                    present: running.state.files.filter {
                        $0.vault == nil || vault == nil || $0.vault == vault
                    },
                    witness: witness.kept,
                    deviceKey: keys.device, indexKey: keys.index, pipes: pipes,
                    psbt: running.entry?.file ?? [], isForLink: running.isForLink, time: time)))
    }

    /// How long a part of an operation may take, and which keys it gets.
    private func needs(
        of task: OperationJob.Task, _ running: OperationQueue.Running
    ) -> (time: Duration, keys: (device: OperationJob.Key, index: OperationJob.Key)) {
        let time = running.plan.isLong ? limits.transferTime : limits.operationTime
        switch task {
        case .count:
            return (
                time,
                (running.key(.deviceKey, mayMake: false), running.key(.indexKey, mayMake: false))
            )
        case .check: return (limits.reviewTime, (.absent, running.key(.indexKey, mayMake: false)))
        case .merge: return (limits.mergeTime, (.absent, .absent))
        case .carryOut, .record, .pair:
            return (
                time,
                (running.key(.deviceKey, mayMake: true), running.key(.indexKey, mayMake: true))
            )
        }
    }
}

extension OperationQueue.Running {
    /// Whether what is signed goes back to the network process.
    var isForLink: Bool { entry?.origin.isLink == true }

    /// Why nothing can be done in this state; found before any worker runs.
    var obstacle: VaultRefusal? {
        if let request, let id = request.vault, plan.required.contains(.vault(id)),
            !state.files.contains(.vault(id))
        {
            return .noSuchVault(id)
        }
        for key in [StateFile.deviceKey, .indexKey] {
            switch (use(of: key), state.finding(of: key)) {
            case (.none, _), (.optional, _), (_, .safe), (.renewed, .missing): break
            case (_, .unsafe(let why)): return .unsafeKey(key, why)
            case (.first, .missing) where state.isEmpty: break
            case (_, .missing): return .missing(key)
            }
        }
        guard let missing = plan.required.first(where: { !state.files.contains($0) }) else {
            return nil
        }
        if case .item(_, let item) = missing { return .noSuchItem(item) }
        return .missing(missing)
    }

    private func use(of key: StateFile) -> OperationPlan.KeyUse {
        key == .deviceKey ? plan.deviceKey : plan.indexKey
    }

    /// What a worker gets of a key file.
    func key(_ file: StateFile, mayMake: Bool) -> OperationJob.Key {
        switch (use(of: file), state.finding(of: file)) {
        case (.none, _): .absent
        case (_, .safe): .present
        case (.first, .missing), (.renewed, .missing): mayMake ? .new : .absent
        case (_, .missing), (_, .unsafe): .absent
        }
    }
}
