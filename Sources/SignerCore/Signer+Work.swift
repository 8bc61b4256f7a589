import Messages

extension Signer {
    mutating func passTime(_ now: Duration) {
        acceptGate.passTime(now)
        closeIdleConsoles(now)
        for worker in [linkQueue.late(at: now), consoleQueue.late(at: now)].compactMap({ $0 }) {
            actions.append(.kill(worker))
        }
        if let worker = operations.late(at: now) { actions.append(.kill(worker)) }
        passRecordTime(now)
    }

    mutating func startWork(_ now: Duration) {
        if let job = linkQueue.startNext(as: WorkerID(nextWorker), at: now) { start(job) }
        if let job = consoleQueue.startNext(as: WorkerID(nextWorker), at: now) { start(job) }
        startOwnWork(now)
        if operations.startNext() { actions.append(.list) }
    }

    private mutating func start(_ job: Job) {
        actions.append(.start(WorkerID(nextWorker), job))
        nextWorker += 1
    }

    mutating func workerEnded(_ worker: WorkerID, _ result: WorkerResult, _ now: Duration) {
        if operations.running?.worker == worker { return operationWorkerEnded(result, now) }
        guard let job = linkQueue.finish(worker) ?? consoleQueue.finish(worker) else { return }
        // Nobody waits for it any more, and it was killed for that.
        if case .console(let id) = job.origin, consoles[id] == nil { return }
        let answer: WorkAnswer
        switch result {
        case .answered(let given) where given.outcome.isFromWorker:
            counts.done += 1
            answer = given
        case .answered(let given):
            counts.failed += 1
            say(.failure, "a worker answered \(given.outcome), which only the broker may", now)
            answer = WorkAnswer(.failed)
        case .said:
            counts.failed += 1
            say(.failure, "a worker spoke of an operation that it does not belong to", now)
            answer = WorkAnswer(.failed)
        case .failed(let reason):
            counts.failed += 1
            say(.failure, "a worker failed: \(reason)", now)
            answer = WorkAnswer(.failed)
        }
        deliver(answer, to: job.origin, now)
    }

    private mutating func deliver(_ answer: WorkAnswer, to origin: Job.Origin, _ now: Duration) {
        switch origin {
        case .link(let id):
            keep(answer, for: id)
            if link.isUp { actions.append(.tell(.workAnswer(id, answer))) }
        case .console(let id):
            consoles[id]?.active = now
            actions.append(.reply(id, .workAnswer(answer)))
        }
    }
}

extension WorkOutcome {
    /// Whether it is a worker's to say.
    fileprivate var isFromWorker: Bool { self == .done || self == .noPassword }
}
