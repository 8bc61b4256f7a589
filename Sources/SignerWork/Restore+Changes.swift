import Messages
import SecretMemory
import StateFiles
import Vault

extension Restore {
    /// Holds the vault of the backup against its secret key and the chain, and decides what becomes
    /// of it. Whose backup it is and when it was made.
    func finish(
        _ secretKey: borrowing VaultSecretKey
    ) throws(VaultRefusal) -> BackupInformation {
        guard let information, let plan else { throw .badInput("it does not say whose it is") }
        let file = vault
        let header = try opening(id) { () throws(VaultError) in
            try VaultFile(file).checkOuter(secretKey).file.header
        }
        guard header.id == id else { throw VaultRefusal(VaultError.otherVault(.vault), id) }
        guard header.network.chain == work.order.chain else {
            throw .wrongChain(header.network.chain)
        }
        effect = plan.effect(ofVaultPart: presence(secretKey))
        rows.insert(RestoreRow(what: "vault", effect: .init(effect)), at: 0)
        if effect == .kept { remarks.append("Nothing older comes: \(plan.reasonToKeep).") }
        return information
    }

    private func presence(_ secretKey: borrowing VaultSecretKey) -> RestorePlan.Presence {
        guard let here = work.order.files[.vault(id)] else {
            return work.order.contains(.vault(id)) ? .damaged : .absent
        }
        if here == vault { return .same }
        do throws(VaultRefusal) {
            _ = try work.check(id, secretKey)
            return .different
        } catch {
            return .damaged
        }
    }

    /// What makes the backup true on this machine.
    func changes(
        _ secretKey: borrowing VaultSecretKey, _ device: borrowing DeviceKey,
        _ indexKey: borrowing IndexKey
    ) -> [StateChange] {
        var changes: [StateChange] = staged.map { .adopt($0) }
        if effect.isUsed {
            changes.append(.put(.vault(id), vault))
            // A restore is no way to begin a count anew that is here.
            if !work.order.contains(.attempts(id)) {
                changes.append(work.resetAttempts(id, device))
            }
        }
        if effect.isUsed || !work.opens(id, device) {
            changes.append(.put(.secretKey(id), secretKey.sealed(for: id, under: device)))
        }
        changes += publicChanges(indexKey) + ledgerChanges(device)
        if let itemsHead, staged.contains(.itemsLog(id)) {
            changes.append(.put(.itemsHead(id), itemsHead.bytes))
        }
        return changes
    }

    /// Name and index, authenticated under this machine's key, where there are none that are.
    private func publicChanges(_ key: borrowing IndexKey) -> [StateChange] {
        var changes: [StateChange] = []
        let files = work.order.files
        let nameHere = files[.name(id)].flatMap { file in
            try? VaultName(sealed: file, for: id, under: key)
        }
        if let name, nameHere == nil {
            changes.append(.put(.name(id), name.sealed(for: id, under: key)))
        }
        let indexHere = files[.index(id)].flatMap { file in
            try? PublicIndex(sealed: file, for: id, under: key)
        }
        if let index, indexHere == nil {
            changes.append(.put(.index(id), index.sealed(for: id, under: key)))
        }
        return changes
    }

    /// The ledger of the machine that made the backup lies beside this machine's own.
    private func ledgerChanges(_ device: borrowing DeviceKey) -> [StateChange] {
        guard let head = ledgerHead, case .ledger(let name) = head.name,
            let key = ledgerKey(device)
        else { return [] }
        let entries = StateFile.importedLedgerEntries(name)
        var changes: [StateChange] = []
        if staged.contains(entries) { changes.append(.put(.importedLedgerHead(name), head.bytes)) }
        // The entries may have come with another vault of that machine; each brings the key of its own.
        guard staged.contains(entries) || work.order.contains(entries) else { return [] }
        let before = work.order.files[.importedLedgerKey(name)]
        var keys = before.flatMap { try? ImportedLedgerKeys($0) } ?? ImportedLedgerKeys(key)
        keys.add(key, under: device)
        if keys.bytes != before { changes.append(.put(.importedLedgerKey(name), keys.bytes)) }
        return changes
    }

    private func ledgerKey(_ device: borrowing DeviceKey) -> LedgerKeyFile? {
        switch ledger {
        case .some(let ledger):
            LedgerKeyFile(sealing: ledger.key, publicKey: ledger.publicKey, under: device)
        case .none: nil
        }
    }
}
