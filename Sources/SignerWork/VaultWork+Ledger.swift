import Messages
import StateFiles
import Vault
import Wire

extension VaultWork {
    // MARK: Reading the ledger, which is missed by the broker where there must be one

    /// The entries from `first` on, at most `count` of them.
    func ledgerList(
        from first: UInt64, count: UInt16, _ keys: borrowing WorkKeys
    ) throws(VaultRefusal) -> VaultAnswer {
        guard order.contains(.ledgerHead) else { return .ledger([], last: 0) }
        return try keys.withDevice { device throws(VaultRefusal) in
            let ledger = try WorkLedger.open(order, device)
            let most = min(Int(count), Limit.rows)
            var rows: [LedgerRow] = []
            _ = try read(ledger) { entry, record in
                guard entry.counter >= first, rows.count < most else { return }
                rows.append(
                    LedgerRow(
                        counter: entry.counter, time: entry.time, vault: entry.scope.vault,
                        text: record.map { LedgerExport.text(of: $0, scope: entry.scope) }
                            ?? "an entry that was changed"))
            }
            return .ledger(rows, last: ledger.head?.counter ?? 0)
        }
    }

    /// The whole ledger as text that a second program can verify.
    func ledgerExport(_ keys: borrowing WorkKeys) throws(VaultRefusal) -> VaultAnswer {
        guard order.contains(.ledgerHead) else { return .written(0) }
        return try keys.withDevice { device throws(VaultRefusal) in
            let ledger = try WorkLedger.open(order, device)
            var count: UInt64 = 0
            func write(_ line: String) throws(VaultRefusal) {
                let bytes = Array(line.utf8)
                try bytes.lend(ports.write)
                count += UInt64(bytes.count)
            }
            try write(LedgerExport.firstLine(of: ledger.key, publicKey: ledger.key.publicKey))
            _ = try read(ledger) { entry, record throws(VaultRefusal) in
                try write(LedgerExport.line(of: entry, record: record, keys: ledger.key))
            }
            if let head = ledger.head { try write(LedgerExport.lastLine(of: head)) }
            return .written(count)
        }
    }

    /// Whether every entry is the one that was written, to the head.
    func ledgerVerify(_ keys: borrowing WorkKeys) throws(VaultRefusal) -> VaultAnswer {
        guard order.contains(.ledgerHead) else {
            return .ledgerHolds(entries: 0, head: .zero, remarks: [])
        }
        return try keys.withDevice { device throws(VaultRefusal) in
            let ledger = try WorkLedger.open(order, device)
            let witness = order.witness.flatMap { LogHead($0, of: ledger) }
            let problems = try problems(of: ledger, witness: witness)
            if let (entry, why) = problems.first {
                let more = problems.count > 1 ? ", and \(problems.count - 1) more" : ""
                throw .ledgerBroken(entry, why + more)
            }
            return .ledgerHolds(
                entries: ledger.head?.counter ?? 0, head: ledger.head?.lastHash ?? .zero,
                remarks: [remark(on: ledger)])
        }
    }

    /// What does not agree, in the ledger or between it and the logs of items, and at which entry.
    func problems(
        of ledger: borrowing WorkLedger, witness: LogHead? = nil
    ) throws(VaultRefusal) -> [(entry: UInt64, why: String)] {
        var items = ItemsWitness()
        let problems = try read(ledger, witness: witness) { entry, record in
            items.follow(entry, record)
        }
        return problems.map { ($0.entry, $0.description) } + items.problems(order)
    }

    /// Gives every entry, with its record where it is authentic; what does not agree comes back.
    func read(
        _ ledger: borrowing WorkLedger, witness: LogHead? = nil,
        _ each: (LogEntry, _ record: [UInt8]?) throws(VaultRefusal) -> Void
    ) throws(VaultRefusal) -> [LogProblem] {
        var reader = LogReader(
            ledger.key.name, publicKey: ledger.key.publicKey, witness: witness)
        try fed.read(.ledgerEntries) { bytes throws(VaultRefusal) in
            try translating(.ledgerEntries) {
                try reader.append(bytes, keys: ledger.key, each: each)
            }
        }
        return reader.finish(head: ledger.head)
    }

    /// The backups of a vault that the ledger knows of, the newest first, as sentences.
    func knownBackups(
        of id: VaultID, _ ledger: borrowing WorkLedger
    ) throws(VaultRefusal) -> [String] {
        var found: [String] = []
        _ = try read(ledger) { entry, record in
            guard entry.scope == .vault(id), let record,
                let read = try? LedgerRecord(record, scope: entry.scope),
                case .backedUp(let bytes, let digest) = read.event
            else { return }
            found.append(
                "Still opens with the old kit: the backup in entry \(entry.counter) of the ledger, "
                    + "\(bytes) bytes, SHA-256 \(digest).")
        }
        return found.reversed()
    }
}

extension LogScope {
    /// The vault; nil for the machine.
    fileprivate var vault: VaultID? { if case .vault(let id) = self { id } else { nil } }
}

extension LogProblem {
    /// The entry at which it shows; 0 where that is the head or the key.
    var entry: UInt64 {
        switch self {
        case .headMissing, .headDamaged, .keyDamaged, .unknownVersion, .anotherLog: 0
        case .unreadable(let after): after + 1
        case .edited(let entry), .spliced(let entry), .headOfAnotherEntry(let entry),
            .rewritten(let entry):
            entry
        case .missing(let range): range.lowerBound
        case .outOfOrder(let found, _): found
        case .cutOff(let last, _), .beyondHead(let last, _): last
        case .rolledBack(let counter, _): counter
        }
    }
}
