public import Bitcoin
public import Wire

/// Names a transaction or block that a peer has or wants.
public struct InventoryItem: Hashable, Sendable {
    /// What the hash names.
    public struct Kind: RawRepresentable, Hashable, Sendable {
        /// The number as it stands in a message; those without a name are kept.
        public let rawValue: UInt32
        /// Takes the number of a message.
        public init(rawValue: UInt32) { self.rawValue = rawValue }

        /// A transaction by txid, wanted without its witnesses.
        public static let transaction = Kind(rawValue: 1)
        /// A block, wanted without witnesses.
        public static let block = Kind(rawValue: 2)
        /// A transaction by wtxid (BIP339).
        public static let witnessTransactionID = Kind(rawValue: 5)
        /// A transaction by txid, wanted with its witnesses (BIP144).
        public static let witnessTransaction = Kind(rawValue: 0x4000_0001)
        /// A block, wanted with witnesses (BIP144).
        public static let witnessBlock = Kind(rawValue: 0x4000_0002)
    }

    /// What the hash names.
    public var kind: Kind
    /// The hash in the order of the wire.
    public var hash: Bytes32

    /// Names something by its hash.
    public init(_ kind: Kind, _ hash: Bytes32) {
        self.kind = kind
        self.hash = hash
    }

    init(from reader: inout Reader) throws(WireError) {
        kind = Kind(rawValue: try reader.readUInt32())
        hash = try reader.readBytes32()
    }

    func write(to writer: inout Writer) {
        writer.write(kind.rawValue)
        writer.write(hash)
    }
}

/// Asks for the headers behind the first hash of the locator that the peer's chain has.
public struct GetHeaders: Hashable, Sendable {
    /// The version of the protocol.
    public var version: Int32
    /// Hashes, the newest first.
    public var locator: [BlockHash]
    /// The last one wanted; all zero for as many as fit.
    public var stop: BlockHash

    /// A question from its parts.
    public init(
        version: Int32 = VersionMessage.current, locator: [BlockHash],
        stop: BlockHash = BlockHash(.zero)
    ) {
        self.version = version
        self.locator = locator
        self.stop = stop
    }

    init(from reader: inout Reader) throws(WireError) {
        version = try reader.readInt32()
        locator = try reader.readList(limit: PeerLimits.locator) { reader throws(WireError) in
            BlockHash(try reader.readBytes32())
        }
        stop = BlockHash(try reader.readBytes32())
    }

    func write(to writer: inout Writer) {
        writer.write(version)
        writer.writeList(locator) { $0.write($1.bytes) }
        writer.write(stop.bytes)
    }
}

extension Reader {
    /// Reads a count of at most `limit` and as many items.
    mutating func readList<Item>(
        limit: Int, _ read: (inout Reader) throws(WireError) -> Item
    ) throws(WireError) -> [Item] {
        let count = try readCount(limit: limit)
        var items: [Item] = []
        // The bytes that came bound what is reserved, not the count.
        items.reserveCapacity(min(count, remaining / 30 + 1))
        for _ in 0..<count { items.append(try read(&self)) }
        return items
    }
}

extension Writer {
    /// Appends the count of the items, then each.
    mutating func writeList<Item>(_ items: [Item], _ write: (inout Writer, Item) -> Void) {
        writeCompactSize(items.count)
        for item in items { write(&self, item) }
    }
}
