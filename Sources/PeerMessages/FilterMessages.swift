public import Bitcoin
public import Chain
import Wire

/// The kind of filter of BIP158, the only one that there is.
public let basicFilterType: UInt8 = 0

/// Asks for the filters, or their hashes, from a height up to a block.
public struct FilterRange: Hashable, Sendable {
    /// The kind of filter.
    public var type: UInt8
    /// The first block.
    public var start: UInt32
    /// The last block.
    public var stop: BlockHash

    /// A question from its parts.
    public init(type: UInt8 = basicFilterType, start: UInt32, stop: BlockHash) {
        self.type = type
        self.start = start
        self.stop = stop
    }

    init(from reader: inout Reader) throws(WireError) {
        type = try reader.readUInt8()
        start = try reader.readUInt32()
        stop = BlockHash(try reader.readBytes32())
    }

    func write(to writer: inout Writer) {
        writer.write(type)
        writer.write(start)
        writer.write(stop.bytes)
    }
}

/// The filter of a block.
public struct FilterAnswer: Hashable, Sendable {
    /// The kind of filter.
    public var type: UInt8
    /// The block.
    public var block: BlockHash
    /// The filter, which may be none: `CompactFilter` tells.
    public var filter: [UInt8]

    /// An answer from its parts.
    public init(type: UInt8 = basicFilterType, block: BlockHash, filter: [UInt8]) {
        self.type = type
        self.block = block
        self.filter = filter
    }

    init(from reader: inout Reader) throws(WireError) {
        type = try reader.readUInt8()
        block = BlockHash(try reader.readBytes32())
        filter = try reader.readVarBytes(limit: PeerLimits.filterSize)
    }

    func write(to writer: inout Writer) {
        writer.write(type)
        writer.write(block.bytes)
        writer.writeVarBytes(filter)
    }
}

/// The hashes of filters up to a block.
public struct FilterHashes: Hashable, Sendable {
    /// The kind of filter.
    public var type: UInt8
    /// The block of the last filter.
    public var stop: BlockHash
    /// The filter header that the first one follows.
    public var previous: FilterHeader
    /// The hashes, in order.
    public var hashes: [FilterHash]

    /// An answer from its parts.
    public init(
        type: UInt8 = basicFilterType, stop: BlockHash, previous: FilterHeader,
        hashes: [FilterHash]
    ) {
        self.type = type
        self.stop = stop
        self.previous = previous
        self.hashes = hashes
    }

    init(from reader: inout Reader) throws(WireError) {
        type = try reader.readUInt8()
        stop = BlockHash(try reader.readBytes32())
        previous = FilterHeader(try reader.readBytes32())
        hashes = try reader.readList(limit: PeerLimits.filterHashes) { reader throws(WireError) in
            FilterHash(try reader.readBytes32())
        }
    }

    func write(to writer: inout Writer) {
        writer.write(type)
        writer.write(stop.bytes)
        writer.write(previous.bytes)
        writer.writeList(hashes) { $0.write($1.bytes) }
    }
}

/// Asks for every 1,000th filter header up to a block.
public struct CheckpointRequest: Hashable, Sendable {
    /// The kind of filter.
    public var type: UInt8
    /// The last block.
    public var stop: BlockHash

    /// A question from its parts.
    public init(type: UInt8 = basicFilterType, stop: BlockHash) {
        self.type = type
        self.stop = stop
    }

    init(from reader: inout Reader) throws(WireError) {
        type = try reader.readUInt8()
        stop = BlockHash(try reader.readBytes32())
    }

    func write(to writer: inout Writer) {
        writer.write(type)
        writer.write(stop.bytes)
    }
}

/// Every 1,000th filter header up to a block.
public struct CheckpointAnswer: Hashable, Sendable {
    /// The kind of filter.
    public var type: UInt8
    /// The last block.
    public var stop: BlockHash
    /// The filter headers of blocks 1,000, 2,000 and so on.
    public var headers: [FilterHeader]

    /// An answer from its parts.
    public init(type: UInt8 = basicFilterType, stop: BlockHash, headers: [FilterHeader]) {
        self.type = type
        self.stop = stop
        self.headers = headers
    }

    init(from reader: inout Reader) throws(WireError) {
        type = try reader.readUInt8()
        stop = BlockHash(try reader.readBytes32())
        headers = try reader.readList(limit: PeerLimits.checkpoints) { reader throws(WireError) in
            FilterHeader(try reader.readBytes32())
        }
    }

    func write(to writer: inout Writer) {
        writer.write(type)
        writer.write(stop.bytes)
        writer.writeList(headers) { $0.write($1.bytes) }
    }
}
