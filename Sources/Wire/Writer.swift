/// Appends integers and byte strings to a buffer. Integers are little-endian unless the name
/// says otherwise.
public struct Writer: Sendable {
    /// What was written so far.
    public private(set) var bytes: [UInt8] = []

    /// An empty buffer with room for `capacity` bytes.
    public init(capacity: Int = 0) { bytes.reserveCapacity(capacity) }

    /// Appends one byte.
    public mutating func write(_ value: UInt8) { bytes.append(value) }
    /// Appends 2 bytes.
    public mutating func write(_ value: UInt16) { writeInteger(value) }
    /// Appends 4 bytes.
    public mutating func write(_ value: UInt32) { writeInteger(value) }
    /// Appends 8 bytes.
    public mutating func write(_ value: UInt64) { writeInteger(value) }
    /// Appends 4 bytes, two's complement.
    public mutating func write(_ value: Int32) { writeInteger(value) }
    /// Appends 8 bytes, two's complement.
    public mutating func write(_ value: Int64) { writeInteger(value) }
    /// Appends 2 bytes, most significant first.
    public mutating func writeBigEndian(_ value: UInt16) { writeInteger(value.byteSwapped) }
    /// Appends 4 bytes, most significant first.
    public mutating func writeBigEndian(_ value: UInt32) { writeInteger(value.byteSwapped) }
    /// Appends 8 bytes, most significant first.
    public mutating func writeBigEndian(_ value: UInt64) { writeInteger(value.byteSwapped) }

    /// Appends bytes as they are.
    public mutating func write(_ value: [UInt8]) { bytes.append(contentsOf: value) }
    /// Appends bytes as they are.
    public mutating func write(_ value: ArraySlice<UInt8>) { bytes.append(contentsOf: value) }
    /// Appends 32 bytes in the order they stand.
    public mutating func write(_ value: Bytes32) {
        value.withUnsafeBytes { bytes.append(contentsOf: $0) }
    }

    /// Appends a CompactSize in its shortest form.
    public mutating func writeCompactSize(_ value: Int) { writeCompactSize(UInt64(value)) }

    /// Appends a CompactSize in its shortest form.
    public mutating func writeCompactSize(_ value: UInt64) {
        switch value {
        case 0..<0xFD: write(UInt8(value))
        case 0xFD...0xFFFF:
            write(UInt8(0xFD))
            write(UInt16(value))
        case 0x1_0000...0xFFFF_FFFF:
            write(UInt8(0xFE))
            write(UInt32(value))
        default:
            write(UInt8(0xFF))
            write(value)
        }
    }

    /// Appends the length as a CompactSize, then the bytes.
    public mutating func writeVarBytes(_ value: [UInt8]) {
        writeCompactSize(value.count)
        write(value)
    }

    private mutating func writeInteger<T: FixedWidthInteger>(_ value: T) {
        withUnsafeBytes(of: value.littleEndian) { bytes.append(contentsOf: $0) }
    }
}

/// How many bytes a CompactSize of `value` takes: 1, 3, 5 or 9.
public func compactSizeLength(_ value: Int) -> Int {
    switch UInt64(value) {
    case 0..<0xFD: 1
    case 0xFD...0xFFFF: 3
    case 0x1_0000...0xFFFF_FFFF: 5
    default: 9
    }
}
