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
        let wanted = request.handovers
        operation.pipes = console.handed.filter { wanted.contains($0.key) }
        drop(console.handed.filter { !wanted.contains($0.key) })
        let missing = Handover.allCases.first {
            wanted.contains($0) && operation.pipes[$0] == nil
        }
        // One operation a console: its answer carries no name.
        if let missing {
            refuse(operation, .notHandedOver(missing))
        } else if case .approve(let entry, _, _) = request {
            refuse(operation, .noSuchEntry(entry))
        } else if operations.holds(id) || !operations.take(operation) {
            counts.refused += 1
            refuse(operation, .busy)
        }
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
        operations.running?.phase = .counting
        begin(.count(request), pipes: [:], now)
    }

    /// Forks the worker that does what was asked; the pipes go to it.
    mutating func beginWork(_ now: Duration) {
        guard let running = operations.running else { return }
        guard !running.isAbandoned else { return end(.failure(.busy), now) }
        let pipes = running.operation.pipes
        operations.running?.operation.pipes = [:]
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
        let time = running.plan.isLong ? limits.transferTime : limits.operationTime
        let vault = running.request?.vault
        var isCount = false
        if case .count = task { isCount = true }
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
                    deviceKey: running.key(.deviceKey, mayMake: !isCount),
                    indexKey: running.key(.indexKey, mayMake: !isCount),
                    pipes: pipes, time: time)))
    }
}

extension OperationQueue.Running {
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
