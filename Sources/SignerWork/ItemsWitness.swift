import Messages
import StateFiles
import Vault

/// How many entries the logs of items had, as the ledger tells: with it a log that was set back to
/// an older state together with its head is found.
struct ItemsWitness {
    private struct Seen {
        let entry: UInt64
        let counter: UInt64
    }

    private var seen: [VaultID: Seen] = [:]

    /// Follows an entry of the ledger.
    mutating func follow(_ entry: LogEntry, _ record: [UInt8]?) {
        guard case .vault(let id) = entry.scope, let record,
            let event = try? LedgerRecord(record, scope: entry.scope).event
        else { return }
        switch event {
        case .item(_, _, let counter): seen[id] = Seen(entry: entry.counter, counter: counter)
        case .operation(.delete, _): seen[id] = nil
        default: break
        }
    }

    /// Holds the logs that are here against what was seen.
    ///
    /// - Throws: `ledgerBroken`, which names the entry that knows more.
    func check(_ order: WorkOrder) throws(VaultRefusal) {
        for (id, seen) in seen.sorted(by: { $0.value.entry < $1.value.entry }) {
            let file = order.files[.itemsHead(id)]
            let here = file.flatMap { try? LogHead($0) }?.counter ?? 0
            guard here >= seen.counter else {
                throw .ledgerBroken(
                    seen.entry,
                    "it tells of \(seen.counter) entries in the items' log of vault \(id), which has "
                        + "\(here) now: the items were set back to an older state")
            }
        }
    }
}
