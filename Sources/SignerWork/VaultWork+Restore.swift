import Hashing
import Messages
import SecretMemory
import StateFiles
import Vault
import Wire

extension VaultWork {
    // MARK: Reading a backup

    /// Reads the backup in the input to its end, says what it would change and, unless that is all,
    /// changes it. Nothing becomes true before the last byte was found whole.
    func restore(
        _ id: VaultID, _ keys: borrowing WorkKeys, _ secrets: borrowing SecretFields,
        isCheck: Bool
    ) throws(VaultRefusal) -> WorkDone {
        let secretKey = try secretKey(try secrets.need(.secretKey))
        if let here = try? header(id), !secretKey.belongs(to: here) { throw .wrongSecretKey }
        let restore = Restore(self, id, isCheck: isCheck)
        let digest = try read(restore, id, secretKey)
        let information = try restore.finish(secretKey)
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
