public import Bitcoin
public import Chain
import TestSupport
import Wire

/// Blocks with their filters, of any branch.
public struct BlockTree: Sendable {
    /// A block and what follows from it.
    public struct Entry: Sendable {
        /// The block.
        public let block: Block
        /// Its filter.
        public let filter: [UInt8]
        /// Its height.
        public let height: Int
        /// Commits to its filter and all below.
        public let filterHeader: FilterHeader
    }

    /// The blocks by their hash.
    public private(set) var entries: [BlockHash: Entry] = [:]

    /// A tree of nothing.
    public init() {}

    /// A block by its hash.
    public subscript(hash: BlockHash) -> Entry? { entries[hash] }

    /// Takes a block whose parent is there, or the genesis block.
    @discardableResult
    public mutating func insert(_ block: Block, _ filter: [UInt8]) -> BlockHash {
        let parent = entries[block.header.previous]
        let hash = block.header.hash
        entries[hash] = Entry(
            block: block, filter: filter, height: parent.map { $0.height + 1 } ?? 0,
            filterHeader: BlockTree.hash(of: filter).header(
                after: parent?.filterHeader ?? .beforeGenesis))
        return hash
    }

    /// The hashes from the genesis block to a block.
    public func path(to hash: BlockHash) -> [BlockHash] {
        var path: [BlockHash] = []
        var next = hash
        while let entry = entries[next] {
            path.append(next)
            next = entry.block.header.previous
        }
        return path.reversed()
    }

    /// The double hash of a filter.
    public static func hash(of filter: [UInt8]) -> FilterHash {
        (try? CompactFilter(filter))?.hash ?? FilterHash(.zero)
    }

    /// Takes the blocks and filters of a recorded chain, no more than so many; gives back their hashes
    /// in order.
    public mutating func insert(
        recorded name: String, most: Int = .max
    ) throws -> [BlockHash] {
        var reader = Reader(try Fixture.bytes("chain/\(name).bin"))
        var hashes: [BlockHash] = []
        while !reader.isAtEnd, hashes.count < most {
            let block = try Block(reader.read(Int(reader.readUInt32())))
            let filter = try reader.read(Int(reader.readUInt32()))
            _ = try reader.readBytes32()
            hashes.append(insert(block, filter))
        }
        return hashes
    }
}
