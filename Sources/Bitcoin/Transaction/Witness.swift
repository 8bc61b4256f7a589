public import Wire

/// The witness stack of one input (BIP141), bottom first.
public struct Witness: Hashable, Sendable {
    /// The items, bottom of the stack first.
    public var items: [[UInt8]]

    /// A stack of `items`, bottom first.
    public init(_ items: [[UInt8]] = []) { self.items = items }

    /// No items.
    public static let empty = Witness()

    /// Whether there is no item.
    public var isEmpty: Bool { items.isEmpty }

    /// The annex of a taproot input (BIP341): the last of two or more items, if it starts with 0x50.
    public var annex: [UInt8]? {
        guard items.count >= 2, let last = items.last, last.first == 0x50 else { return nil }
        return last
    }

    /// Reads a count and that many length-prefixed items.
    public init(from reader: inout Reader) throws(WireError) {
        let count = try reader.readItemCount(minimumItemSize: 1)
        items = []
        items.reserveCapacity(count)
        for _ in 0..<count { items.append(try reader.readVarBytes()) }
    }

    /// Reads a whole buffer.
    public init(_ bytes: [UInt8]) throws(WireError) {
        var reader = Reader(bytes)
        try self.init(from: &reader)
        try reader.finish()
    }

    /// Appends the count and the length-prefixed items.
    public func write(to writer: inout Writer) {
        writer.writeCompactSize(items.count)
        for item in items { writer.writeVarBytes(item) }
    }

    /// The count and the length-prefixed items.
    public var serialized: [UInt8] {
        var writer = Writer(capacity: serializedSize)
        write(to: &writer)
        return writer.bytes
    }

    /// Bytes of `serialized`.
    public var serializedSize: Int {
        items.reduce(compactSizeLength(items.count)) { $0 + compactSizeLength($1.count) + $1.count }
    }
}
