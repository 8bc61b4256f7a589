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
        case .inquiry(let id): actions.append(.tell(.workAnswer(id, answer(to: id))))
        case .collected: break
        case .request(let id, let payload):
            link.frames.spend(payload.count >> 16, at: now)
            actions.append(.tell(.workAnswer(id, take(id, payload, now))))
        }
    }

    mutating func linkEnded(_ loss: LinkLoss, _ reason: String, _ now: Duration) {
        guard link.isOpen else { return }
        link.isUp = false
        link.isOpen = false
        actions.append(.report(.linkLost(generation: link.generation, loss, reason)))
    }

    private func answer(to id: RequestID) -> WorkAnswer {
        if let answer = link.answers[id] { return answer }
        return WorkAnswer(linkQueue.holds(.link(id)) ? .waiting : .unknown)
    }

    /// What becomes of a request. One that is known is not taken again.
    private mutating func take(_ id: RequestID, _ payload: [UInt8], _ now: Duration) -> WorkAnswer {
        let known = answer(to: id)
        guard known.outcome == .unknown else { return known }
        guard link.requests.trySpend(at: now) else { return refuseLink(.tooFast, now) }
        guard linkQueue.take(Job(origin: .link(id), payload: payload, password: nil)) else {
            return refuseLink(.full, now)
        }
        return WorkAnswer(.waiting)
    }

    private mutating func refuseLink(_ outcome: WorkOutcome, _ now: Duration) -> WorkAnswer {
        let seconds = now.wholeSeconds
        linkRefusals.count("\(outcome)", now: seconds, time: seconds)
        return refuse(outcome)
    }

    mutating func refuse(_ outcome: WorkOutcome) -> WorkAnswer {
        counts.refused += 1
        return WorkAnswer(outcome)
    }

    /// Keeps a final answer, in place of the oldest one if there are too many.
    mutating func keep(_ answer: WorkAnswer, for id: RequestID) {
        link.answers[id] = answer
        guard link.order.count == limits.keptAnswers else {
            link.order.append(id)
            return
        }
        link.answers[link.order[link.oldest]] = nil
        link.order[link.oldest] = id
        link.oldest = (link.oldest + 1) % limits.keptAnswers
    }
}
