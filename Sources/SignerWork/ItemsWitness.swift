import Messages
import StateFiles
import Vault
import Wire

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
        // After a restore the log may be older, and a person knows it.
        case .operation(.delete, _), .restored: seen[id] = nil
        default: break
        }
    }

    /// The logs that are here are shorter than what was seen: by the entry that knows more.
    func problems(_ order: WorkOrder) -> [(entry: UInt64, why: String)] {
        seen.sorted { $0.value.entry < $1.value.entry }.compactMap { id, seen in
            let file = order.files[.itemsHead(id)]
            let here = file.flatMap { try? LogHead($0) }?.counter ?? 0
            guard here < seen.counter else { return nil }
            return (
                seen.entry,
                "the items of vault \(id) were set back: their log had \(counted(seen.counter, "entry", "entries")) "
                    + "and has \(here)"
            )
        }
    }
}
