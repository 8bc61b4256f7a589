import Messages
import StateFiles

/// What people do with what waits, short of approving it.
extension Signer {
    mutating func submit(_ id: ConsoleID, _ file: [UInt8], _ now: Duration) {
        guard let console = consoles[id] else { return }
        // One review a console: its answer carries no name.
        guard !consoleQueue.holds(id) else { return refuse(id, .busy) }
        guard let entry = pending.take(file, from: .console(id, uid: console.uid), at: now) else {
            return refuse(id, .full)
        }
        consoleQueue.take(
            Job(
                entry: entry, asker: id, form: nil, file: file, output: nil,
                walletChanges: pairing.changes))
    }

    private mutating func refuse(_ id: ConsoleID, _ refusal: EntryRefusal) {
        counts.refused += 1
        actions.append(.reply(id, .entry(.failure(refusal))))
    }

    mutating func listPending(_ id: ConsoleID, _ now: Duration) {
        let rows = pending.entries(for: id).prefix(Limit.entries)
        actions.append(.reply(id, .pending(rows.map { pending.row($0, at: now) })))
    }

    mutating func show(
        _ id: ConsoleID, _ number: EntryID, _ form: ReviewForm, _ now: Duration
    ) {
        let output = consoles[id]?.handed.removeValue(forKey: .output)
        func give(up refusal: EntryRefusal) {
            if let output { actions.append(.drop(output)) }
            refuse(id, refusal)
        }
        guard let entry = pending.entry(number, for: id) else {
            return give(up: absence(of: number, now))
        }
        guard !consoleQueue.holds(id) else { return give(up: .busy) }
        guard entry.summary != nil else { return give(up: .underReview(number)) }
        guard let output else { return give(up: .noOutput) }
        consoleQueue.take(
            Job(
                entry: number, asker: id, form: form, file: entry.file, output: output,
                walletChanges: pairing.changes))
    }

    // MARK: Giving up

    mutating func reject(_ id: ConsoleID, _ number: EntryID, _ reason: String, _ now: Duration) {
        guard let entry = removable(number, for: id, now), let summary = entry.summary,
            let console = consoles[id]
        else { return }
        let event = RecordedEvent.rejected(
            uid: console.uid, file: summary.file, reason: reason)
        // What the ledger cannot take is not done.
        guard enter(event) else { return actions.append(.reply(id, .entryGone(.busy))) }
        pending.remove(entry, as: .rejected, at: now)
        if case .link(let request) = entry.origin {
            let told = reason.isEmpty ? "no reason was given" : reason
            settle(request, .refused(.rejected, "It was rejected at the console: \(told)"))
        }
        actions.append(.reply(id, .entryGone(nil)))
    }

    mutating func withdraw(_ id: ConsoleID, _ number: EntryID, _ now: Duration) {
        guard let entry = removable(number, for: id, now) else { return }
        guard !entry.origin.isLink else {
            return actions.append(.reply(id, .entryGone(.noSuchEntry(number))))
        }
        pending.remove(number)
        actions.append(.reply(id, .entryGone(nil)))
    }

    /// An entry that can be given up now; else the console is told why not.
    private mutating func removable(
        _ number: EntryID, for id: ConsoleID, _ now: Duration
    ) -> PendingQueue.Entry? {
        let refusal: EntryRefusal
        switch pending.entry(number, for: id) {
        case nil: refusal = absence(of: number, now)
        case let entry? where entry.isBeingSigned: refusal = .beingSigned(number)
        case let entry? where entry.summary == nil: refusal = .underReview(number)
        case let entry?: return entry
        }
        counts.refused += 1
        actions.append(.reply(id, .entryGone(refusal)))
        return nil
    }

    /// Why nothing waits under a number: somebody was faster, or nothing ever did.
    private func absence(of number: EntryID, _ now: Duration) -> EntryRefusal {
        pending.decision(on: number, at: now).map { .decided($0) } ?? .noSuchEntry(number)
    }

    /// Wallets come and go: what only a deleted one could sign waits for nobody. What a console submitted
    /// stays its own.
    mutating func noteEntries(after request: VaultRequest?, _ now: Duration) {
        switch request {
        case .delete(let wallet, _):
            for entry in pending.note(deleted: wallet) { drop(walletless: entry, now) }
        case .restore(let wallet): pending.note(restored: wallet)
        default: break
        }
    }

    /// Takes out what came over the link and could be signed by wallets alone that were deleted.
    mutating func drop(walletless entry: PendingQueue.Entry, _ now: Duration) {
        guard case .link(let request) = entry.origin else { return }
        pending.remove(entry, as: .walletDeleted, at: now)
        refuse(
            request, .walletDeleted,
            "The wallet that could sign it was deleted at the console.", now)
    }

    // MARK: Time

    mutating func expireEntries(_ now: Duration) {
        for entry in pending.expired(at: now) {
            pending.remove(entry, as: .expired, at: now)
            linkQueue.withdraw(entry.id)
            if case .link(let request) = entry.origin { settle(request, .expired) }
        }
        results.passTime(now)
    }
}
