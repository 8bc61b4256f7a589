import Bitcoin
import KeyTree
import Messages
import SecretMemory
import StateFiles
import Vault

extension VaultWork {
    // MARK: What asks for the password and changes little

    func showPhrase(
        _ id: VaultID, _ device: borrowing DeviceKey, _ keys: borrowing WorkKeys,
        _ secrets: borrowing SecretFields
    ) throws(VaultRefusal) -> WorkDone {
        let body = try body(id, try open(id, device, secrets))
        var output = SecretFieldsWriter()
        if let phrase = body.phrase() {
            output.write(.words, phrase.withText { SecretBytes(copying: $0) })
            if body.hasPassphrase {
                output.write(.passphrase, body.withPassphrase { SecretBytes(copying: $0) })
            }
        } else {
            output.write(.xprv, body.withExtendedKeyText { SecretBytes(copying: $0) })
        }
        return WorkDone(
            .done(remarks: []), [resetAttempts(id, device)], output: output.finish(),
            records: [record(of: id, keys)])
    }

    /// Rewrites the password slot and nothing else of the vault.
    func changePassword(
        _ id: VaultID, _ kdf: PasswordKDF, _ device: borrowing DeviceKey,
        _ keys: borrowing WorkKeys, _ secrets: borrowing SecretFields
    ) throws(VaultRefusal) -> WorkDone {
        let open = try open(id, device, secrets)
        guard secrets.copy(.passphrase) == nil else { throw .passphraseIsFixed }
        let password = try secrets.newPassword()
        let file = try opening(id) { () throws(VaultError) in
            try open.files.vault.replacingPassword(
                password, cost: kdf.cost, masterKey: open.masterKey)
        }
        return WorkDone(
            .done(remarks: warnings(password)),
            [.put(.vault(id), file.bytes), resetAttempts(id, device)],
            records: [record(of: id, keys)])
    }

    /// Writes the name file and nothing of the vault.
    func rename(
        _ id: VaultID, to text: String, _ device: borrowing DeviceKey, _ keys: borrowing WorkKeys,
        _ secrets: borrowing SecretFields
    ) throws(VaultRefusal) -> WorkDone {
        let name = try newName(text, of: id, keys)
        _ = try open(id, device, secrets)
        let sealed = try keys.withIndex { key throws(VaultRefusal) in
            name.sealed(for: id, under: key)
        }
        let remarks =
            order.contains(.index(id))
            ? [
                "Where the network process watches it, it is called so there too, with a number behind "
                    + "it if another watched wallet has the name, unless its accounts are kept from it "
                    + "(watch-accounts = none)."
            ] : []
        return WorkDone(
            .done(remarks: remarks), [.put(.name(id), sealed), resetAttempts(id, device)],
            records: [record(of: id, named: name.text)])
    }

    /// Removes all files of a vault. The name must be the one it has, letter for letter.
    func delete(
        _ id: VaultID, named name: String, _ device: borrowing DeviceKey,
        _ ledger: borrowing WorkLedger, _ keys: borrowing WorkKeys,
        _ secrets: borrowing SecretFields
    ) throws(VaultRefusal) -> WorkDone {
        let known = try self.name(of: id, keys)
        let open = try open(id, device, secrets)
        guard Array(known.utf8) == Array(name.utf8) else { throw .wrongName }
        let body = try body(id, open)
        let backups = try knownBackups(of: id, ledger)
        let own = order.all.filter { $0.vault == id }.sorted()
        let watched =
            order.contains(.index(id))
            ? [
                "Where the network process watches it, its payments stay in sight until bulkhead watch "
                    + "remove ends that."
            ] : []
        return WorkDone(
            .done(
                remarks: Self.waysBack(body, backups).prefix(Limit.remarks - watched.count)
                    + watched),
            own.map { .remove($0) }, records: [record(of: id, named: known)])
    }

    /// What brings a deleted vault back, as far as this machine knows.
    private static func waysBack(
        _ body: borrowing VaultBody, _ backups: [String]
    ) -> [String] {
        let outside: String
        switch body.kind {
        case .phrase where body.hasPassphrase:
            outside = "Its recovery words with its BIP39 passphrase, if both are on paper, open it"
        case .phrase: outside = "Its recovery words, if they are on paper, open it"
        case .extendedKey: outside = "The extended private key that it was imported from opens it"
        case .items: outside = ""
        }
        let keep =
            "Destroy what nobody is to open any more; a card may keep blocks of what was deleted."
        guard backups.isEmpty else {
            let first =
                outside.isEmpty
                ? "These backups open with a kit's secret key, where they still are. "
                : outside + ", and these backups with a kit's secret key, where they still are. "
            return [first + keep] + backups.map { "Made before: the backup \($0)" }
        }
        return [
            outside.isEmpty
                ? "The ledger knows of no backup of it: without one its items are gone."
                : "The ledger knows of no backup of it. \(outside); the kit alone does not. \(keep)"
        ]
    }
}
