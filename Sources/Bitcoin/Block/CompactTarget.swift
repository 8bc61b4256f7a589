/// The nBits of a block header: a 256-bit target as one byte of size, one sign bit and 23 bits.
public struct CompactTarget: Hashable, Sendable {
    /// The number as it stands in the header.
    public let rawValue: UInt32

    /// Takes the number as it stands in the header; it may stand for no target.
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// Why nBits stand for no target.
    public enum Failure: Error, Hashable, Sendable {
        /// The sign bit is set.
        case negative
        /// More than 256 bits.
        case overflow
        /// No hash can be below it.
        case zero
    }

    /// The target that a block's hash must not exceed.
    public func target() throws(Failure) -> UInt256 {
        let size = Int(rawValue >> 24)
        var mantissa = UInt64(rawValue & 0x007F_FFFF)
        if size <= 3 { mantissa >>= UInt64(8 * (3 - size)) }
        guard mantissa != 0 else { throw .zero }
        guard rawValue & 0x0080_0000 == 0 else { throw .negative }
        let shift = max(0, 8 * (size - 3))
        let value = UInt256(mantissa)
        guard value.bitWidth + shift <= 256 else { throw .overflow }
        return value.shifted(left: shift)
    }

    /// The shortest form of a target; the bits that do not fit are lost.
    public init(_ target: UInt256) {
        var size = (target.bitWidth + 7) / 8
        var mantissa =
            size <= 3
            ? target.lowBits << UInt64(8 * (3 - size))
            : target.shifted(right: 8 * (size - 3)).lowBits
        if mantissa & 0x0080_0000 != 0 {
            // The highest bit is the sign, so a byte more is needed.
            mantissa >>= 8
            size += 1
        }
        rawValue = UInt32(size) << 24 | UInt32(mantissa)
    }

    /// The hashes that a block of this target takes on average; nil if it stands for no target.
    public var work: UInt256? {
        guard let target = try? target() else { return nil }
        // 2^256 / (target + 1), in 256 bits.
        guard let next = target.adding(UInt256(1)) else { return UInt256(1) }
        return (~target).divided(by: next).adding(UInt256(1))
    }

    /// The seconds that 2016 blocks should take.
    public static let period: UInt32 = 14 * 24 * 60 * 60

    /// The target of the next 2016 blocks, after a period that took `seconds`; nil if this one stands
    /// for no target.
    ///
    /// - Parameter limit: the easiest target of the network.
    public func adjusted(seconds: Int64, limit: UInt256) -> CompactTarget? {
        let period = Int64(CompactTarget.period)
        let clamped = UInt64(min(max(seconds, period / 4), period * 4))
        guard let old = try? target(), let product = old.multiplied(by: clamped) else { return nil }
        return CompactTarget(min(product.divided(by: UInt64(period)), limit))
    }
}

extension CompactTarget.Failure: CustomStringConvertible {
    /// One sentence: what is wrong.
    public var description: String {
        switch self {
        case .negative: "the target is negative"
        case .overflow: "the target has more than 256 bits"
        case .zero: "the target is zero"
        }
    }
}
