import Configuration
public import JSON
public import StateFiles
import Wire

/// The items of a vault as the signer lists them: a JSON object a line, with `id`, `name`, `type`,
/// `size`, `modified` and `added`.
public enum ItemList {
    /// Why no item is meant.
    public enum Problem: Error, Hashable, Sendable, CustomStringConvertible {
        case unknown(String, nearest: String?)
        case several([String])

        /// The sentence for a person.
        public var description: String {
            switch self {
            case .unknown(let name, let nearest?):
                "there is no item \(VisibleText(name, limit: 80)); did you mean "
                    + "\(VisibleText(nearest, limit: 80))?"
            case .unknown(let name, nil):
                "there is no item \(VisibleText(name, limit: 80)); bulkhead items list shows all"
            case .several(let ids):
                "several items have that name; name one by its id: " + ids.joined(separator: ", ")
            }
        }
    }

    /// Reads the list.
    public static func items(in bytes: [UInt8]) throws(JSONError) -> [JSONValue] {
        var items: [JSONValue] = []
        for line in bytes.split(separator: 0x0A) { items.append(try JSONReader.read(Array(line))) }
        return items
    }

    /// The item of this name.
    public static func find(_ name: String, in items: [JSONValue]) throws(Problem) -> ItemID {
        let fitting = items.filter { $0["name"]?.string == name }
            .compactMap { $0["id"]?.string }
        guard fitting.count < 2 else { throw .several(fitting) }
        guard let text = fitting.first, let id = ItemID(text: text) else {
            throw .unknown(name, nearest: items.compactMap { $0["name"]?.string }.nearest(to: name))
        }
        return id
    }

    /// What a person reads.
    public static func lines(of items: [JSONValue]) -> [String] {
        guard !items.isEmpty else { return ["no items yet: bulkhead items add FILE"] }
        var table = TextTable(["NAME", "BYTES", "CHANGED", "ID"])
        for item in items {
            let changed = item["modified"]?.integer ?? 0
            table.append([
                VisibleText(item["name"]?.string ?? "?", limit: 60).description,
                String(item["size"]?.integer ?? 0),
                UTCTime(seconds: UInt64(max(0, changed))).date, item["id"]?.string ?? "?",
            ])
        }
        return table.lines
    }
}
