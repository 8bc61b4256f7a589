import Messages
import StateFiles

extension VaultRequest {
    /// Whether a worker that does this may make the change: a worker that was taken over reaches the
    /// files of its own operation and no others.
    func allows(_ change: StateChange, in state: StateListing) -> Bool {
        if change.isRecord { return true }
        // The first entry of all makes the file.
        if case .put(.ledgerEntries, _) = change, !state.files.contains(.ledgerEntries) {
            return true
        }
        if case .copy(let source, _) = change { return allowsCopy(of: source, change.file) }
        if resets(change) { return true }
        switch self {
        case .list, .index, .addresses, .findAddress, .showPhrase, .ledgerList, .ledgerExport,
            .ledgerVerify, .importedLedgers, .importedLedger,
            .restoreCheck, .backup, .itemsList, .itemsGet, .approve, .signMessage:
            return false
        case .create, .importWords, .importXprv:
            return isNewVault(change, state) || change.isKey
        case .changePassword(let id, _), .newKit(let id), .openWithCode(let id, _):
            return [.vault(id), .attempts(id)].contains(change.file)
        case .rename(let id, _): return change.file == .name(id)
        case .delete(let id, _):
            return change == .remove(change.file) && change.file.vault == id
        case .adopt(let id):
            return [.secretKey(id), .attempts(id)].contains(change.file) || change.file.isLedger
                || change == .adopt(.deviceKey)
        case .rebuildIndex(let id):
            return [.index(id), .name(id)].contains(change.file) || change == .adopt(.indexKey)
        case .restore(let id): return allowsRestored(change, of: id, state)
        case .itemsAdd(let id), .itemsRemove(let id, _): return change.file.isItems(of: id)
        }
    }

    /// Whether the change is of the count of failed passwords, which a right one begins anew.
    func resets(_ change: StateChange) -> Bool {
        guard takesPassword, let vault, case .put(let file, _) = change else { return false }
        return file == .attempts(vault)
    }

    private func isNewVault(_ change: StateChange, _ state: StateListing) -> Bool {
        guard let id = change.file.vault else { return false }
        return !state.vaults.contains(id)
    }

    /// A lost ledger is set aside unread, and a restored one lies beside this machine's.
    private func allowsCopy(of source: StateFile, _ target: StateFile) -> Bool {
        guard case .adopt = self else { return false }
        return source.isLedger && target.isImportedLedger
    }

    private func allowsRestored(
        _ change: StateChange, of id: VaultID, _ state: StateListing
    ) -> Bool {
        if change.isKey || change.file.isImportedLedger { return true }
        guard change.file.vault == id else { return false }
        // A restore is no way to begin the count anew.
        return change.file != .attempts(id) || !state.files.contains(.attempts(id))
    }
}

extension StateChange {
    /// Whether it belongs to an entry of the ledger.
    var isRecord: Bool {
        switch self {
        case .put(let file, _): file == .ledgerKey || file == .ledgerHead
        case .append(let file, _, _): file == .ledgerEntries
        case .remove, .adopt, .copy: false
        }
    }

    /// Whether it gives a new key its name.
    var isKey: Bool { self == .adopt(.deviceKey) || self == .adopt(.indexKey) }
}

extension StateFile {
    /// Whether it is of this machine's ledger.
    var isLedger: Bool { [.ledgerKey, .ledgerHead, .ledgerEntries].contains(self) }

    fileprivate func isItems(of id: VaultID) -> Bool {
        switch self {
        case .itemsLog(id), .itemsHead(id), .item(id, _): true
        default: false
        }
    }
}
