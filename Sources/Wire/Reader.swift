/// Reads integers and byte strings from a buffer, never beyond its end.
///
/// Integers are little-endian unless the name says otherwise. A length read from the buffer is
/// checked against the bytes that are left before anything is allocated.
public struct Reader: Sendable {
    @usableFromInline let bytes: [UInt8]
    /// The next byte to read, counted from the start of the whole buffer.
    public private(set) var position: Int
    /// The first byte that must not be read.
    public let end: Int

    /// Reads all of `bytes`.
    public init(_ bytes: [UInt8]) {
        self.init(bytes, in: 0..<bytes.count)
    }

    /// Reads a part of `bytes`; positions in errors still count from the start of `bytes`.
    ///
    /// - Precondition: `range` lies within `bytes`.
    public init(_ bytes: [UInt8], in range: Range<Int>) {
        precondition(range.lowerBound >= 0 && range.upperBound <= bytes.count)
        self.bytes = bytes
        position = range.lowerBound
        end = range.upperBound
    }

    /// Bytes not yet read.
    @inlinable public var remaining: Int { end - position }

    /// Whether everything has been read.
    @inlinable public var isAtEnd: Bool { position == end }

    /// Moves over `count` bytes and returns where they lie in the whole buffer.
    public mutating func skip(_ count: Int) throws(WireError) -> Range<Int> {
        guard count >= 0, count <= remaining else {
            throw .truncated(position: position, needed: count, available: remaining)
        }
        let start = position
        position += count
        return start..<position
    }

    /// Reads `count` bytes.
    public mutating func read(_ count: Int) throws(WireError) -> [UInt8] {
        let range = try skip(count)
        return Array(bytes[range])
    }

    /// Reads everything that is left.
    public mutating func readRest() -> [UInt8] {
        defer { position = end }
        return Array(bytes[position..<end])
    }

    /// A reader over the next `count` bytes, which this reader moves past. Nothing is copied.
    public mutating func subreader(_ count: Int) throws(WireError) -> Reader {
        let range = try skip(count)
        return Reader(bytes, in: range)
    }

    /// A copy of bytes that were already read, by their place in the whole buffer.
    ///
    /// - Precondition: `range` lies within the buffer.
    public func slice(_ range: Range<Int>) -> [UInt8] { Array(bytes[range]) }

    /// The next byte, not moved past; nil at the end.
    public var peek: UInt8? { isAtEnd ? nil : bytes[position] }

    /// Reads one byte.
    public mutating func readUInt8() throws(WireError) -> UInt8 {
        bytes[try skip(1).lowerBound]
    }

    /// Reads a little-endian integer of 2 bytes.
    public mutating func readUInt16() throws(WireError) -> UInt16 { try readInteger() }
    /// Reads a little-endian integer of 4 bytes.
    public mutating func readUInt32() throws(WireError) -> UInt32 { try readInteger() }
    /// Reads a little-endian integer of 8 bytes.
    public mutating func readUInt64() throws(WireError) -> UInt64 { try readInteger() }
    /// Reads a little-endian two's complement integer of 4 bytes.
    public mutating func readInt32() throws(WireError) -> Int32 { try readInteger() }
    /// Reads a little-endian two's complement integer of 8 bytes.
    public mutating func readInt64() throws(WireError) -> Int64 { try readInteger() }
    /// Reads a big-endian integer of 2 bytes.
    public mutating func readUInt16BigEndian() throws(WireError) -> UInt16 {
        try readUInt16().byteSwapped
    }
    /// Reads a big-endian integer of 4 bytes.
    public mutating func readUInt32BigEndian() throws(WireError) -> UInt32 {
        try readUInt32().byteSwapped
    }
    /// Reads a big-endian integer of 8 bytes.
    public mutating func readUInt64BigEndian() throws(WireError) -> UInt64 {
        try readUInt64().byteSwapped
    }

    private mutating func readInteger<T: FixedWidthInteger>() throws(WireError) -> T {
        let range = try skip(MemoryLayout<T>.size)
        return bytes.withUnsafeBytes { buffer in
            T(littleEndian: buffer.loadUnaligned(fromByteOffset: range.lowerBound, as: T.self))
        }
    }

    /// Reads 32 bytes in the order they stand.
    public mutating func readBytes32() throws(WireError) -> Bytes32 {
        let range = try skip(32)
        return bytes.withUnsafeBytes { buffer in Bytes32(rebasing: buffer, at: range.lowerBound) }
    }

    /// Reads a CompactSize in its shortest form (Bitcoin's variable-length integer).
    public mutating func readCompactSize() throws(WireError) -> UInt64 {
        let start = position
        let first = try readUInt8()
        let (value, minimum): (UInt64, UInt64)
        switch first {
        case 0xFD: (value, minimum) = (UInt64(try readUInt16()), 0xFD)
        case 0xFE: (value, minimum) = (UInt64(try readUInt32()), 0x1_0000)
        case 0xFF: (value, minimum) = (try readUInt64(), 0x1_0000_0000)
        default: return UInt64(first)
        }
        guard value >= minimum else { throw .nonCanonicalCompactSize(position: start) }
        return value
    }

    /// Reads a CompactSize that must not be above `limit`.
    public mutating func readCount(limit: Int) throws(WireError) -> Int {
        let start = position
        let value = try readCompactSize()
        guard value <= UInt64(limit) else {
            throw .tooLarge(position: start, found: value, allowed: limit)
        }
        return Int(value)
    }

    /// Reads a number of items each of which takes at least `minimumItemSize` bytes, so that the
    /// count cannot ask for more memory than the buffer could fill.
    public mutating func readItemCount(minimumItemSize: Int) throws(WireError) -> Int {
        let start = position
        let value = try readCompactSize()
        let allowed = remaining / max(1, minimumItemSize)
        guard value <= UInt64(allowed) else {
            throw .tooLarge(position: start, found: value, allowed: allowed)
        }
        return Int(value)
    }

    /// Reads a CompactSize length and that many bytes.
    public mutating func readVarBytes(limit: Int = .max) throws(WireError) -> [UInt8] {
        Array(bytes[try skipVarBytes(limit: limit)])
    }

    /// Reads a CompactSize length, moves over that many bytes and returns where they lie.
    public mutating func skipVarBytes(limit: Int = .max) throws(WireError) -> Range<Int> {
        let start = position
        let length = try readCompactSize()
        guard length <= UInt64(limit) else {
            throw .tooLarge(position: start, found: length, allowed: limit)
        }
        guard length <= UInt64(remaining) else {
            throw .truncated(
                position: position, needed: Int(clamping: length), available: remaining)
        }
        return try skip(Int(length))
    }

    /// Ends the reading: fails if bytes remain.
    public func finish() throws(WireError) {
        guard isAtEnd else { throw .trailingBytes(position: position, count: remaining) }
    }
}
