import Messages

/// Reviews: who gets a worker, and what becomes of what it found.
extension Signer {
    mutating func passTime(_ now: Duration) {
        acceptGate.passTime(now)
        closeIdleConsoles(now)
        for worker in [linkQueue.late(at: now), consoleQueue.late(at: now)].compactMap({ $0 }) {
            actions.append(.kill(worker))
        }
        if let worker = operations.late(at: now) { actions.append(.kill(worker)) }
        expireEntries(now)
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
        guard let ended = linkQueue.finish(worker) ?? consoleQueue.finish(worker) else { return }
        // Nobody waits for it any more, and it was killed for that.
        if let id = ended.job.asker, consoles[id] == nil { return }
        reviewed(ended.job, found(result, ended, now), now)
    }

    private mutating func found(
        _ result: WorkerResult, _ ended: WorkQueue.Running, _ now: Duration
    ) -> Result<ReviewSummary, EntryRefusal> {
        let reason: String
        switch result {
        case .reviewed(.success(let summary)):
            counts.done += 1
            return .success(summary)
        case .reviewed(.failure(let refusal)) where refusal.isFromWorker:
            counts.done += 1
            return .failure(refusal)
        case .reviewed(.failure): reason = "it gave an answer that only the broker may give"
        case .said, .gave: reason = "it spoke of an operation that it does not belong to"
        case .failed(let why): reason = ended.isKilled ? "it took too long" : why
        }
        counts.failed += 1
        say(.failure, "a review failed: \(reason)", now)
        return .failure(.reviewFailed(reason))
    }

    private mutating func reviewed(
        _ job: Job, _ result: Result<ReviewSummary, EntryRefusal>, _ now: Duration
    ) {
        if let id = job.asker { consoles[id]?.active = now }
        guard job.form == nil else { return shown(job, result) }
        guard let entry = pending.entries[job.entry] else { return }
        switch (entry.origin, result) {
        case (.link(let id), .success(let summary)): reviewed(entry, of: id, summary, job, now)
        case (.link(let id), .failure(let refusal)):
            pending.remove(entry.id)
            refuse(id, refusal.asRequest, refusal.sentence, now)
        case (.console(let id, _), .success(let summary)):
            if let twin = pending.twin(of: entry.id, summary) {
                pending.remove(entry.id)
                return actions.append(.reply(id, .entry(.failure(.alreadyWaiting(twin)))))
            }
            pending.note(summary, for: entry.id, at: job.walletChanges)
            let found = ReviewedEntry(id: entry.id, summary: pending.standing(summary))
            actions.append(.reply(id, .entry(.success(found))))
        case (.console(let id, _), .failure(let refusal)):
            pending.remove(entry.id)
            actions.append(.reply(id, .entry(.failure(refusal))))
        }
    }

    private mutating func reviewed(
        _ entry: PendingQueue.Entry, of id: RequestID, _ summary: ReviewSummary, _ job: Job,
        _ now: Duration
    ) {
        // A wallet may have gone while the review ran that found it.
        guard summary.signers.isEmpty || !pending.standing(summary).signers.isEmpty else {
            return drop(walletless: entry, now)
        }
        if let twin = pending.twin(of: entry.id, summary) {
            pending.remove(entry.id)
            return refuse(
                id, .alreadyWaiting, EntryRefusal.alreadyWaiting(twin).sentence, now)
        }
        // Nobody could approve it, so it takes no place among those that somebody can.
        guard summary.verdict != .stopped else {
            pending.remove(entry.id)
            let codes = summary.stops.joined(separator: ", ")
            return refuse(
                id, .stopped,
                "The review stops it: \(codes). Nothing can be signed; see docs/review.md.", now)
        }
        pending.note(summary, for: entry.id, at: job.walletChanges)
        tell(.answer(id, .pending))
    }

    /// A report that a console wanted to read was made again. If the wallets have changed since, what
    /// it says now is what can be approved.
    private mutating func shown(_ job: Job, _ result: Result<ReviewSummary, EntryRefusal>) {
        guard let id = job.asker else { return }
        if case .success(let summary) = result {
            pending.note(summary, for: job.entry, at: job.walletChanges)
        }
        let reply = result.map { ReviewedEntry(id: job.entry, summary: pending.standing($0)) }
        actions.append(.reply(id, .entry(reply)))
    }
}

extension EntryRefusal {
    /// Whether it is a worker's to say.
    fileprivate var isFromWorker: Bool {
        switch self {
        case .unreadable, .outputFailed, .reviewFailed, .notComplete: true
        default: false
        }
    }

    /// As the network process is told it.
    fileprivate var asRequest: RequestRefusal {
        if case .unreadable = self { .unreadable } else { .failed }
    }
}
