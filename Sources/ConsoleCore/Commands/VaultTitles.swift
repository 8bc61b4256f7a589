public import Messages
import StateFiles
import Wire

extension [VaultRow] {
    /// How a person tells one of them from the others: by its name; by its id where it has none; by both
    /// where another one's name can be taken for it.
    public func title(of row: VaultRow, limit: Int = 60) -> String {
        guard !row.name.isEmpty else { return "vault \(row.id)" }
        let name = VisibleText(row.name, limit: limit).description
        return hasTwin(of: row) ? "\(name) (vault \(row.id))" : name
    }

    /// Whether another one of them has a name that can be taken for this one's.
    func hasTwin(of row: VaultRow) -> Bool {
        !row.name.isEmpty
            && contains { $0.id != row.id && GivenName.areTwins($0.name, row.name) }
    }
}
