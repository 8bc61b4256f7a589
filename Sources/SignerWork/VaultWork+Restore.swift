import Hashing
import Messages
import SecretMemory
import StateFiles
import Vault
import Wire

extension VaultWork {
    // MARK: Checking

    /// Says what a restore would change. A wrong secret key is an attempt to come in, and entered as
    /// that of a restore is, where there is a ledger.
    func checkRestore(
        of id: VaultID, _ keys: borrowing WorkKeys
    ) throws(VaultRefusal) -> VaultResult {
        let secrets = try ports.secrets(for: order.request)
        do throws(VaultRefusal) {
            return .done(try restore(id, keys, secrets, isCheck: true).answer, [])
        } catch {
            guard order.deviceKey == .present, error.ledgerCode != nil else { throw error }
            return .refused(error, try entries(of: error, keys))
        }
    }

    private func entries(
        of refusal: VaultRefusal, _ keys: borrowing WorkKeys
    ) throws(VaultRefusal) -> [StateChange] {
        try keys.withDevice { device throws(VaultRefusal) in
            try WorkLedger.open(order, device).changes(records(of: refusal), at: order.time)
        }
    }

    // MARK: Reading a backup

    /// Reads the backup in the input to its end, says what it would change and, unless that is all,
    /// changes it. Nothing becomes true before the last byte was found whole.
    func restore(
        _ id: VaultID, _ keys: borrowing WorkKeys, _ secrets: borrowing SecretFields,
        isCheck: Bool
    ) throws(VaultRefusal) -> WorkDone {
        let secretKey = try secretKey(try secrets.need(.secretKey))
        if let here = try? header(id), !secretKey.belongs(to: here) { throw .wrongSecretKey }
        let restore = Restore(
            self, id, isCheck: isCheck, removed: try removedItems(of: id, keys))
        let digest = try read(restore, id, secretKey)
        let information = try restore.finish(secretKey)
        // Both are kept, be it under one name: nothing that a person has is lost for a name's sake.
        if let name = restore.name, (try? self.name(of: id, keys)) == nil,
            let twin = twin(of: name.text, besides: id, keys)
        {
            restore.remarks.append(Self.remark(onTwin: twin, of: id))
        }
        guard !isCheck else {
            return WorkDone(.restored(id, restore.rows, remarks: restore.remarks))
        }
        let changes = try keys.withDevice { device throws(VaultRefusal) in
            try keys.withIndex { index throws(VaultRefusal) in
                restore.changes(secretKey, device, index)
            }
        }
        return WorkDone(
            .restored(id, restore.rows, remarks: restore.remarks), changes,
            records: [
                record(.restored(madeAt: information.madeAt, digest: digest), of: id)
            ])
    }

    /// The items of a vault that were removed here, as this machine's ledger tells; none where it
    /// cannot.
    private func removedItems(
        of id: VaultID, _ keys: borrowing WorkKeys
    ) throws(VaultRefusal) -> Set<ItemID> {
        var removed: Set<ItemID> = []
        do throws(VaultRefusal) {
            try keys.withDevice { device throws(VaultRefusal) in
                let ledger = try WorkLedger.open(order, device)
                _ = try read(ledger) { entry, record in
                    guard entry.scope == .vault(id), let record,
                        let read = try? LedgerRecord(record, scope: entry.scope),
                        case .item(.removed, let item, _) = read.event
                    else { return }
                    removed.insert(item)
                }
            }
        } catch {
            // A restore mends what does not hold, so nothing of that ends it here.
            try fed.skip(.ledgerEntries)
        }
        return removed
    }

    /// Gives every part to `restore`; the SHA-256 of the whole input.
    private func read(
        _ restore: Restore, _ id: VaultID, _ secretKey: borrowing VaultSecretKey
    ) throws(VaultRefusal) -> Bytes32 {
        var hash = SHA256()
        var start: [UInt8] = []
        var reader: BackupReader?
        try ports.readInput { bytes throws(VaultRefusal) in
            hash.update(bytes)
            try translatingInput {
                var rest = bytes[...]
                if start.count < StreamHeader.length {
                    let part = rest.prefix(StreamHeader.length - start.count)
                    start += part
                    rest = rest.dropFirst(part.count)
                    guard start.count == StreamHeader.length else { return }
                    reader = try BackupReader(
                        of: id, header: try StreamHeader(start), key: secretKey)
                }
                try reader?.append(UnsafeRawBufferPointer(rebasing: rest), to: restore.take)
            }
        }
        try translatingInput {
            guard reader != nil else { throw StreamError.notAStream }
            try reader?.finish(to: restore.take)
        }
        return hash.finalize()
    }
}
