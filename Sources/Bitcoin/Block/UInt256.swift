public import Wire

/// An unsigned integer of 256 bits, for targets and sums of work. Nothing overflows silently.
public struct UInt256: Hashable, Sendable {
    /// 64 bits each, the least significant first.
    private var limbs: (UInt64, UInt64, UInt64, UInt64)

    /// Zero.
    public static let zero = UInt256(0)
    /// All bits set.
    public static let max = UInt256(.max, .max, .max, .max)

    private init(_ a: UInt64, _ b: UInt64, _ c: UInt64, _ d: UInt64) { limbs = (a, b, c, d) }

    /// A small number.
    public init(_ value: UInt64) { self.init(value, 0, 0, 0) }

    /// Reads 32 bytes as hashes are compared with targets: least significant byte first.
    public init(littleEndian bytes: Bytes32) {
        self = bytes.withUnsafeBytes { buffer in
            func limb(_ index: Int) -> UInt64 {
                UInt64(
                    littleEndian: buffer.loadUnaligned(fromByteOffset: index * 8, as: UInt64.self))
            }
            return UInt256(limb(0), limb(1), limb(2), limb(3))
        }
    }

    /// The 32 bytes, least significant first.
    public var littleEndian: Bytes32 {
        Bytes32 { buffer in
            for index in 0..<4 {
                buffer.storeBytes(
                    of: self[index].littleEndian, toByteOffset: index * 8, as: UInt64.self)
            }
        }
    }

    /// The limb at `index`, the least significant first.
    private subscript(index: Int) -> UInt64 {
        get {
            switch index {
            case 0: limbs.0
            case 1: limbs.1
            case 2: limbs.2
            default: limbs.3
            }
        }
        set {
            switch index {
            case 0: limbs.0 = newValue
            case 1: limbs.1 = newValue
            case 2: limbs.2 = newValue
            default: limbs.3 = newValue
            }
        }
    }

    /// Bits up to the highest that is set; 0 for zero.
    public var bitWidth: Int {
        for index in (0..<4).reversed() where self[index] != 0 {
            return index * 64 + 64 - self[index].leadingZeroBitCount
        }
        return 0
    }

    /// The sum; nil if it has more than 256 bits.
    public func adding(_ other: UInt256) -> UInt256? {
        var result = self
        var carry = false
        for index in 0..<4 {
            let (sum, first) = self[index].addingReportingOverflow(other[index])
            let (total, second) = sum.addingReportingOverflow(carry ? 1 : 0)
            result[index] = total
            carry = first || second
        }
        return carry ? nil : result
    }

    /// The difference; nil if it is negative.
    public func subtracting(_ other: UInt256) -> UInt256? {
        guard other <= self else { return nil }
        var result = self
        var borrow = false
        for index in 0..<4 {
            let (difference, first) = self[index].subtractingReportingOverflow(other[index])
            let (total, second) = difference.subtractingReportingOverflow(borrow ? 1 : 0)
            result[index] = total
            borrow = first || second
        }
        return result
    }

    /// The product; nil if it has more than 256 bits.
    public func multiplied(by factor: UInt64) -> UInt256? {
        var result = self
        var carry: UInt64 = 0
        for index in 0..<4 {
            let (high, low) = self[index].multipliedFullWidth(by: factor)
            let (sum, overflow) = low.addingReportingOverflow(carry)
            result[index] = sum
            carry = high + (overflow ? 1 : 0)
        }
        return carry == 0 ? result : nil
    }

    /// The whole part of the quotient.
    ///
    /// - Precondition: the divisor is not zero.
    public func divided(by divisor: UInt64) -> UInt256 {
        precondition(divisor != 0)
        var result = self
        var remainder: UInt64 = 0
        for index in (0..<4).reversed() {
            (result[index], remainder) = divisor.dividingFullWidth((remainder, self[index]))
        }
        return result
    }

    /// The whole part of the quotient.
    ///
    /// - Precondition: the divisor is not zero.
    public func divided(by divisor: UInt256) -> UInt256 {
        precondition(divisor != .zero)
        guard divisor <= self else { return .zero }
        var quotient = UInt256.zero
        var remainder = self
        let shift = bitWidth - divisor.bitWidth
        var subtrahend = divisor.shifted(left: shift)
        for bit in (0...shift).reversed() {
            if let rest = remainder.subtracting(subtrahend) {
                remainder = rest
                quotient[bit / 64] |= 1 << UInt64(bit % 64)
            }
            subtrahend = subtrahend.shifted(right: 1)
        }
        return quotient
    }

    /// Moves the bits up; those beyond bit 255 are lost.
    public func shifted(left count: Int) -> UInt256 {
        guard count < 256 else { return .zero }
        var result = UInt256.zero
        for index in count / 64..<4 {
            let source = index - count / 64
            result[index] = self[source] << UInt64(count % 64)
            if count % 64 > 0, source > 0 {
                result[index] |= self[source - 1] >> UInt64(64 - count % 64)
            }
        }
        return result
    }

    /// Moves the bits down; those below bit 0 are lost.
    public func shifted(right count: Int) -> UInt256 {
        guard count < 256 else { return .zero }
        var result = UInt256.zero
        for index in 0..<4 - count / 64 {
            let source = index + count / 64
            result[index] = self[source] >> UInt64(count % 64)
            if count % 64 > 0, source < 3 {
                result[index] |= self[source + 1] << UInt64(64 - count % 64)
            }
        }
        return result
    }

    /// All bits turned over.
    public static prefix func ~ (value: UInt256) -> UInt256 {
        UInt256(~value.limbs.0, ~value.limbs.1, ~value.limbs.2, ~value.limbs.3)
    }

    /// The lowest 64 bits.
    public var lowBits: UInt64 { limbs.0 }

    /// Whether all bits agree.
    public static func == (left: UInt256, right: UInt256) -> Bool { left.limbs == right.limbs }

    /// Feeds all bits.
    public func hash(into hasher: inout Hasher) {
        for index in 0..<4 { hasher.combine(self[index]) }
    }
}

extension UInt256: Comparable {
    /// Orders by value.
    public static func < (left: UInt256, right: UInt256) -> Bool {
        for index in (0..<4).reversed() where left[index] != right[index] {
            return left[index] < right[index]
        }
        return false
    }
}

extension UInt256: CustomStringConvertible {
    /// 64 hexadecimal digits, most significant first.
    public var description: String { littleEndian.reversed.description }
}
