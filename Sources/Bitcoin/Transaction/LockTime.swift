/// The nLockTime of a transaction: the first moment it may be in a block (BIP65 reads it too).
public struct LockTime: Hashable, Sendable {
    /// The number as it stands in the transaction.
    public let rawValue: UInt32

    /// Takes the number as it stands in the transaction.
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// No lock.
    public static let none = LockTime(rawValue: 0)

    /// Numbers from here on are times, below are heights.
    public static let timeThreshold: UInt32 = 500_000_000

    /// Whether the number is a Unix time; else it is a block height.
    public var isTime: Bool { rawValue >= LockTime.timeThreshold }

    /// Whether both are heights or both times, so that one may be compared with the other.
    public func hasSameUnit(as other: LockTime) -> Bool { isTime == other.isTime }

    /// Whether a transaction with this lock may enter a block of height `height` whose median time
    /// past, that is of the block before (BIP113), is `medianTimePast` seconds.
    public func isSatisfied(height: UInt32, medianTimePast: UInt32) -> Bool {
        rawValue < (isTime ? medianTimePast : height) || rawValue == 0
    }

    /// Whether a transaction with this lock passes `OP_CHECKLOCKTIMEVERIFY` of `required` (BIP65),
    /// leaving aside that the input's sequence number must not be final.
    public func satisfies(_ required: LockTime) -> Bool {
        hasSameUnit(as: required) && required.rawValue <= rawValue
    }
}
