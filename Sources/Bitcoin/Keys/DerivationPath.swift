/// The steps from one BIP32 key to another, at most 255.
public struct DerivationPath: Hashable, Sendable {
    /// The steps, the first from the top.
    public let steps: [ChildNumber]

    /// The depth of an extended key is one byte.
    public static let maximumDepth = 255
    /// The longest text: `m` and 255 times `/2147483647h`.
    static let maximumTextLength = 1 + maximumDepth * 12

    /// No steps: the key itself.
    public static let empty = DerivationPath(unchecked: [])

    private init(unchecked steps: [ChildNumber]) { self.steps = steps }

    /// Takes steps.
    ///
    /// - Throws: `tooDeep`.
    public init(_ steps: [ChildNumber]) throws(DerivationPathError) {
        guard steps.count <= DerivationPath.maximumDepth else {
            throw .tooDeep(found: steps.count, allowed: DerivationPath.maximumDepth)
        }
        self.steps = steps
    }

    /// Reads `m/84h/0h/0h`, `84h/0h/0h` or `m`. `h` and `'` both harden; nothing else is taken: no
    /// `H`, signs, spaces, leading zeros, empty steps or slashes at the ends.
    public init(_ text: some StringProtocol) throws(DerivationPathError) {
        let utf8 = Array(text.utf8)
        guard utf8.count <= DerivationPath.maximumTextLength else {
            throw .textTooLong(found: utf8.count, allowed: DerivationPath.maximumTextLength)
        }
        guard utf8 != [UInt8(ascii: "m")] else {
            self = .empty
            return
        }
        let slash = UInt8(ascii: "/")
        var position = utf8.starts(with: [UInt8(ascii: "m"), slash]) ? 2 : 0
        var steps: [ChildNumber] = []
        while true {
            let end = utf8[position...].firstIndex(of: slash) ?? utf8.count
            steps.append(try DerivationPath.step(utf8, in: position..<end))
            guard end < utf8.count else { break }
            position = end + 1
        }
        try self.init(steps)
    }

    /// Reads one step of an ASCII text.
    private static func step(
        _ text: [UInt8], in range: Range<Int>
    ) throws(DerivationPathError) -> ChildNumber {
        guard let last = text[range].last else { throw .emptyStep(position: range.lowerBound) }
        let isHardened = last == UInt8(ascii: "h") || last == UInt8(ascii: "'")
        let digits = isHardened ? range.dropLast() : range
        guard let first = digits.first else { throw .notANumber(position: range.lowerBound) }
        var index: UInt32 = 0
        for position in digits {
            guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(text[position]) else {
                throw .notANumber(position: position)
            }
            let (tens, overflow) = index.multipliedReportingOverflow(by: 10)
            let (sum, carry) = tens.addingReportingOverflow(
                UInt32(text[position] - UInt8(ascii: "0")))
            guard !overflow, !carry, sum <= ChildNumber.maximumIndex else {
                throw .indexTooLarge(position: first, allowed: ChildNumber.maximumIndex)
            }
            index = sum
        }
        guard digits.count == 1 || text[first] != UInt8(ascii: "0") else {
            throw .leadingZero(position: first)
        }
        return ChildNumber(rawValue: isHardened ? index | 1 << 31 : index)
    }

    /// This path and one step more.
    ///
    /// - Throws: `tooDeep`.
    public func appending(_ step: ChildNumber) throws(DerivationPathError) -> DerivationPath {
        try DerivationPath(steps + [step])
    }

    /// This path and then `other`.
    ///
    /// - Throws: `tooDeep`.
    public func appending(_ other: DerivationPath) throws(DerivationPathError) -> DerivationPath {
        try DerivationPath(steps + other.steps)
    }

    /// Whether `other` begins with all steps of this path.
    public func isPrefix(of other: DerivationPath) -> Bool { other.steps.starts(with: steps) }

    /// Whether any step is hardened, so that a public key cannot follow the path.
    public var isHardened: Bool { steps.contains(where: \.isHardened) }

    /// The steps without the leading `m`, as a key origin has them; empty for no steps.
    public var relativeDescription: String {
        steps.map(\.description).joined(separator: "/")
    }
}

extension DerivationPath: CustomStringConvertible {
    /// The path from a master key, hardened steps written with `h`: `m/84h/0h/0h`.
    public var description: String { steps.isEmpty ? "m" : "m/" + relativeDescription }
}

/// What is wrong with a derivation path. Positions count UTF-8 bytes of the text from 0.
public enum DerivationPathError: Error, Hashable, Sendable {
    /// More steps than an extended key can count.
    case tooDeep(found: Int, allowed: Int)
    /// A longer text than the deepest path has.
    case textTooLong(found: Int, allowed: Int)
    /// Nothing between two slashes, or at an end.
    case emptyStep(position: Int)
    /// A character that is neither a digit nor, at the end, `h` or `'`.
    case notANumber(position: Int)
    /// An index of 2^31 or more.
    case indexTooLarge(position: Int, allowed: UInt32)
    /// A number that starts with a needless 0.
    case leadingZero(position: Int)
}

extension DerivationPathError: CustomStringConvertible {
    /// One sentence: what, where, how much.
    public var description: String {
        switch self {
        case .tooDeep(let found, let allowed): "path has \(found) steps, at most \(allowed) allowed"
        case .textTooLong(let found, let allowed):
            "path has \(found) characters, at most \(allowed) allowed"
        case .emptyStep(let position): "path has an empty step at character \(position + 1)"
        case .notANumber(let position):
            "path has something other than a number with h or ' at character \(position + 1)"
        case .indexTooLarge(let position, let allowed):
            "path has an index above \(allowed) at character \(position + 1)"
        case .leadingZero(let position):
            "path has a number with a leading zero at character \(position + 1)"
        }
    }
}
