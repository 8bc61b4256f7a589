public import Wire

/// Why bytes are no basic filter. A filter whose hash was promised and that is none of these proves
/// that the promise was false.
public enum FilterFault: Error, Hashable, Sendable {
    /// More bytes than any block's filter has.
    case tooLong(found: Int, allowed: Int)
    /// The number of elements cannot be read.
    case wire(WireError)
    /// More elements than any block can bring.
    case tooMany(found: UInt64, allowed: Int)
    /// The bytes end within an element, counted from 0.
    case truncated(element: Int)
    /// Bytes are left behind the last element.
    case trailingBytes(count: Int)
}

extension FilterFault: CustomStringConvertible {
    /// One sentence: what, where, how much.
    public var description: String {
        switch self {
        case .tooLong(let found, let allowed):
            "the filter has \(found) bytes, at most \(allowed) allowed"
        case .wire(let error): "the number of elements: \(error)"
        case .tooMany(let found, let allowed):
            "the filter claims \(found) elements, at most \(allowed) fit"
        case .truncated(let element): "the filter ends within element \(element)"
        case .trailingBytes(let count): "the filter has \(counted(count, "byte")) too many"
        }
    }
}
