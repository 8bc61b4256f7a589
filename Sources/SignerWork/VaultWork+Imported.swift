import Messages
import StateFiles
import Vault

extension VaultWork {
    // MARK: Ledgers that are not this machine's

    /// What lies here beside this machine's ledger, by what stands in the clear.
    func importedLedgers() -> VaultAnswer {
        var rows: [ImportedLedgerRow] = []
        for case .importedLedgerHead(let id) in order.all.sorted() {
            let head = head(.importedLedgerHead(id))
            let keys = order.files[.importedLedgerKey(id)]
                .flatMap { try? ImportedLedgerKeys($0) }
            rows.append(
                ImportedLedgerRow(
                    id: id, entries: head?.counter ?? 0, vaults: keys?.vaults ?? []))
        }
        return .importedLedgers(rows)
    }

    /// Reads one of them, as far as its keys open it.
    func importedLedger(
        _ id: LedgerID, _ reading: LedgerReading, _ keys: borrowing WorkKeys
    ) throws(VaultRefusal) -> VaultAnswer {
        let file = StateFile.importedLedgerKey(id)
        let sealed = try imported(file) { bytes throws(LogProblem) in
            try ImportedLedgerKeys(bytes)
        }
        let head = try imported(.importedLedgerHead(id)) { bytes throws(LogProblem) in
            try LogHead(bytes)
        }
        guard sealed.files[0].ledger == id else { throw .damaged(file, "it is another ledger's") }
        let here = LedgerHere(
            name: .ledger(id), entries: .importedLedgerEntries(id), head: head,
            publicKey: sealed.publicKey)
        let ring = try keys.withDevice { device throws(VaultRefusal) in
            sealed.open(under: device)
        }
        switch reading {
        case .list(let first, let count):
            return try list(here, from: first, count: count, ring)
        case .export: return try export(here, ring)
        case .verify:
            let problems = try read(here, ring) { _, _ in }
            return try verdict(problems.map { ($0.entry, $0.description) }, head)
        }
    }

    private func imported<Value>(
        _ file: StateFile, _ body: ([UInt8]) throws(LogProblem) -> Value
    ) throws(VaultRefusal) -> Value {
        let bytes = try order.load(file)
        do throws(LogProblem) {
            return try body(bytes)
        } catch {
            throw VaultRefusal(error, file)
        }
    }
}
