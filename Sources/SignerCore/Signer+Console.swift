import Messages

extension Signer {
    /// The listener stays readable while nobody can be let in, so it must not be asked on every turn.
    mutating func acceptFailed(_ reason: String, _ now: Duration) {
        guard acceptGate.fail(until: now + limits.acceptPause) else { return }
        say(.warning, "a connection could not be accepted: \(reason)", now)
    }

    mutating func connected(_ id: ConsoleID, _ uid: UInt32, _ now: Duration) {
        acceptGate.succeed()
        guard let orders, consoles.count < limits.consoles else {
            actions.append(.close(id))
            return
        }
        // Under one uid this wall is not there; the others keep the network process from the socket.
        guard orders.hasOneUser || uid != orders.networkUID else {
            actions.append(.close(id))
            say(.failure, "the network process's user (uid \(uid)) tried to reach signer.sock", now)
            return
        }
        guard consoles.values.count(where: { $0.uid == uid }) < limits.consolesOfOneUser else {
            actions.append(.close(id))
            say(.warning, "uid \(uid) has too many consoles open", now)
            return
        }
        consoles[id] = Console(
            uid: uid,
            throttle: Throttle(perSecond: limits.framesPerSecond, atOnce: limits.framesAtOnce),
            active: now)
    }

    mutating func console(
        _ id: ConsoleID, _ request: ConsoleRequest, _ pipe: PipeID?, _ now: Duration
    ) {
        guard consoles[id] != nil else {
            if let pipe { actions.append(.drop(pipe)) }
            return
        }
        consoles[id]?.throttle.spend(1, at: now)
        consoles[id]?.active = now
        switch request {
        case .hello: actions.append(.reply(id, .welcome(chain)))
        case .ping(let nonce): actions.append(.reply(id, .pong(nonce: nonce)))
        case .status: actions.append(.reply(id, .status(status(at: now))))
        case .selfReport: actions.append(.selfReport(id))
        case .probe: actions.append(.probe(id))
        case .secretInput: handOver(.secrets, pipe, id)
        case .output: handOver(.output, pipe, id)
        case .input: handOver(.input, pipe, id)
        case .operation(let request): operate(id, request)
        case .submit(let file):
            consoles[id]?.throttle.spend(file.count >> 16, at: now)
            submit(id, file, now)
        case .pending: listPending(id, now)
        case .review(let entry, let form): show(id, entry, form, now)
        case .reject(let entry, let reason): reject(id, entry, reason, now)
        case .withdraw(let entry): withdraw(id, entry, now)
        }
    }

    private func isWorking(for id: ConsoleID) -> Bool {
        consoleQueue.holds(id) || operations.holds(id)
    }

    /// When the next console has said nothing for too long.
    var idleDeadline: Duration? {
        consoles.filter { !isWorking(for: $0.key) }
            .map { $0.value.active + limits.consoleIdleTime }.min()
    }

    /// Gives the places of consoles that say nothing to others.
    mutating func closeIdleConsoles(_ now: Duration) {
        guard let deadline = idleDeadline, now >= deadline else { return }
        for (id, console) in consoles where now >= console.active + limits.consoleIdleTime {
            guard !isWorking(for: id) else { continue }
            consoles[id] = nil
            drop(console.handed)
            pending.removeAll(of: id)
            actions.append(.close(id))
            say(.information, "a console of uid \(console.uid) was closed: it said nothing", now)
        }
    }

    mutating func consoleEnded(_ id: ConsoleID, _ violation: String?, _ now: Duration) {
        guard let console = consoles.removeValue(forKey: id) else { return }
        if let violation {
            say(.warning, "a console of uid \(console.uid) was closed: \(violation)", now)
        }
        if let job = consoleQueue.withdraw(id), let pipe = job.output {
            actions.append(.drop(pipe))
        }
        if let worker = consoleQueue.abandon(id) { actions.append(.kill(worker)) }
        pending.removeAll(of: id)
        drop(console.handed)
        abandonOperations(of: id)
    }
}
