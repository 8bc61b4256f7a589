/// The nSequence of an input: relative lock (BIP68), replacement signal (BIP125), finality.
public struct SequenceNumber: Hashable, Sendable {
    /// The number as it stands in the transaction.
    public let rawValue: UInt32

    /// Takes the number as it stands in the transaction.
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// Switches nLockTime off when every input has it.
    public static let final = SequenceNumber(rawValue: 0xFFFF_FFFF)
    /// The highest number that leaves nLockTime on and does not signal replacement.
    public static let lockTimeOnly = SequenceNumber(rawValue: 0xFFFF_FFFE)
    /// The highest number that signals replacement (BIP125).
    public static let replaceable = SequenceNumber(rawValue: 0xFFFF_FFFD)

    /// Whether it is 0xFFFFFFFF.
    public var isFinal: Bool { self == .final }

    /// Whether it signals that the transaction may be replaced (BIP125).
    public var signalsReplacement: Bool { rawValue < 0xFFFF_FFFE }

    /// The relative lock, or nil where bit 31 switches it off. It binds only in transactions of
    /// version 2 and up.
    public var relativeLock: RelativeLock? {
        guard rawValue & 0x8000_0000 == 0 else { return nil }
        let value = UInt16(truncatingIfNeeded: rawValue)
        return rawValue & 0x0040_0000 == 0 ? .blocks(value) : .time(units: value)
    }

    /// The number with a relative lock and nothing else.
    public init(_ lock: RelativeLock) {
        switch lock {
        case .blocks(let count): rawValue = UInt32(count)
        case .time(let units): rawValue = 0x0040_0000 | UInt32(units)
        }
    }
}

/// How old the spent output must be (BIP68).
public enum RelativeLock: Hashable, Sendable {
    /// Blocks on top of the one before the output's.
    case blocks(UInt16)
    /// Units of 512 seconds of median time past.
    case time(units: UInt16)

    /// Seconds, for locks by time.
    public var seconds: UInt32? {
        if case .time(let units) = self { UInt32(units) * 512 } else { nil }
    }

    /// Whether coins that a block at `coinHeight` made may be spent in a block at `height`.
    ///
    /// - Parameters:
    ///   - coinMedianTimePast: seconds, of the block before the one that made the coins.
    ///   - medianTimePast: seconds, of the block before the one that spends them.
    public func isSatisfied(
        coinHeight: UInt32, coinMedianTimePast: UInt32, height: UInt32, medianTimePast: UInt32
    ) -> Bool {
        switch self {
        case .blocks(let count): Int64(height) - Int64(coinHeight) >= Int64(count)
        case .time(let units):
            Int64(medianTimePast) - Int64(coinMedianTimePast) >= Int64(units) * 512
        }
    }

    /// Whether an input with this lock passes `OP_CHECKSEQUENCEVERIFY` of `required` (BIP112).
    public func satisfies(_ required: RelativeLock) -> Bool {
        switch (self, required) {
        case (.blocks(let mine), .blocks(let needed)): mine >= needed
        case (.time(let mine), .time(let needed)): mine >= needed
        default: false
        }
    }
}
