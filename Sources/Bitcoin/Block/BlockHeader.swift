import Hashing
public import Wire

/// The 80 bytes that miners hash.
public struct BlockHeader: Hashable, Sendable {
    /// Version bits (BIP9).
    public var version: Int32
    /// The block before.
    public var previous: BlockHash
    /// Commits to the transactions.
    public var merkleRoot: Bytes32
    /// Seconds since 1970, by the miner's clock.
    public var time: UInt32
    /// What the hash must not exceed.
    public var bits: CompactTarget
    /// What miners vary.
    public var nonce: UInt32

    /// Bytes of a header.
    public static let size = 80

    /// A header from its parts.
    public init(
        version: Int32, previous: BlockHash, merkleRoot: Bytes32, time: UInt32,
        bits: CompactTarget, nonce: UInt32
    ) {
        self.version = version
        self.previous = previous
        self.merkleRoot = merkleRoot
        self.time = time
        self.bits = bits
        self.nonce = nonce
    }

    /// Reads 80 bytes.
    public init(from reader: inout Reader) throws(WireError) {
        version = try reader.readInt32()
        previous = BlockHash(try reader.readBytes32())
        merkleRoot = try reader.readBytes32()
        time = try reader.readUInt32()
        bits = CompactTarget(rawValue: try reader.readUInt32())
        nonce = try reader.readUInt32()
    }

    /// Appends 80 bytes.
    public func write(to writer: inout Writer) {
        writer.write(version)
        writer.write(previous.bytes)
        writer.write(merkleRoot)
        writer.write(time)
        writer.write(bits.rawValue)
        writer.write(nonce)
    }

    /// The 80 bytes.
    public var serialized: [UInt8] {
        var writer = Writer(capacity: BlockHeader.size)
        write(to: &writer)
        return writer.bytes
    }

    /// Names the block.
    public var hash: BlockHash {
        // Without an array: a chain has a million headers.
        withUnsafeTemporaryAllocation(byteCount: BlockHeader.size, alignment: 8) { buffer in
            buffer.storeBytes(of: version.littleEndian, as: Int32.self)
            previous.bytes.withUnsafeBytes { buffer[4..<36].copyBytes(from: $0) }
            merkleRoot.withUnsafeBytes { buffer[36..<68].copyBytes(from: $0) }
            buffer.storeBytes(of: time.littleEndian, toByteOffset: 68, as: UInt32.self)
            buffer.storeBytes(of: bits.rawValue.littleEndian, toByteOffset: 72, as: UInt32.self)
            buffer.storeBytes(of: nonce.littleEndian, toByteOffset: 76, as: UInt32.self)
            return BlockHash(SHA256.hash(SHA256.hash(UnsafeRawBufferPointer(buffer))))
        }
    }

    /// Whether a header with this hash has done the work that its own nBits ask for, and these ask
    /// for no less than the network does.
    public func provesWork(hash: BlockHash, limit: UInt256) -> Bool {
        guard let target = try? bits.target(), target <= limit else { return false }
        return UInt256(littleEndian: hash.bytes) <= target
    }
}
