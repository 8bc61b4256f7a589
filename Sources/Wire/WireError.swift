/// What is wrong with serialised bytes, and where.
///
/// Positions count bytes from the start of the buffer the outermost `Reader` was made from.
public enum WireError: Error, Hashable, Sendable {
    /// The buffer ends before the value does.
    case truncated(position: Int, needed: Int, available: Int)
    /// A CompactSize is not in its shortest form.
    case nonCanonicalCompactSize(position: Int)
    /// A count or length is above the limit of its field.
    case tooLarge(position: Int, found: UInt64, allowed: Int)
    /// Bytes remain after the last value.
    case trailingBytes(position: Int, count: Int)
    /// A number stands where only certain values have a meaning.
    case unknownValue(position: Int, found: UInt64)
}

extension WireError: CustomStringConvertible {
    /// One sentence: what, where, how much.
    public var description: String {
        switch self {
        case .truncated(let position, let needed, let available):
            "data ends early: \(counted(needed, "byte")) expected at byte \(position), \(available) left"
        case .nonCanonicalCompactSize(let position):
            "length at byte \(position) is not in its shortest form"
        case .tooLarge(let position, let found, let allowed):
            "length at byte \(position) is \(found), at most \(allowed) allowed"
        case .trailingBytes(let position, let count):
            "\(counted(count, "byte")) too many after byte \(position)"
        case .unknownValue(let position, let found):
            "the value \(found) at byte \(position) has no meaning"
        }
    }
}
