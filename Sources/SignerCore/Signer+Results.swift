import Messages
import StateFiles

/// Operations on the state: what their workers say, and what is kept of it.
extension Signer {
    mutating func operationWorkerEnded(_ result: WorkerResult, _ now: Duration) {
        guard let running = operations.running else { return }
        operations.running?.worker = nil
        operations.running?.deadline = nil
        if running.isCounted, let vault = running.request?.vault { attempts.note(vault, at: now) }
        switch (running.phase, result) {
        case (.checking, .said(.done(_, let changes))) where changes.isEmpty:
            if let request = running.request { beginCount(request, now) }
        case (.checking, .said(.refused(let refusal, _))):
            counts.done += 1
            end(.failure(refusal), now)
        case (.counting, .said(.counted(let count))): counted(count, now)
        case (.counting, .said(.refused(let refusal, _))):
            counts.done += 1
            end(.failure(refusal), now)
        case (.working, .said(.signed(let signatures, let changes))) where running.entry != nil:
            operations.running?.signatures = signatures
            keep(changes, .success(.done(remarks: [])), running, now)
        case (.merging, .said(.done(.signed(let answer), let changes)))
        where changes.isEmpty && !running.isForLink:
            counts.done += 1
            signed(answer, running, now)
        case (.merging, .gave(let file, .done(.signed(let answer), let changes)))
        where changes.isEmpty && running.isForLink && !file.isEmpty:
            counts.done += 1
            if case .link(let id) = running.entry?.origin { settle(id, signed: file, now) }
            signed(answer, running, now)
        case (.merging, .said(.refused(let refusal, _))),
            (.merging, .gave(_, .refused(let refusal, _))):
            counts.done += 1
            end(.failure(refusal), now)
        case (.working, .said(.done(let answer, let changes))) where running.entry == nil:
            if running.isRecord, case .done(let found) = answer { noteLedger(found, now) }
            keep(changes, .success(answer), running, now)
        case (.working, .said(.refused(let refusal, let changes))):
            if running.isRecord { noteLedger([refusal.sentence], now) }
            keep(mayTell(refusal, now) ? changes : [], .failure(refusal), running, now)
        case (.working, .said(.paired(let rows))) where running.operation.work == .pair:
            counts.done += 1
            paired(rows)
            end(.success(.done(remarks: [])), now)
        case (_, .failed(let reason)): workerFailed(reason, running, now)
        case (_, .said), (_, .gave), (_, .reviewed):
            workerFailed("it said what it was not asked for", running, now)
        }
    }

    /// One approval signs once: what is signed waits no longer.
    private mutating func signed(
        _ answer: SigningAnswer, _ running: OperationQueue.Running, _ now: Duration
    ) {
        var answer = answer
        if let entry = running.entry {
            answer.entry = entry.id
            pending.remove(entry, as: .signed, at: now)
        }
        end(.success(.signed(answer)), now)
    }

    private mutating func workerFailed(
        _ reason: String, _ running: OperationQueue.Running, _ now: Duration
    ) {
        counts.failed += 1
        let why = running.isKilled && !running.isAbandoned ? "it took too long" : reason
        say(.failure, "a worker of an operation failed: \(why)", now)
        if running.isCounted, running.phase != .merging, let request = running.request {
            enter(.attemptEnded(request, reason: why))
        }
        end(.failure(.workerFailed(why)), now)
    }

    // MARK: Attempts

    /// The wait is over, or nothing is written. The attempt is counted before the password is read.
    private mutating func counted(_ count: AttemptCount, _ now: Duration) {
        guard let running = operations.running, let vault = running.request?.vault else { return }
        guard !running.isAbandoned else { return end(.failure(.busy), now) }
        if let seconds = attempts.wait(for: vault, count, at: now) {
            counts.refused += 1
            return end(.failure(.mustWait(seconds)), now)
        }
        operations.running?.files[.attempts(vault)] = count.next
        operations.running?.phase = .committingCount
        actions.append(.commit([.put(.attempts(vault), count.next)]))
    }

    // MARK: Changes

    private mutating func keep(
        _ changes: [StateChange], _ answer: Result<VaultAnswer, VaultRefusal>,
        _ running: OperationQueue.Running, _ now: Duration
    ) {
        guard changes.allSatisfy({ running.allows($0, with: answer) }) else {
            return workerFailed("it asked for a change that is not its own", running, now)
        }
        counts.done += 1
        guard !changes.isEmpty else { return end(answer, now) }
        operations.running?.phase = .committing(answer)
        operations.running?.changes = changes
        noteWallets(in: changes)
        if running.isCounted, changes.count > 1 {
            operations.running?.reset = changes.first { running.request?.resets($0) == true }
        }
        actions.append(.commit(changes))
    }

    mutating func committed(_ result: CommitResult, _ now: Duration) {
        guard let running = operations.running else { return }
        switch running.phase {
        case .committingCount:
            // Counted or not, nothing is tried unless it is certain.
            if let failure = result.refusal { return end(.failure(failure), now) }
            operations.running?.isCounted = true
            if let vault = running.request?.vault { attempts.note(vault, at: now) }
            beginWork(now)
        case .committing(let answer): committed(answer, result, now)
        case .resetting(let answer): end(answer, now)
        case .listing, .loading, .checking, .counting, .working, .merging: break
        }
    }

    private mutating func committed(
        _ answer: Result<VaultAnswer, VaultRefusal>, _ result: CommitResult, _ now: Duration
    ) {
        guard let failure = result.refusal else {
            noteWitness(in: operations.running?.changes ?? [])
            notePairing(in: operations.running?.changes ?? [])
            if case .success = answer { noteEntries(after: operations.running?.request, now) }
            if let signatures = operations.running?.signatures {
                operations.running?.isEntered = true
                return beginMerge(signatures, now)
            }
            return end(answer, now)
        }
        var end = Result<VaultAnswer, VaultRefusal>.failure(failure)
        if case .failure = answer {
            say(.failure, "the ledger lacks an entry: \(failure.sentence)", now)
            end = answer
        }
        // The password was right, whatever the disk took of the rest: it must not count as a failure.
        if case .unchanged = result, let reset = operations.running?.reset {
            operations.running?.phase = .resetting(end)
            return actions.append(.commit([reset]))
        }
        self.end(end, now)
    }

    /// Whether the entry of a refusal is kept: what anyone can try as often as wished without a
    /// password must not fill the ledger, so most of it is told by number.
    private mutating func mayTell(_ refusal: VaultRefusal, _ now: Duration) -> Bool {
        guard let code = refusal.ledgerCode else { return true }
        let seconds = now.wholeSeconds
        return consoleRefusals.mayTell(code, now: seconds, time: seconds)
    }

    // MARK: The end

    /// Answers, if somebody waits, and makes room for the next operation.
    mutating func end(_ answer: Result<VaultAnswer, VaultRefusal>, _ now: Duration) {
        guard let running = operations.running else { return }
        operations.running = nil
        if let entry = running.entry { pending.setBeingSigned(entry.id, false) }
        drop(running.operation.pipes)
        actions.append(.tidy)
        ownWorkEnded(running, answer, now)
        if case .failure(let refusal) = answer { noteUndelivered(running, refusal, now) }
        guard let id = running.operation.console, consoles[id] != nil else { return }
        consoles[id]?.active = now
        actions.append(.reply(id, .operationAnswer(answer)))
    }

    /// The ledger says that it was signed before anybody can have the signatures. If nobody gets them
    /// after all, it says that too.
    private mutating func noteUndelivered(
        _ running: OperationQueue.Running, _ refusal: VaultRefusal, _ now: Duration
    ) {
        guard running.isEntered, let request = running.request,
            case .approve(_, let approval, _) = request
        else { return }
        let event = RecordedEvent.undelivered(
            uid: running.operation.uid, wallet: approval.wallet, file: approval.file,
            reason: refusal.sentence)
        if !enter(event) {
            say(.failure, "the ledger lacks an entry: nobody got what was signed", now)
        }
    }

    mutating func moved(_ worker: WorkerID, _ done: UInt64, _ total: UInt64, _ now: Duration) {
        guard let running = operations.running, running.worker == worker,
            let id = running.operation.console, consoles[id] != nil
        else { return }
        if let last = running.lastProgress, now - last < limits.progressInterval { return }
        operations.running?.lastProgress = now
        actions.append(.reply(id, .progress(done: done, total: total)))
    }

    // MARK: The signer's own entries

    /// When refusals are to be entered.
    var recordDue: Duration? {
        [linkRefusals.nextDue, consoleRefusals.nextDue].compactMap { $0 }.min()
            .map { .seconds(Int64(clamping: $0)) }
    }

    mutating func passRecordTime(_ now: Duration) {
        let seconds = now.wholeSeconds
        for report in linkRefusals.takeReports(now: seconds) {
            enter(.report(report, of: .link, at: seconds))
        }
        for report in consoleRefusals.takeReports(now: seconds) {
            enter(.report(report, of: .console, at: seconds))
        }
    }

    /// Puts an event into the ledger, if there is one; what cannot be entered is in the log.
    ///
    /// - Returns: Whether it is entered, or there is no ledger to enter it into.
    @discardableResult
    mutating func enter(_ event: RecordedEvent) -> Bool {
        guard hasLedger else { return true }
        return operations.take(.init(console: nil, uid: 0, work: .record([event])))
    }

    /// What an entry of the signer's own came upon.
    mutating func noteLedger(_ problems: [String], _ now: Duration) {
        for problem in problems where !ledgerProblems.contains(problem) {
            say(.failure, problem, now)
            ledgerProblems.append(problem)
        }
    }

    /// The first time that the state is seen is the start.
    mutating func noteStart(_ state: StateListing) {
        let isStart = !hasSeenState
        hasSeenState = true
        hasLedger = state.files.contains(.ledgerHead) && state.deviceKey == .safe
        guard isStart else { return }
        beganWithoutLedger = !state.files.contains(where: \.isLedger)
        enter(.started(version: "\(Catalogue.digest)".prefix(16).description))
    }
}

extension OperationQueue.Running {
    /// Whether a change may be kept beside this answer: beside a refusal the ledger's alone, and the
    /// count of a right password that begins anew.
    func allows(_ change: StateChange, with answer: Result<VaultAnswer, VaultRefusal>) -> Bool {
        guard let request else { return change.isRecord }
        guard case .success = answer else { return change.isRecord || request.resets(change) }
        return request.allows(change, in: state)
    }
}

extension RecordedEvent {
    fileprivate static func report(
        _ report: RefusalTally.Report, of origin: RefusalOrigin, at now: UInt64
    ) -> RecordedEvent {
        .refusals(
            origin, code: report.code, count: report.count,
            firstAgo: now - min(now, report.first), lastAgo: now - min(now, report.last))
    }
}

extension CommitResult {
    /// What a person is told who waited for the changes; nil if they hold.
    var refusal: VaultRefusal? {
        switch self {
        case .done: nil
        case .unchanged(let why): .diskFailed(why)
        case .unsettled(let why): .diskUncertain(why)
        }
    }
}

extension Duration {
    /// Seconds since boot, the last one begun left out.
    var wholeSeconds: UInt64 { UInt64(clamping: components.seconds) }
}
