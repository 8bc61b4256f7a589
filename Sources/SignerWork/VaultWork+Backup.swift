import Hashing
import Messages
import SecretMemory
import StateFiles
import Vault
import Wire

extension VaultWork {
    // MARK: Writing a backup

    /// Everything of a vault as one sealed stream to the output.
    func backup(
        _ id: VaultID, _ device: borrowing DeviceKey, _ ledger: borrowing WorkLedger,
        _ keys: borrowing WorkKeys, _ secrets: borrowing SecretFields
    ) throws(VaultRefusal) -> WorkDone {
        let open = try open(id, device, secrets)
        var writer = BackupWriter(of: id, key: open.files.secretKey)
        var written: UInt64 = 0
        var hash = SHA256()
        func sink(_ bytes: UnsafeRawBufferPointer) throws(VaultRefusal) {
            try ports.write(bytes)
            hash.update(bytes)
            written += UInt64(bytes.count)
        }
        try writer.header.bytes.lend(sink)
        var items = (count: UInt32(0), remarks: [String]())
        try making {
            try addVault(id, ledger, keys, to: &writer, sink)
            try addLedger(id, ledger, to: &writer, sink)
            items = try addItems(id, open.masterKey, to: &writer, sink)
            try writer.finish(to: sink)
        }
        let digest = hash.finalize()
        return WorkDone(
            .backedUp(
                bytes: written, digest: digest, items: items.count,
                remarks: Array(items.remarks.prefix(Limit.remarks))),
            [resetAttempts(id, device)],
            records: [record(.backedUp(bytes: written, digest: digest), of: id)])
    }

    /// The vault as it is, and what is public of it without this machine's authentication.
    private func addVault(
        _ id: VaultID, _ ledger: borrowing WorkLedger, _ keys: borrowing WorkKeys,
        to writer: inout BackupWriter, _ sink: (UnsafeRawBufferPointer) throws -> Void
    ) throws {
        guard case .ledger(let ledgerID) = ledger.keys.name else {
            preconditionFailure("the ledger's key is a ledger's")
        }
        let information = BackupInformation(
            vault: id, madeAt: order.time, ledger: ledgerID,
            ledgerCounter: ledger.head?.counter ?? 0)
        try writer.add(.information, information.bytes, to: sink)
        try writer.add(.vault, try order.load(.vault(id)), to: sink)
        // What does not verify here must not become true elsewhere.
        if let name = try? name(of: id, keys) {
            try writer.add(.name, Array(name.utf8), to: sink)
        }
        guard let file = order.files[.index(id)] else { return }
        let index = try keys.withIndex { key throws(VaultRefusal) in
            try? PublicIndex(sealed: file, for: id, under: key)
        }
        if let index { try writer.add(.index, index.payload, to: sink) }
    }

    private func addLedger(
        _ id: VaultID, _ ledger: borrowing WorkLedger, to writer: inout BackupWriter,
        _ sink: (UnsafeRawBufferPointer) throws -> Void
    ) throws {
        guard let head = ledger.head, let size = try fed.size(of: .ledgerEntries) else { return }
        let keys = ledger.keys
        try writer.add(.ledgerKey, BackupLedgerKey(of: id, in: keys.key).bytes(), to: sink)
        try writer.add(.ledgerHead, head.bytes, to: sink)
        try add(.ledgerEntries, .ledgerEntries, size, to: &writer, sink)
    }

    /// The log of items and every whole item as it is; how many, and what a person should know.
    private func addItems(
        _ id: VaultID, _ masterKey: borrowing MasterKey, to writer: inout BackupWriter,
        _ sink: (UnsafeRawBufferPointer) throws -> Void
    ) throws -> (count: UInt32, remarks: [String]) {
        guard try header(id).kind == .items else { return (0, []) }
        let key = masterKey.itemsLogKey(of: id)
        let head = try itemsHead(id, key)
        let file = StateFile.itemsLog(id)
        try writer.add(.itemsHead, head.bytes, to: sink)
        try writer.begin(.itemsLog, length: try fed.size(of: file) ?? 0, to: sink)
        // A log that does not hold would make a backup that nobody can restore.
        let catalogue = try catalogue(id, key, to: head) { bytes throws(VaultRefusal) in
            try translating(file) { try writer.append(bytes, to: sink) }
        }
        var missing = Set(catalogue.items.map(\.record.id))
        var count: UInt32 = 0
        let damaged = try damagedItems(id, catalogue, masterKey)
        for case .item(id, let item) in order.all.sorted() {
            guard let size = try fed.size(of: .item(id, item)) else {
                throw VaultRefusal.missing(.item(id, item))
            }
            guard damaged[item] == nil else {
                missing.remove(item)
                try fed.read(.item(id, item)) { _ throws(VaultRefusal) in }
                continue
            }
            try add(.item(item), .item(id, item), size, to: &writer, sink)
            missing.remove(item)
            count += 1
        }
        return (
            count,
            damaged.sorted { $0.key < $1.key }.map {
                "Item \($0.key) is damaged here (\($0.value)), so it is not in the backup: keep an "
                    + "older backup that has it, and restore that."
            }
                + missing.sorted().map {
                    "The file of item \($0) is missing here, so it is not in the backup either."
                }
        )
    }

    /// The items that do not open to their end, and why.
    private func damagedItems(
        _ id: VaultID, _ catalogue: ItemsCatalogue, _ masterKey: borrowing MasterKey
    ) throws(VaultRefusal) -> [ItemID: String] {
        var damaged: [ItemID: String] = [:]
        for case .item(id, let item) in order.all.sorted() {
            damaged[item] = try damage(of: item, catalogue[item]?.record, id, masterKey)
        }
        return damaged
    }

    /// A large file as it is.
    private func add(
        _ part: BackupPart, _ file: StateFile, _ size: UInt64, to writer: inout BackupWriter,
        _ sink: (UnsafeRawBufferPointer) throws -> Void
    ) throws {
        try writer.begin(part, length: size, to: sink)
        try fed.read(file) { bytes throws(VaultRefusal) in
            try translating(file) { try writer.append(bytes, to: sink) }
        }
    }

    private func making(_ body: () throws -> Void) throws(VaultRefusal) {
        do {
            try body()
        } catch let refusal as VaultRefusal {
            throw refusal
        } catch {
            throw .workerFailed("\(error)")
        }
    }
}
