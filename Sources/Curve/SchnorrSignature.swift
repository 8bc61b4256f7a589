public import Wire

/// A BIP340 signature: 32 bytes of R's x coordinate, 32 bytes of s. Any 64 bytes are one; only
/// verification says more.
public struct SchnorrSignature: Hashable, Sendable {
    /// The x coordinate of the nonce point.
    public let r: Bytes32
    /// The scalar.
    public let s: Bytes32

    /// Takes both halves.
    public init(r: Bytes32, s: Bytes32) {
        self.r = r
        self.s = s
    }

    /// Takes exactly 64 bytes.
    public init(_ bytes: [UInt8]) throws(CurveError) {
        guard bytes.count == 64, let r = Bytes32(bytes[..<32]), let s = Bytes32(bytes[32...]) else {
            throw .wrongLength(found: bytes.count, allowed: [64])
        }
        self.init(r: r, s: s)
    }

    /// Lets `fill` write the 64 bytes in place; they are zero before.
    package init(filledBy fill: (UnsafeMutableRawBufferPointer) -> Void) {
        var halves = (Bytes32.zero, Bytes32.zero)
        Swift.withUnsafeMutableBytes(of: &halves) { fill($0) }
        (r, s) = halves
    }

    /// The 64 bytes.
    public var bytes: [UInt8] { r.array + s.array }

    package func withUnsafeBytes<Result>(
        _ body: (UnsafeRawBufferPointer) throws -> Result
    ) rethrows -> Result {
        try Swift.withUnsafeBytes(of: (r, s)) { try body($0) }
    }
}
