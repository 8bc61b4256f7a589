import Messages
import StateFiles
import Vault

extension VaultWork {
    /// Puts events into the ledger that no request brought about.
    ///
    /// - Throws: `missing`, `damaged`, `newerVersion`.
    func record(
        _ events: [RecordedEvent], _ keys: borrowing WorkKeys
    ) throws(VaultRefusal) -> VaultResult {
        try keys.withDevice { device throws(VaultRefusal) in
            let ledger = try WorkLedger.open(order, device)
            let records = events.map(record)
            return .done(.done(remarks: []), try ledger.changes(records, at: order.time))
        }
    }

    private func record(_ event: RecordedEvent) -> LedgerRecord {
        switch event {
        case .started(let version): LedgerRecord(.started(version: version), scope: .machine)
        case .linkRefusals(let code, let count, let first, let last):
            LedgerRecord(
                .refused(
                    LedgerRefusal(
                        origin: .link, code: code, count: count,
                        first: order.time - min(order.time, first),
                        last: order.time - min(order.time, last))), scope: .machine)
        case .attemptEnded(let id, let reason):
            LedgerRecord(.damageFound("An attempt ended early: \(reason)."), scope: .vault(id))
        }
    }
}
