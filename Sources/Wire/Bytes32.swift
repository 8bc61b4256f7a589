/// 32 bytes in the order they stand on the wire, stored in place without an allocation.
public struct Bytes32: Hashable, Sendable {
    private var words: (UInt64, UInt64, UInt64, UInt64)

    /// 32 zero bytes.
    public static let zero = Bytes32()

    private init() { words = (0, 0, 0, 0) }

    /// Nil unless there are exactly 32 bytes.
    public init?(_ bytes: some Collection<UInt8>) {
        guard bytes.count == 32 else { return nil }
        self.init()
        Swift.withUnsafeMutableBytes(of: &words) { $0.copyBytes(from: bytes) }
    }

    /// Lets `fill` write the 32 bytes in place; they are zero before.
    public init(filledBy fill: (UnsafeMutableRawBufferPointer) throws -> Void) rethrows {
        self.init()
        try Swift.withUnsafeMutableBytes(of: &words) { try fill($0) }
    }

    /// The 32 bytes of `buffer` that start at `offset`.
    ///
    /// - Precondition: `buffer` holds them.
    public init(rebasing buffer: UnsafeRawBufferPointer, at offset: Int) {
        precondition(offset >= 0 && offset + 32 <= buffer.count)
        words = (
            buffer.loadUnaligned(fromByteOffset: offset, as: UInt64.self),
            buffer.loadUnaligned(fromByteOffset: offset + 8, as: UInt64.self),
            buffer.loadUnaligned(fromByteOffset: offset + 16, as: UInt64.self),
            buffer.loadUnaligned(fromByteOffset: offset + 24, as: UInt64.self)
        )
    }

    /// Gives the 32 bytes in place.
    public func withUnsafeBytes<Result>(
        _ body: (UnsafeRawBufferPointer) throws -> Result
    ) rethrows -> Result {
        try Swift.withUnsafeBytes(of: words) { try body($0) }
    }

    /// A copy as an array.
    public var array: [UInt8] { withUnsafeBytes { Array($0) } }

    /// The bytes in reverse order, as block and transaction hashes are printed.
    public var reversed: Bytes32 {
        Bytes32(
            words: (
                words.3.byteSwapped, words.2.byteSwapped, words.1.byteSwapped, words.0.byteSwapped
            ))
    }

    private init(words: (UInt64, UInt64, UInt64, UInt64)) { self.words = words }

    /// Compares all bytes.
    public static func == (left: Bytes32, right: Bytes32) -> Bool { left.words == right.words }

    /// Feeds all bytes.
    public func hash(into hasher: inout Hasher) { withUnsafeBytes { hasher.combine(bytes: $0) } }
}

extension Bytes32: Comparable {
    /// Orders by the first byte that differs (as `memcmp` does).
    public static func < (left: Bytes32, right: Bytes32) -> Bool {
        let a = left.words
        let b = right.words
        if a.0 != b.0 { return UInt64(bigEndian: a.0) < UInt64(bigEndian: b.0) }
        if a.1 != b.1 { return UInt64(bigEndian: a.1) < UInt64(bigEndian: b.1) }
        if a.2 != b.2 { return UInt64(bigEndian: a.2) < UInt64(bigEndian: b.2) }
        return UInt64(bigEndian: a.3) < UInt64(bigEndian: b.3)
    }
}

extension Bytes32: CustomStringConvertible {
    /// 64 lower-case hexadecimal digits.
    public var description: String { Hex.encode(array) }
}
