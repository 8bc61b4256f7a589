/// How many bytes a key or a value may have.
public enum Length: Hashable, Sendable {
    /// Nothing.
    case none
    /// Any number.
    case any
    /// One number.
    case exactly(Int)
    /// One of two numbers.
    case either(Int, Int)
    /// All from one number to another.
    case between(Int, Int)
    /// `first`, and any number of times `step` more, up to `last`.
    case steps(first: Int, step: Int, last: Int)

    /// Whether `count` bytes are allowed.
    func allows(_ count: Int) -> Bool {
        switch self {
        case .none: count == 0
        case .any: true
        case .exactly(let length): count == length
        case .either(let one, let other): count == one || count == other
        case .between(let low, let high): low <= count && count <= high
        case .steps(let first, let step, let last):
            first <= count && count <= last && (count - first) % step == 0
        }
    }
}

extension Length: CustomStringConvertible {
    /// The numbers that are allowed, as in `64 or 65`.
    public var description: String {
        switch self {
        case .none: "0"
        case .any: "any number"
        case .exactly(let length): "\(length)"
        case .either(let one, let other): "\(one) or \(other)"
        case .between(let low, .max): "\(low) or more"
        case .between(let low, let high): "\(low) to \(high)"
        case .steps(let first, let step, let last):
            "\(first), \(first + step), \(first + 2 * step) and so on"
                + (last == .max ? "" : " up to \(last)")
        }
    }
}
