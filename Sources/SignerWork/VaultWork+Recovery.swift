import Messages
import SecretMemory
import StateFiles
import Vault

extension VaultWork {
    // MARK: The recovery kit

    /// Replaces the recovery slot, which kills the code before.
    func newKit(
        _ id: VaultID, _ device: borrowing DeviceKey, _ ledger: borrowing WorkLedger,
        _ keys: borrowing WorkKeys, _ secrets: borrowing SecretFields
    ) throws(VaultRefusal) -> WorkDone {
        let open = try open(id, device, secrets)
        let code = RecoveryCode.random()
        let file = try opening(id) { () throws(VaultError) in
            try open.files.vault.replacingRecoveryCode(code, masterKey: open.masterKey)
        }
        let index = try self.index(of: try body(id, open))
        let backups = try knownBackups(of: id, ledger).map {
            "Still opens with the old kit: the backup \($0)"
        }
        var output = SecretFieldsWriter()
        output.write(kitOf: id, secretKey: open.files.secretKey, code: code)
        return WorkDone(
            .made(
                id, fingerprint: index?.masterFingerprint.description ?? "", index?.rows ?? [],
                remarks: [
                    "The kit before no longer opens this vault. Backups made before now still open "
                        + "with it: delete them and make a new one (bulkhead backup)."
                ] + backups.prefix(Limit.remarks - 1)),
            [.put(.vault(id), file.bytes), resetAttempts(id, device)], output: output.finish(),
            records: [record(of: id, keys)])
    }

    /// Opens with the recovery code, sets a password and starts the count of failures anew, also
    /// where it is damaged: a code of 160 random bits is not guessed.
    func openWithCode(
        _ id: VaultID, _ kdf: PasswordKDF, _ device: borrowing DeviceKey,
        _ keys: borrowing WorkKeys, _ secrets: borrowing SecretFields
    ) throws(VaultRefusal) -> WorkDone {
        let typed = try secrets.need(.recoveryCode)
        let password = try secrets.newPassword()
        try checkMemory(for: kdf.cost)
        let checked = try check(id, device)
        let code = try recoveryCode(typed)
        let file = try opening(id) { () throws(VaultError) in
            let masterKey = try checked.vault.open(code: code)
            return try checked.vault.replacingPassword(
                password, cost: kdf.cost, masterKey: masterKey)
        }
        return WorkDone(
            .done(remarks: warnings(password)),
            [.put(.vault(id), file.bytes), resetAttempts(id, device)],
            records: [record(of: id, keys)])
    }

    private func recoveryCode(
        _ text: borrowing SecretBytes
    ) throws(VaultRefusal) -> RecoveryCode {
        do throws(CheckedTextError) {
            return try RecoveryCode(text: text)
        } catch {
            throw VaultRefusal(error, .recoveryCode)
        }
    }

    /// The secret key that a person typed from a kit.
    func secretKey(_ text: borrowing SecretBytes) throws(VaultRefusal) -> VaultSecretKey {
        do throws(CheckedTextError) {
            return try VaultSecretKey(text: text)
        } catch {
            throw VaultRefusal(error, .secretKey)
        }
    }

    // MARK: Another device key

    /// Seals a vault's secret key, typed from the kit, under this machine's device key. It is held
    /// to the vault before anything is made.
    func adopt(
        _ id: VaultID, _ device: borrowing DeviceKey, _ ledger: borrowing WorkLedger,
        _ keys: borrowing WorkKeys, _ secrets: borrowing SecretFields
    ) throws(VaultRefusal) -> WorkDone {
        let header = try header(id)
        let typed = try secrets.need(.secretKey)
        let secretKey = try secretKey(typed)
        guard secretKey.belongs(to: header) else { throw .wrongSecretKey }
        _ = try check(id, secretKey)
        // At home under this device key a vault needs no adoption, unless the ledger begins anew; its
        // count stays what it is.
        guard !isAtHome(id, device) || !ledger.isOld else { throw .alreadyThere(id) }
        var changes: [StateChange] = [
            .put(.secretKey(id), secretKey.sealed(for: id, under: device))
        ]
        // Where the secret key opened, this is the device key that the count belongs to: it stays,
        // whole or damaged.
        if !opens(id, device), (try? attempts(id, device)) == nil {
            changes.append(resetAttempts(id, device))
        }
        return WorkDone(
            .done(remarks: []), changes, records: [record(of: id, keys)])
    }

    /// Whether the vault's secret key and the ledger open under this device key.
    private func isAtHome(_ id: VaultID, _ device: borrowing DeviceKey) -> Bool {
        guard opens(id, device) else { return false }
        do throws(VaultRefusal) {
            _ = try WorkLedger.open(order, device)
            return true
        } catch {
            return false
        }
    }

    /// Whether the vault's secret key opens under this device key.
    func opens(_ id: VaultID, _ device: borrowing DeviceKey) -> Bool {
        guard let sealed = order.files[.secretKey(id)] else { return false }
        do throws(VaultError) {
            _ = try VaultSecretKey(sealed: sealed, for: id, under: device)
            return true
        } catch {
            return false
        }
    }
}
