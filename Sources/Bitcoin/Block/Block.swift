public import Wire

/// A header with its transactions. Any bytes that parse give back the same bytes.
public struct Block: Hashable, Sendable {
    /// What miners hashed.
    public var header: BlockHeader
    /// The transactions, the coinbase first.
    public var transactions: [Transaction]

    /// Consensus allows no more (BIP141).
    public static let maximumWeight = 4_000_000

    /// A block from its parts.
    public init(header: BlockHeader, transactions: [Transaction]) {
        self.header = header
        self.transactions = transactions
    }

    /// Reads a whole buffer.
    public init(_ bytes: [UInt8]) throws(TransactionError) {
        var reader = Reader(bytes)
        try self.init(from: &reader)
        try wire { () throws(WireError) in try reader.finish() }
    }

    /// Reads one block and leaves the reader behind it.
    public init(from reader: inout Reader) throws(TransactionError) {
        let (header, count) = try wire { () throws(WireError) in
            (try BlockHeader(from: &reader), try reader.readItemCount(minimumItemSize: 10))
        }
        self.header = header
        transactions = []
        transactions.reserveCapacity(count)
        for _ in 0..<count { transactions.append(try Transaction(from: &reader)) }
    }

    /// Appends header, count and transactions.
    public func write(to writer: inout Writer) {
        header.write(to: &writer)
        writer.writeCompactSize(transactions.count)
        for transaction in transactions { transaction.write(to: &writer) }
    }

    /// Header, count and transactions.
    public var serialized: [UInt8] {
        let frame = BlockHeader.size + compactSizeLength(transactions.count)
        var writer = Writer(capacity: transactions.reduce(frame) { $0 + $1.totalSize })
        write(to: &writer)
        return writer.bytes
    }

    /// Four for each byte outside witnesses, one for each byte of them (BIP141).
    public var weight: Int {
        let frame = BlockHeader.size + compactSizeLength(transactions.count)
        return transactions.reduce(4 * frame) { $0 + $1.weight }
    }
}
