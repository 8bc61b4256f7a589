import Hashing
import Messages
import StateFiles
import Vault
import Wire

/// The items of a vault as they lie here, seen without the vault's own key.
struct ItemsHere {
    /// SHA-256 of every file that could be read to its end; nil for one that could not.
    fileprivate(set) var digests: [ItemID: Bytes32?] = [:]
    /// Whether the log agrees with its head; where neither is here, too.
    fileprivate(set) var isLogWhole = true

    /// How an item of a backup compares with the one that is here.
    func presence(of item: ItemID, _ digest: Bytes32) -> RestorePlan.Presence {
        guard let here = digests[item] else { return .absent }
        guard let here else { return .damaged }
        return here == digest ? .same : .different
    }
}

extension VaultWork {
    /// The items that are here. What the disk does not give is damaged, and no reason to stop.
    func itemsHere(_ id: VaultID) throws(VaultRefusal) -> ItemsHere {
        var here = ItemsHere()
        for case .item(id, let item) in order.all { here.digests[item] = .some(nil) }
        guard
            order.contains(.itemsHead(id)) || order.contains(.itemsLog(id))
                || !here.digests.isEmpty
        else { return here }
        here.isLogWhole = false
        do throws(VaultRefusal) {
            here.isLogWhole = try isLogWhole(id)
            for item in here.digests.keys.sorted() {
                guard try fed.size(of: .item(id, item)) != nil else { continue }
                var hash = SHA256()
                try fed.read(.item(id, item)) { bytes throws(VaultRefusal) in hash.update(bytes) }
                here.digests[item] = hash.finalize()
            }
        } catch {
            guard case .diskUnread = error else { throw error }
        }
        return here
    }

    /// The log and its head, without the records that are sealed in it.
    private func isLogWhole(_ id: VaultID) throws(VaultRefusal) -> Bool {
        let name = LogName.items(id)
        var log = LogReader(name, publicKey: nil)
        try fed.read(.itemsLog(id)) { bytes throws(VaultRefusal) in
            log.append(bytes, keys: NoLogKeys(name: name)) { _, _ in }
        }
        guard let head = head(.itemsHead(id)) else { return false }
        return log.finish(head: head).isEmpty
    }

    /// A head that is here and signed by the key it names.
    func head(_ file: StateFile) -> LogHead? {
        order.files[file].flatMap { try? LogHead($0) }
    }
}
