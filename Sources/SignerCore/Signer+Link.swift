import Messages

extension Signer {
    mutating func link(_ request: LinkRequest, _ now: Duration) {
        guard link.isOpen else { return }
        link.frames.spend(1, at: now)
        switch request {
        case .hello:
            link.isUp = true
            actions.append(.tell(.welcome))
            tellWitness()
            tellAccounts()
        case .witnessed(let head): witnessed(head)
        case .ping(let nonce): actions.append(.tell(.pong(nonce: nonce)))
        case .inquiry(let id): answer(id, state(of: id))
        case .collected(let id): results.collect(id)
        case .request(let id, let file):
            link.frames.spend(file.count >> 16, at: now)
            answer(id, take(id, file, now))
        }
    }

    mutating func linkEnded(_ loss: LinkLoss, _ reason: String, _ now: Duration) {
        guard link.isOpen else { return }
        link.isUp = false
        link.isOpen = false
        actions.append(.report(.linkLost(generation: link.generation, loss, reason)))
    }

    mutating func tell(_ reply: LinkReply) {
        if link.isUp { actions.append(.tell(reply)) }
    }

    /// Says what became of a request; a signed file goes with it.
    private mutating func answer(_ id: RequestID, _ state: RequestState) {
        tell(.answer(id, state))
        if state == .signed, let file = results.file(of: id) { tell(.signed(id, file: file)) }
    }

    private func state(of id: RequestID) -> RequestState {
        if let state = results[id] { return state }
        guard let entry = pending.entry(of: id) else { return .unknown }
        return entry.summary == nil ? .reviewing : .pending
    }

    /// What becomes of a request. One that is known is not taken again.
    private mutating func take(_ id: RequestID, _ file: [UInt8], _ now: Duration) -> RequestState {
        let known = state(of: id)
        guard known == .unknown else { return known }
        guard link.requests.trySpend(at: now) else { return refuseLink(.tooFast, "too-fast", now) }
        guard let entry = pending.take(file, from: .link(id), at: now) else {
            return refuseLink(.full, "full", now)
        }
        linkQueue.take(
            Job(
                entry: entry, asker: nil, form: nil, file: file, output: nil,
                walletChanges: pairing.changes))
        return .reviewing
    }

    private mutating func refuseLink(
        _ state: RequestState, _ code: String, _ now: Duration
    ) -> RequestState {
        count(code, now)
        return state
    }

    private mutating func count(_ code: String, _ now: Duration) {
        counts.refused += 1
        linkRefusals.count(code, now: now.wholeSeconds, time: now.wholeSeconds)
    }

    /// Refuses a request that was taken; the ledger is told of it by number.
    mutating func refuse(
        _ id: RequestID, _ refusal: RequestRefusal, _ why: String, _ now: Duration
    ) {
        count(refusal.code, now)
        settle(id, .refused(refusal, why))
    }

    /// A request has its final state.
    mutating func settle(_ id: RequestID, _ state: RequestState) {
        results.keep(state, for: id)
        tell(.answer(id, state))
    }

    /// A request is signed.
    mutating func settle(_ id: RequestID, signed file: [UInt8], _ now: Duration) {
        results.keep(file, for: id, at: now)
        answer(id, .signed)
    }
}
