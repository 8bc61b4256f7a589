public import StateFiles
public import Wire

/// The items that are there, as their log tells from its first entry on.
public struct ItemsCatalogue: Sendable {
    /// An item and when it was added.
    public struct Item: Hashable, Sendable {
        /// What is known of it.
        public let record: ItemRecord
        /// Its name now.
        public fileprivate(set) var name: String
        /// When it was added, in seconds since 1970.
        public let addedAt: UInt64
    }

    /// Why an authentic entry cannot follow the ones before it.
    public enum Failure: Error, Hashable, Sendable {
        /// It does not decode; a newer release may have written it.
        case malformed(entry: UInt64, WireError)
        /// It adds an item that is there, or changes one that is not.
        case contradiction(entry: UInt64)
    }

    private var byID: [ItemID: Item] = [:]
    private var order: [ItemID] = []

    /// Nothing yet.
    public init() {}

    /// Follows one entry of the log.
    public mutating func apply(_ record: [UInt8], of entry: LogEntry) throws(Failure) {
        switch try Self.event(record, entry.counter) {
        case .added(let record):
            guard byID[record.id] == nil else { throw .contradiction(entry: entry.counter) }
            byID[record.id] = Item(record: record, name: record.name, addedAt: entry.time)
            order.append(record.id)
        case .removed(let id):
            guard byID.removeValue(forKey: id) != nil else {
                throw .contradiction(entry: entry.counter)
            }
        // The order is cleaned when it is asked for: a removal stays cheap.
        case .renamed(let id, let name):
            guard byID[id] != nil else { throw .contradiction(entry: entry.counter) }
            byID[id]?.name = name
        }
    }

    /// How many items there are.
    public var count: Int { byID.count }

    /// The items in the order they were added.
    public var items: [Item] { order.compactMap { byID[$0] } }

    /// The item with this id.
    public subscript(id: ItemID) -> Item? { byID[id] }

    private static func event(
        _ record: [UInt8], _ entry: UInt64
    ) throws(Failure) -> ItemsEvent {
        do throws(WireError) {
            return try ItemsEvent(record)
        } catch {
            throw .malformed(entry: entry, error)
        }
    }
}

extension ItemsCatalogue.Failure: CustomStringConvertible {
    /// One sentence: what and where.
    public var description: String {
        switch self {
        case .malformed(let entry, let error):
            "entry \(entry) of the items' log cannot be read: \(error)"
        case .contradiction(let entry):
            "entry \(entry) of the items' log contradicts the ones before it"
        }
    }
}
