/// 20 bytes in the order they stand on the wire, stored in place without an allocation.
public struct Bytes20: Hashable, Sendable {
    private var words: (UInt32, UInt32, UInt32, UInt32, UInt32) = (0, 0, 0, 0, 0)

    /// 20 zero bytes.
    public static let zero = Bytes20()

    private init() {}

    /// Nil unless there are exactly 20 bytes.
    public init?(_ bytes: some Collection<UInt8>) {
        guard bytes.count == 20 else { return nil }
        Swift.withUnsafeMutableBytes(of: &words) { $0.copyBytes(from: bytes) }
    }

    /// Lets `fill` write the 20 bytes in place; they are zero before.
    public init(filledBy fill: (UnsafeMutableRawBufferPointer) throws -> Void) rethrows {
        try Swift.withUnsafeMutableBytes(of: &words) { try fill($0) }
    }

    /// Gives the 20 bytes in place.
    public func withUnsafeBytes<Result>(
        _ body: (UnsafeRawBufferPointer) throws -> Result
    ) rethrows -> Result {
        try Swift.withUnsafeBytes(of: words) { try body($0) }
    }

    /// A copy as an array.
    public var array: [UInt8] { withUnsafeBytes { Array($0) } }

    /// Compares all bytes.
    public static func == (left: Bytes20, right: Bytes20) -> Bool { left.words == right.words }

    /// Feeds all bytes.
    public func hash(into hasher: inout Hasher) { withUnsafeBytes { hasher.combine(bytes: $0) } }
}

extension Bytes20: Comparable {
    /// Orders by the first byte that differs (as `memcmp` does).
    public static func < (left: Bytes20, right: Bytes20) -> Bool {
        left.withUnsafeBytes { left in right.withUnsafeBytes { left.lexicographicallyPrecedes($0) }
        }
    }
}

extension Bytes20: CustomStringConvertible {
    /// 40 lower-case hexadecimal digits.
    public var description: String { Hex.encode(array) }
}
