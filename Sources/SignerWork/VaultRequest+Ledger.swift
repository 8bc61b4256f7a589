import Messages
import StateFiles
import Vault

extension VaultRequest {
    /// As what the ledger knows the request; nil for one that only looks at what is public.
    var ledgerOperation: LedgerOperation? {
        switch self {
        case .list, .index, .addresses, .findAddress, .ledgerList, .ledgerExport, .ledgerVerify,
            .importedLedgers, .importedLedger, .restoreCheck:
            nil
        case .create: .create
        case .importWords: .importWords
        case .importXprv: .importXprv
        case .showPhrase: .showPhrase
        case .changePassword: .changePassword
        case .rename: .rename
        case .delete: .delete
        case .newKit: .newKit
        case .openWithCode: .openWithCode
        case .adopt: .adopt
        case .rebuildIndex: .rebuildIndex
        case .backup: .backup
        case .restore: .restore
        case .itemsAdd: .addItem
        case .itemsList: .listItems
        case .itemsGet: .readItem
        case .itemsRemove: .removeItem
        case .approve: .sign
        case .signMessage: .signMessage
        }
    }
}

extension VaultRequest {
    /// Whether it gives a person something of what is kept.
    private var shows: Bool {
        switch self {
        case .showPhrase, .newKit, .backup, .itemsList, .itemsGet: true
        default: false
        }
    }

    /// What the ledger is told of a request that ended in its middle, the password right or not known.
    func endedEarly(_ why: String) -> LedgerEvent {
        let what = ledgerOperation.map { " to \($0.verb)" } ?? ""
        let shown = shows ? "; something may have been shown" : ""
        return .damageFound("An attempt\(what) ended early: \(why)\(shown).")
    }
}

extension VaultWork {
    /// A record about one vault.
    func record(_ event: LedgerEvent, of id: VaultID) -> LedgerRecord {
        LedgerRecord(
            event, scope: .vault(id), actor: LedgerActor(user: order.uid, terminal: ""))
    }

    /// A record of what was asked, under the name that the vault has; without one where it cannot be
    /// verified.
    func record(of id: VaultID, _ keys: borrowing WorkKeys) -> LedgerRecord {
        record(of: id, named: (try? name(of: id, keys)) ?? "")
    }

    /// A record of what was asked.
    func record(of id: VaultID, named name: String) -> LedgerRecord {
        guard let operation = order.request.ledgerOperation else {
            preconditionFailure("nothing is recorded of it")
        }
        return record(.operation(operation, name: name), of: id)
    }

    /// What the ledger is told of a refusal: attempts to come in, and what was shown until then.
    func records(of refusal: VaultRefusal) -> [LedgerRecord] {
        guard let id = order.request.vault else { return [] }
        switch refusal {
        case .wrongPassword(let failures, _):
            guard let operation = order.request.ledgerOperation else { return [] }
            return [record(.passwordFailed(operation, failures: failures), of: id)]
        case .wrongCode, .wrongSecretKey:
            guard let code = refusal.ledgerCode else { return [] }
            let told = LedgerRefusal(
                origin: .console, code: code, first: order.time, last: order.time)
            return [record(.refused(told), of: id)]
        case _ where progress.isOpen && ports.hasWritten:
            let why = refusal == .outputFailed ? "its output was closed" : "it was refused"
            return [record(order.request.endedEarly(why), of: id)]
        default: return []
        }
    }
}
