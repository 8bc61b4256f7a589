import KeyTree
public import Messages
import SecretMemory
import StateFiles
import Vault

/// What happens inside a worker: an order and its ports go in, a result comes out.
public enum SignerWork {
    /// Does one stage of an operation.
    public static func perform(_ order: WorkOrder, through ports: any WorkPorts) -> VaultResult {
        let work = VaultWork(order, ports)
        do throws(VaultRefusal) {
            return try work.perform()
        } catch {
            return .refused(error, [])
        }
    }
}

/// One operation: what was asked, the files it is about, and the ports of its worker.
struct VaultWork {
    let order: WorkOrder
    let ports: any WorkPorts
    /// The large files that come through a port.
    let fed: FedFiles
    let progress = Progress()

    /// How far an operation is.
    final class Progress {
        /// Whether the password was right: the count of failures begins anew then, whatever else is
        /// refused.
        var isOpen = false
    }

    init(_ order: WorkOrder, _ ports: any WorkPorts) {
        self.order = order
        self.ports = ports
        fed = FedFiles(ports)
    }

    fileprivate func perform() throws(VaultRefusal) -> VaultResult {
        if case .approve(_, let approval, let wantsTransaction) = order.request {
            switch order.stage {
            case .check:
                _ = try checkApproval(approval)
                return .done(.done(remarks: []), [])
            case .carryOut: return try sign(approval)
            case .merge(let signatures):
                return try merge(signatures, wantsTransaction: wantsTransaction)
            case .count, .record, .pair: break
            }
        }
        let keys = try WorkKeys.read(order, ports)
        return switch order.stage {
        case .count: .counted(try count(keys))
        case .carryOut: try carryOut(keys)
        case .record(let events): try record(events, keys)
        case .pair: .paired(paired(keys))
        case .check, .merge: preconditionFailure("only an approval has such a stage")
        }
    }

    /// Does what was asked. A password among the secrets was counted as an attempt before.
    func carryOut(_ keys: borrowing WorkKeys) throws(VaultRefusal) -> VaultResult {
        if case .restoreCheck(let id) = order.request { return try checkRestore(of: id, keys) }
        guard order.request.ledgerOperation != nil else { return try look(keys) }
        return try keys.withDevice { device throws(VaultRefusal) in
            let ledger = try ledger(device)
            let secrets = try ports.secrets(for: order.request)
            do throws(VaultRefusal) {
                let done = try perform(device, ledger, keys, secrets)
                let entries = try ledger.changes(done.records, at: order.time)
                if let output = done.output { try ports.write(output) }
                return .done(done.answer, keys.changes + done.changes + entries)
            } catch {
                if let near = suggestions(error, secrets) { try ports.write(near) }
                return .refused(error, try changes(after: error, device, ledger))
            }
        }
    }

    /// What is kept of an operation that was refused.
    func changes(
        after refusal: VaultRefusal, _ device: borrowing DeviceKey, _ ledger: borrowing WorkLedger
    ) throws(VaultRefusal) -> [StateChange] {
        guard ledger.isOld else { return [] }
        let entries = try ledger.changes(records(of: refusal), at: order.time)
        guard progress.isOpen, let id = order.request.vault else { return entries }
        return [resetAttempts(id, device)] + entries
    }

    private func ledger(_ device: borrowing DeviceKey) throws(VaultRefusal) -> WorkLedger {
        guard case .adopt = order.request else { return try WorkLedger.open(order, device) }
        let ledger = WorkLedger.openOrBegin(order, device)
        guard ledger.isOld else { return ledger }
        // One that does not hold would refuse every entry from now on.
        let holds = try read(ledger) { _, _ in }.isEmpty
        return holds ? ledger : WorkLedger.begin(besides: order, device)
    }

    /// What changes nothing and is not recorded.
    private func look(_ keys: borrowing WorkKeys) throws(VaultRefusal) -> VaultResult {
        let answer: VaultAnswer =
            switch order.request {
            case .list: list(keys)
            case .index(let id): try index(id, keys)
            case .addresses(let id, let range): try addresses(range, of: id, keys)
            case .findAddress(let text, let depth): try findAddress(text, depth: depth, keys)
            case .ledgerList(let first, let count):
                try ledgerList(from: first, count: count, keys)
            case .ledgerExport: try ledgerExport(keys)
            case .ledgerVerify: try ledgerVerify(keys)
            case .importedLedgers: importedLedgers()
            case .importedLedger(let id, let reading): try importedLedger(id, reading, keys)
            default: preconditionFailure("it is recorded")
            }
        return .done(answer, [])
    }

    /// What is done under the device key and recorded.
    private func perform(
        _ device: borrowing DeviceKey, _ ledger: borrowing WorkLedger,
        _ keys: borrowing WorkKeys, _ secrets: borrowing SecretFields
    ) throws(VaultRefusal) -> WorkDone {
        switch order.request {
        case .create(let new, let words, let usesDice, let hasPassphrase):
            try create(
                new, words: words, usesDice: usesDice, hasPassphrase: hasPassphrase, keys, secrets)
        case .importWords(let new, let hasPassphrase):
            try importWords(new, hasPassphrase: hasPassphrase, keys, secrets)
        case .importXprv(let new): try importXprv(new, keys, secrets)
        case .rebuildIndex(let id): try rebuildIndex(id, device, keys, secrets)
        case .showPhrase(let id): try showPhrase(id, device, keys, secrets)
        case .changePassword(let id, let kdf): try changePassword(id, kdf, device, keys, secrets)
        case .rename(let id, let name): try rename(id, to: name, device, keys, secrets)
        case .delete(let id, let name): try delete(id, named: name, device, ledger, keys, secrets)
        case .newKit(let id): try newKit(id, device, ledger, keys, secrets)
        case .openWithCode(let id, let kdf): try openWithCode(id, kdf, device, keys, secrets)
        case .adopt(let id): try adopt(id, device, ledger, keys, secrets)
        case .backup(let id): try backup(id, device, ledger, keys, secrets)
        case .restore(let id): try restore(id, keys, secrets, isCheck: false)
        case .itemsAdd(let id): try addItem(id, device, secrets)
        case .itemsList(let id): try listItems(id, device, keys, secrets)
        case .itemsGet(let id, let item): try getItem(item, id, device, secrets)
        case .itemsRemove(let id, let item): try removeItem(item, id, device, secrets)
        case .signMessage(let id, let message): try sign(message, id, device, keys, secrets)
        case .list, .index, .addresses, .findAddress, .restoreCheck, .ledgerList, .ledgerExport,
            .ledgerVerify, .importedLedgers, .importedLedger, .approve:
            preconditionFailure("it is not done here")
        }
    }

    // MARK: Words near to those that are in no list

    /// For the person who typed the words, and nobody else: a line for each place and word. The
    /// broker learns the places only.
    private func suggestions(
        _ refusal: VaultRefusal, _ secrets: borrowing SecretFields
    ) -> SecretBytes? {
        guard case .malformed(.words, _, _) = refusal, let text = secrets.copy(.words) else {
            return nil
        }
        do throws(MnemonicError) {
            _ = try Mnemonic(text: text)
            return nil
        } catch {
            guard case .unknownWords(let places) = error else { return nil }
            var output = SecretFieldsWriter()
            output.write(.suggestions, Mnemonic.suggestions(forPlaces: places, in: text))
            return output.finish()
        }
    }
}
