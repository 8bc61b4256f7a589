import Messages
import StateFiles
import Vault
import Wire

/// A ledger as it lies here, this machine's or one that came with a backup, without what opens it.
struct LedgerHere {
    let name: LogName
    let entries: StateFile
    let head: LogHead?
    let publicKey: Bytes32
}

extension WorkLedger {
    /// This machine's ledger.
    var here: LedgerHere {
        LedgerHere(
            name: keys.name, entries: .ledgerEntries, head: head, publicKey: keys.publicKey)
    }
}

extension VaultWork {
    // MARK: Reading the ledger, which is missed by the broker where there must be one

    /// The entries from `first` on, at most `count` of them.
    func ledgerList(
        from first: UInt64, count: UInt16, _ keys: borrowing WorkKeys
    ) throws(VaultRefusal) -> VaultAnswer {
        guard order.contains(.ledgerHead) else { return .ledger([], last: 0) }
        return try keys.withDevice { device throws(VaultRefusal) in
            let ledger = try WorkLedger.open(order, device)
            return try list(ledger.here, from: first, count: count, ledger.keys)
        }
    }

    /// The whole ledger as text that a second program can verify.
    func ledgerExport(_ keys: borrowing WorkKeys) throws(VaultRefusal) -> VaultAnswer {
        guard order.contains(.ledgerHead) else { return .written(0) }
        return try keys.withDevice { device throws(VaultRefusal) in
            let ledger = try WorkLedger.open(order, device)
            return try export(ledger.here, ledger.keys)
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
            return try verdict(
                try problems(of: ledger, witness: witness), ledger.head,
                remarks: [remark(on: ledger)])
        }
    }

    // MARK: Any ledger

    func list(
        _ ledger: LedgerHere, from first: UInt64, count: UInt16,
        _ keys: some LogEntryKeys
    ) throws(VaultRefusal) -> VaultAnswer {
        let most = min(Int(count), Limit.rows)
        var rows: [LedgerRow] = []
        _ = try read(ledger, keys) { entry, record in
            guard entry.counter >= first, rows.count < most else { return }
            let unread =
                keys.covers(entry.scope)
                ? "an entry that was changed" : "an entry that no key on this machine opens"
            rows.append(
                LedgerRow(
                    counter: entry.counter, time: entry.time, vault: entry.scope.vault,
                    text: record.map { LedgerExport.text(of: $0, scope: entry.scope) } ?? unread))
        }
        return .ledger(rows, last: ledger.head?.counter ?? 0)
    }

    func export(
        _ ledger: LedgerHere, _ keys: some LogEntryKeys
    ) throws(VaultRefusal) -> VaultAnswer {
        var count: UInt64 = 0
        func write(_ line: String) throws(VaultRefusal) {
            let bytes = Array(line.utf8)
            try bytes.lend(ports.write)
            count += UInt64(bytes.count)
        }
        try write(LedgerExport.firstLine(of: keys, publicKey: ledger.publicKey))
        _ = try read(ledger, keys) { entry, record throws(VaultRefusal) in
            try write(LedgerExport.line(of: entry, record: record, keys: keys))
        }
        if let head = ledger.head { try write(LedgerExport.lastLine(of: head)) }
        return .written(count)
    }

    /// What is said of a ledger after it was read to its end.
    func verdict(
        _ problems: [(entry: UInt64, why: String)], _ head: LogHead?, remarks: [String] = []
    ) throws(VaultRefusal) -> VaultAnswer {
        if let (entry, why) = problems.first {
            let more = problems.count > 1 ? ", and \(problems.count - 1) more" : ""
            throw .ledgerBroken(entry, why + more)
        }
        return .ledgerHolds(
            entries: head?.counter ?? 0, head: head?.lastHash ?? .zero, remarks: remarks)
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
        try read(ledger.here, witness: witness, ledger.keys, each)
    }

    /// The same for a ledger whose keys are given.
    func read(
        _ ledger: LedgerHere, witness: LogHead? = nil,
        _ keys: some LogEntryKeys,
        _ each: (LogEntry, _ record: [UInt8]?) throws(VaultRefusal) -> Void
    ) throws(VaultRefusal) -> [LogProblem] {
        var reader = LogReader(ledger.name, publicKey: ledger.publicKey, witness: witness)
        try fed.read(ledger.entries) { bytes throws(VaultRefusal) in
            try translating(ledger.entries) {
                try reader.append(bytes, keys: keys, each: each)
            }
        }
        return reader.finish(head: ledger.head)
    }

    /// The backups of a vault that the ledger knows of, the newest first and each once, however often it was
    /// restored here, as what stands behind `the backup`.
    func knownBackups(
        of id: VaultID, _ ledger: borrowing WorkLedger
    ) throws(VaultRefusal) -> [String] {
        var found: [(digest: Bytes32, text: String)] = []
        _ = try read(ledger) { entry, record in
            guard entry.scope == .vault(id), let record,
                let read = try? LedgerRecord(record, scope: entry.scope)
            else { return }
            let place = "in entry \(entry.counter) of the ledger"
            switch read.event {
            case .backedUp(let bytes, let digest):
                found.append((digest, "\(place), \(bytes) bytes, SHA-256 \(digest)."))
            case .restored(_, let digest):
                guard !found.contains(where: { $0.digest == digest }) else { break }
                found.append((digest, "\(place), restored here, SHA-256 \(digest)."))
            default: break
            }
        }
        return found.reversed().map(\.text)
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
