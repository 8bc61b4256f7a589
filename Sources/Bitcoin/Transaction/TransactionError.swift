public import Wire

/// Why bytes are no transaction.
public enum TransactionError: Error, Hashable, Sendable {
    /// They break off, go on too long, or carry an impossible length.
    case wire(WireError)
    /// An output pays less than nothing or more than 21 million BTC.
    case amountOutOfRange(position: Int, found: Int64)
    /// The byte after the segwit marker is neither 0 nor 1.
    case unknownFlag(position: Int, found: UInt8)
    /// It is marked as having witnesses, and every witness is empty.
    case superfluousWitness(position: Int)
}

extension TransactionError: CustomStringConvertible {
    /// One sentence: what, where, how much.
    public var description: String {
        switch self {
        case .wire(let error): error.description
        case .amountOutOfRange(let position, let found):
            "amount at byte \(position) is \(found) sat, outside 0 to 21 million BTC"
        case .unknownFlag(let position, let found):
            "flag at byte \(position) is \(found), only 1 is known"
        case .superfluousWitness(let position):
            "witnesses are announced and all empty, before byte \(position)"
        }
    }
}

/// Runs `body`, wrapping its error.
func wire<Result>(_ body: () throws(WireError) -> Result) throws(TransactionError) -> Result {
    do throws(WireError) { return try body() } catch { throw .wire(error) }
}
