/// An amount of money in satoshis, from 0 to 21 million BTC. No operation leaves that range.
public struct Amount: Hashable, Sendable {
    /// Satoshis.
    public let sats: UInt64

    /// 21 million BTC, the most that can ever exist.
    public static let max = Amount(unchecked: 2_100_000_000_000_000)
    /// Nothing.
    public static let zero = Amount(unchecked: 0)
    /// Satoshis in one BTC.
    public static let satsPerBTC: UInt64 = 100_000_000

    private init(unchecked sats: UInt64) { self.sats = sats }

    /// Nil outside 0...21 million BTC.
    public init?(sats: some BinaryInteger) {
        guard let value = UInt64(exactly: sats), value <= Amount.max.sats else { return nil }
        self.sats = value
    }

    /// The sum; nil above 21 million BTC.
    public func adding(_ other: Amount) -> Amount? { Amount(sats: sats + other.sats) }

    /// The difference; nil below zero.
    public func subtracting(_ other: Amount) -> Amount? {
        sats >= other.sats ? Amount(unchecked: sats - other.sats) : nil
    }

    /// The sum; nil above 21 million BTC.
    public static func sum(_ amounts: some Sequence<Amount>) -> Amount? {
        var total = Amount.zero
        for amount in amounts {
            guard let next = total.adding(amount) else { return nil }
            total = next
        }
        return total
    }
}

extension Amount: Comparable {
    /// Orders by value.
    public static func < (left: Amount, right: Amount) -> Bool { left.sats < right.sats }
}
