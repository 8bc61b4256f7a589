import Messages

/// Requests to the signer that have no final answer yet.
struct Requests: Sendable {
    struct Waiting: Sendable {
        let payload: [UInt8]
        let asker: QueryID
    }

    var waiting: [RequestID: Waiting] = [:]
    var bytes = 0
    var sent: UInt64 = 0
    var answered: UInt64 = 0

    mutating func finish(_ id: RequestID) -> Waiting? {
        guard let done = waiting.removeValue(forKey: id) else { return nil }
        bytes -= done.payload.count
        answered += 1
        return done
    }
}

extension NetworkProcess {
    mutating func openLink(generation: UInt64) {
        link = Link(isOpen: true, generation: generation, roundTrip: link.roundTrip)
        actions.append(.tell(.hello))
    }

    mutating func link(_ reply: LinkReply, _ now: Duration) {
        guard link.isOpen else { return }
        switch reply {
        case .welcome: becomeUp(now)
        case .pong(let nonce): pong(nonce, now)
        case .answer(let id, let state): answered(id, state)
        case .signed: break
        case .witness(let head): keep(head, now)
        case .accounts(let rows):
            accounts = rows
            say(.information, "the signer told which accounts to watch: \(rows.count) wallets", now)
        }
    }

    private mutating func becomeUp(_ now: Duration) {
        link.isUp = true
        ping(now)
        actions.append(.tell(.witnessed(witness)))
        // The signer may have taken some of them by the link before this one.
        for id in requests.waiting.keys { actions.append(.tell(.inquiry(id))) }
    }

    private mutating func ping(_ now: Duration) {
        let nonce = random.next()
        link.pinged = (nonce, now)
        link.nextPing = nil
        actions.append(.tell(.ping(nonce: nonce)))
    }

    /// A witness of one ledger never goes back: that is what it is for.
    private mutating func keep(_ head: LedgerWitness, _ now: Duration) {
        guard head != witness else { return }
        if let witness, !head.replaces(witness) {
            return say(
                .failure,
                "the signer's ledger has \(head.counter) entries and had \(witness.counter): the older "
                    + "head is kept", now)
        }
        witness = head
        actions.append(.keep(head))
    }

    private mutating func pong(_ nonce: UInt64, _ now: Duration) {
        guard let pinged = link.pinged, pinged.nonce == nonce else { return }
        link.roundTrip = now - pinged.at
        link.pinged = nil
        link.isLate = false
        link.nextPing = now + limits.pingInterval
    }

    mutating func passTime(_ now: Duration) {
        acceptGate.passTime(now)
        guard link.isUp else { return }
        if let pinged = link.pinged {
            guard !link.isLate, now >= pinged.at + limits.pingTimeout else { return }
            link.isLate = true
            say(.warning, "the signer gives no sign of life", now)
        } else if let next = link.nextPing, now >= next {
            ping(now)
        }
    }

    mutating func linkEnded(_ loss: LinkLoss, _ reason: String) {
        guard link.isOpen else { return }
        actions.append(.report(.linkLost(generation: link.generation, loss, reason)))
        link = Link(generation: link.generation, roundTrip: link.roundTrip)
    }

    /// Takes a payload for the signer unless too many wait.
    mutating func take(_ payload: [UInt8], for asker: QueryID) -> Bool {
        guard requests.waiting.count < limits.requests,
            requests.bytes + payload.count <= limits.requestBytes
        else { return false }
        let id = RequestID(high: random.next(), low: random.next())
        requests.waiting[id] = Requests.Waiting(payload: payload, asker: asker)
        requests.bytes += payload.count
        if link.isUp { send(id, payload) }
        return true
    }

    private mutating func send(_ id: RequestID, _ payload: [UInt8]) {
        requests.sent += 1
        actions.append(.tell(.request(id, payload: payload)))
    }

    private mutating func answered(_ id: RequestID, _ state: RequestState) {
        // An answer to a request that nobody waits for any more says nothing.
        guard let waiting = requests.waiting[id] else { return }
        let outcome: WorkOutcome
        switch state {
        case .reviewing, .pending: return
        case .unknown: return send(id, waiting.payload)
        case .signed, .collected: outcome = .done
        case .full: outcome = .full
        case .tooFast: outcome = .tooFast
        case .refused, .expired: outcome = .failed
        }
        _ = requests.finish(id)
        guard connections[waiting.asker] != nil else { return }
        actions.append(.reply(waiting.asker, .workAnswer(WorkAnswer(outcome))))
    }
}
