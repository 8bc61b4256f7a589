public import Bitcoin
public import Chain
import Hashing
import TestSupport
import Wire

/// A chain as a full node has it: blocks, their filters, and what follows from both.
public struct ServedChain: Sendable {
    /// The serialised blocks by height.
    public private(set) var blocks: [[UInt8]] = []
    /// The basic filters by height.
    public private(set) var filters: [[UInt8]] = []
    /// The headers by height.
    public private(set) var headers: [BlockHeader] = []
    /// The hashes by height.
    public private(set) var hashes: [BlockHash] = []
    /// The filter headers by height.
    public private(set) var filterHeaders: [FilterHeader] = []
    private var heights: [BlockHash: Int] = [:]

    /// A chain without a block.
    public init() {}

    /// The chain that Bitcoin Core recorded, heights 0 to 2033.
    public static func recorded() throws -> ServedChain {
        var chain = ServedChain()
        try chain.append(file: "core-regtest")
        return chain
    }

    /// This chain, a recorded one, with the recorded branch that leaves it `depth` blocks below its tip.
    public func forked(_ depth: Int) throws -> ServedChain {
        var chain = truncated(to: tipHeight - depth)
        try chain.append(file: "core-regtest-fork-\(depth)")
        return chain
    }

    /// The height of the last block.
    public var tipHeight: Int { blocks.count - 1 }

    /// The height of a block; nil if it is not in the chain.
    public func height(of hash: BlockHash) -> Int? { heights[hash] }

    /// The chain without the blocks above a height.
    public func truncated(to height: Int) -> ServedChain {
        var chain = self
        for hash in hashes[(height + 1)...] { chain.heights[hash] = nil }
        let extra = tipHeight - height
        chain.blocks.removeLast(extra)
        chain.filters.removeLast(extra)
        chain.headers.removeLast(extra)
        chain.hashes.removeLast(extra)
        chain.filterHeaders.removeLast(extra)
        return chain
    }

    /// Appends a block with its filter.
    public mutating func append(header: BlockHeader, block: [UInt8], filter: [UInt8]) {
        let last = filterHeaders.last ?? .beforeGenesis
        heights[header.hash] = blocks.count
        blocks.append(block)
        filters.append(filter)
        headers.append(header)
        hashes.append(header.hash)
        filterHeaders.append(FilterHash(SHA256.doubleHash(filter)).header(after: last))
    }

    private mutating func append(file name: String) throws {
        var reader = Reader(try Fixture.bytes("chain/\(name).bin"))
        while !reader.isAtEnd {
            let block = try reader.read(Int(reader.readUInt32()))
            let filter = try reader.read(Int(reader.readUInt32()))
            _ = try reader.readBytes32()
            append(header: try Block(block).header, block: block, filter: filter)
        }
    }
}
