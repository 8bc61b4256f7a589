import Messages
import StateFiles
import Vault

extension VaultWork {
    /// Puts events into the ledger that no request brought about. At a start the whole ledger is checked
    /// before; what does not agree is entered too, and told in the answer.
    ///
    /// - Throws: `missing`, `damaged`, `newerVersion`.
    func record(
        _ events: [RecordedEvent], _ keys: borrowing WorkKeys
    ) throws(VaultRefusal) -> VaultResult {
        if let head = events.lazy.compactMap(\.witness).first { return try compare(head, keys) }
        return try keys.withDevice { device throws(VaultRefusal) in
            let ledger = try WorkLedger.open(order, device)
            let found = events.contains(where: \.isStart) ? try problems(of: ledger) : []
            let damage = found.map { entry, why in
                LedgerRecord(.damageFound("at entry \(entry): \(why)"), scope: .machine)
            }
            let records = events.compactMap(record)
            return .done(
                .done(
                    remarks: found.prefix(Limit.remarks).map { entry, why in
                        "The ledger does not hold at entry \(entry): \(why)."
                    }), try ledger.changes(records + damage, at: order.time))
        }
    }

    private func record(_ event: RecordedEvent) -> LedgerRecord? {
        switch event {
        case .started(let version): LedgerRecord(.started(version: version), scope: .machine)
        case .refusals(let origin, let code, let count, let first, let last):
            LedgerRecord(
                .refused(
                    LedgerRefusal(
                        origin: origin == .link ? .link : .console, code: code, count: count,
                        first: order.time - min(order.time, first),
                        last: order.time - min(order.time, last))), scope: .machine)
        case .rejected(let uid, let file, let reason):
            LedgerRecord(
                .rejected(file: file, reason: reason), scope: .machine,
                actor: LedgerActor(user: uid, terminal: ""))
        case .undelivered(let uid, let wallet, let file, let reason):
            LedgerRecord(
                .undelivered(file: file, reason: reason), scope: .vault(wallet),
                actor: LedgerActor(user: uid, terminal: ""))
        case .attemptEnded(let request, let reason):
            LedgerRecord(
                request.endedEarly(reason),
                scope: request.vault.map { .vault($0) } ?? .machine)
        case .witnessed: nil
        }
    }
}
