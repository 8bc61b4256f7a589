import Messages
import Wire

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
        case .signed(let id, let file): signed(id, file)
        case .witness(let head): keep(head, now)
        case .accounts(let rows):
            accounts = rows
            actions.append(.watch(rows))
            say(
                .information,
                "the signer told which accounts to watch: \(counted(rows.count, "wallet"))", now)
        }
    }

    private mutating func becomeUp(_ now: Duration) {
        link.isUp = true
        ping(now)
        actions.append(.tell(.witnessed(witness)))
        inquireOfAll()
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
                "the signer's ledger has \(counted(head.counter, "entry", "entries")) and had \(witness.counter): the older "
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
}
