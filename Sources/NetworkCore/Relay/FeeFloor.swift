/// What the `feefilter` messages of peers (BIP133) say of the least feerate that is worth sending. All
/// rates are satoshis for 1,000 virtual bytes.
public enum FeeFloor {
    /// No peer's word raises a fee above this: 100 satoshis for a virtual byte.
    public static let cap: Int64 = 100_000
    /// Above this a peer only says that it wants no transactions, as nodes do that are not current.
    static let senseless: Int64 = 10_000_000

    /// The floor that most of the peers agree on, the lower of two in the middle, never above `cap`; nil
    /// if no peer says anything sensible.
    public static func floor(of filters: [Int64]) -> Int64? {
        let sensible = filters.filter { (0..<senseless).contains($0) }.sorted()
        guard !sensible.isEmpty else { return nil }
        return min(sensible[(sensible.count - 1) / 2], cap)
    }
}
