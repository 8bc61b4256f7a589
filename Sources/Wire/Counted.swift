/// A number and what it counts, for a sentence: `1 wallet`, `2 wallets`, `0 entries`.
///
/// - Parameter many: What several are called, if not by an s behind `one`.
public func counted(
    _ count: some BinaryInteger, _ one: String, _ many: String? = nil
) -> String {
    "\(count) \(count == 1 ? one : many ?? one + "s")"
}
