import Messages
import StateFiles
import Vault
import Wire

extension VaultWork {
    /// The name under which a person knows the vault.
    func name(
        of id: VaultID, _ keys: borrowing WorkKeys
    ) throws(VaultRefusal) -> String {
        let file = try order.load(.name(id))
        return try keys.withIndex { key throws(VaultRefusal) in
            try opening(id) { () throws(VaultError) in
                try VaultName(sealed: file, for: id, under: key).text
            }
        }
    }

    /// A name that is given now, which no person takes for that of another vault. Nobody comes in between:
    /// one operation runs at a time, and the plan of each that gives a name loads the names of all.
    ///
    /// - Parameter own: the vault that is to have it, if that is here.
    /// - Throws: `badName`.
    func newName(
        _ text: String, of own: VaultID? = nil, _ keys: borrowing WorkKeys
    ) throws(VaultRefusal) -> VaultName {
        let name: VaultName
        do throws(GivenNameError) { name = try VaultName(text) } catch {
            throw .badName(error.description)
        }
        if let twin = twin(of: text, besides: own, keys) {
            throw .nameTaken(by: twin.id, called: twin.name)
        }
        return name
    }

    /// Another vault that a person would take for this one by its name. One whose name cannot be verified has
    /// none.
    func twin(
        of text: String, besides own: VaultID?, _ keys: borrowing WorkKeys
    ) -> (id: VaultID, name: String)? {
        for case .name(let id) in order.files.keys.sorted() where id != own {
            if let name = try? self.name(of: id, keys), GivenName.areTwins(name, text) {
                return (id, name)
            }
        }
        return nil
    }

    /// What is said of two vaults that keep one name.
    static func remark(onTwin twin: (id: VaultID, name: String), of id: VaultID) -> String {
        "Vault \(twin.id) is called \(VisibleText(twin.name, limit: 30)) too. Each is known by its id until "
            + "one gets another name: bulkhead wallet rename \(id) NEW-NAME."
    }
}
