import Wire

/// What came through the network process and waits no longer: how it ended, and how long ago.
public struct DecidedEntry: Hashable, Sendable {
    /// How it ended.
    public enum End: UInt8, CaseIterable, Hashable, Sendable {
        /// Somebody approved it.
        case signed = 1
        /// Somebody rejected it.
        case rejected = 2
        /// Nobody decided in time.
        case expired = 3
        /// The only wallet that could have signed it was deleted.
        case walletDeleted = 4
    }

    /// Its number.
    public let id: EntryID
    /// How it ended.
    public let end: End
    /// Seconds since then.
    public let ago: UInt32

    /// One by its parts.
    public init(_ id: EntryID, _ end: End, ago: UInt32) {
        self.id = id
        self.end = end
        self.ago = ago
    }

    init(from reader: inout Reader) throws(WireError) {
        id = try EntryID(from: &reader)
        end = try reader.readCase()
        ago = try reader.readUInt32()
    }

    func encode(into writer: inout Writer) {
        id.encode(into: &writer)
        writer.write(end)
        writer.write(ago)
    }

    /// What a person reads who wanted to decide it.
    var sentence: String {
        let time = counted(ago, "second") + " ago"
        let what =
            switch end {
            case .signed: "was approved at another console and signed \(time)"
            case .rejected: "was rejected at another console \(time)"
            case .expired: "expired \(time), as nobody had decided in time"
            case .walletDeleted: "went \(time), as the wallet that could sign it was deleted"
            }
        return "Number \(id) \(what): nothing is left to decide. See `bulkhead pending`."
    }
}
