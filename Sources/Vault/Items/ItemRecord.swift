import Hashing
public import StateFiles
public import Wire

/// What is known of an item: only the encrypted log holds it.
public struct ItemRecord: Hashable, Sendable {
    /// The longest name, in bytes.
    public static let maximumName = 255
    /// The longest type, in bytes.
    public static let maximumType = 127

    /// The item.
    public let id: ItemID
    /// Its name, as the person gave it.
    public let name: String
    /// What it is, as a media type such as `image/jpeg`.
    public let type: String
    /// Its size before sealing, in bytes.
    public let size: UInt64
    /// When the file was last changed before it was added, in seconds since 1970.
    public let modifiedAt: UInt64
    /// SHA-256 of the header of its stream, so that no other file takes its place.
    public let headerDigest: Bytes32

    /// What is known of an item. Name and type are cut at their limits.
    public init(
        header: StreamHeader, name: String, type: String, size: UInt64, modifiedAt: UInt64
    ) {
        guard case .item(let id) = header.kind else { preconditionFailure("no item") }
        self.init(
            id: id, name: name, type: type, size: size, modifiedAt: modifiedAt,
            headerDigest: SHA256.hash(header.bytes))
    }

    private init(
        id: ItemID, name: String, type: String, size: UInt64, modifiedAt: UInt64,
        headerDigest: Bytes32
    ) {
        self.id = id
        self.name = name
        self.type = type
        self.size = size
        self.modifiedAt = modifiedAt
        self.headerDigest = headerDigest
    }

    /// Whether a file with this header is the item's.
    public func belongs(_ header: StreamHeader) -> Bool {
        SHA256.hash(header.bytes) == headerDigest
    }

    func encode(into writer: inout Writer) {
        id.encode(into: &writer)
        writer.write(text: name, limit: Self.maximumName)
        writer.write(text: type, limit: Self.maximumType)
        writer.write(size)
        writer.write(modifiedAt)
        writer.write(headerDigest)
    }

    init(from reader: inout Reader) throws(WireError) {
        self.init(
            id: try ItemID(from: &reader), name: try reader.readText(limit: Self.maximumName),
            type: try reader.readText(limit: Self.maximumType), size: try reader.readUInt64(),
            modifiedAt: try reader.readUInt64(), headerDigest: try reader.readBytes32())
    }
}

/// One entry of the items' log.
public enum ItemsEvent: Hashable, Sendable {
    /// An item was added.
    case added(ItemRecord)
    /// An item was removed.
    case removed(ItemID)
    /// An item has another name from now on.
    case renamed(ItemID, name: String)

    /// As the log takes it.
    public func logRecord(of vault: VaultID) -> LogRecord {
        var writer = Writer()
        switch self {
        case .added(let record):
            writer.write(UInt8(1))
            record.encode(into: &writer)
        case .removed(let id):
            writer.write(UInt8(2))
            id.encode(into: &writer)
        case .renamed(let id, let name):
            writer.write(UInt8(3))
            id.encode(into: &writer)
            writer.write(text: name, limit: ItemRecord.maximumName)
        }
        return LogRecord(.vault(vault), writer.bytes)
    }

    /// Reads the record of an entry.
    public init(_ bytes: [UInt8]) throws(WireError) {
        var reader = Reader(bytes)
        let number = try reader.readUInt8()
        switch number {
        case 1: self = .added(try ItemRecord(from: &reader))
        case 2: self = .removed(try ItemID(from: &reader))
        case 3:
            self = .renamed(
                try ItemID(from: &reader), name: try reader.readText(limit: ItemRecord.maximumName))
        default: throw .unknownValue(position: 0, found: UInt64(number))
        }
        try reader.finish()
    }
}
