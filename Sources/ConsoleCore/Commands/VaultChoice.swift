import Configuration
public import Messages
import StateFiles
import Wire

/// Which vault a person means.
public enum VaultChoice {
    /// Why no vault is meant.
    public enum Problem: Error, Hashable, Sendable, CustomStringConvertible {
        case none(VaultKind?)
        case unknown(String, nearest: String?)
        case several([String])

        /// The sentence for a person.
        public var description: String {
            switch self {
            case .none(.items): "there is no items vault; bulkhead items create NAME makes one"
            case .none: "there is no wallet; bulkhead wallet create NAME makes one"
            case .unknown(let name, let nearest?):
                "there is no vault \(VisibleText(name, limit: 80)); did you mean \(nearest)?"
            case .unknown(let name, nil):
                "there is no vault \(VisibleText(name, limit: 80)); bulkhead wallet list shows all"
            case .several(let ids):
                "several vaults fit; name one, by its id where names are the same: "
                    + ids.joined(separator: ", ")
            }
        }
    }

    /// The vault of this id or name; without one the only vault of the kind.
    ///
    /// An id comes first: anybody may give a vault of theirs the name that is another one's id.
    public static func find(
        _ name: String?, kind: VaultKind?, in rows: [VaultRow]
    ) throws(Problem) -> VaultRow {
        if let row = rows.first(where: { $0.id.description == name }) { return row }
        let fitting = rows.filter { row in
            guard let name else { return kind == nil || row.kind == kind }
            return row.name == name
        }
        if fitting.count == 1 { return fitting[0] }
        guard fitting.isEmpty else {
            throw .several(fitting.map { "\(VisibleText($0.name, limit: 80)) (\($0.id))" })
        }
        guard let name else { throw .none(kind) }
        let nearest = rows.map(\.name).filter { !$0.isEmpty }.nearest(to: name)
        throw .unknown(name, nearest: nearest.map { VisibleText($0, limit: 80).description })
    }
}
