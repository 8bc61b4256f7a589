/// Why a text is no JSON, and where.
public struct JSONError: Error, Hashable, Sendable {
    /// What is wrong.
    public enum Problem: Hashable, Sendable {
        /// The text ends too early.
        case truncated
        /// Something follows the value.
        case trailing
        /// Something else stands where this belongs.
        case expected(StaticString)
        /// Too many levels.
        case tooDeep
        /// Two members of an object have one name.
        case duplicate
        /// A control character inside a string.
        case control
        /// An escape that JSON does not have.
        case escape
        /// Half of a surrogate pair.
        case surrogate
        /// A string that is not UTF-8.
        case notUTF8

        /// Compares what is said.
        public static func == (left: Problem, right: Problem) -> Bool { left.text == right.text }
        /// Hashes what is said.
        public func hash(into hasher: inout Hasher) { hasher.combine(text) }

        var text: String {
            switch self {
            case .truncated: "the text ends too early"
            case .trailing: "something follows the value"
            case .expected(let what): "\(what) belongs here"
            case .tooDeep: "more than \(JSONReader.maximumDepth) levels"
            case .duplicate: "a second member of this name"
            case .control: "a control character inside a string"
            case .escape: "JSON has no such escape"
            case .surrogate: "half of a surrogate pair"
            case .notUTF8: "a string that is not UTF-8"
            }
        }
    }

    /// What is wrong.
    public let problem: Problem
    /// Counted from 1.
    public let line: Int
    /// The byte in the line, counted from 1.
    public let column: Int

    init(_ problem: Problem, in bytes: [UInt8], at position: Int) {
        self.problem = problem
        let before = bytes[..<min(position, bytes.count)]
        line = 1 + before.count { $0 == 0x0A }
        let lineStart = before.lastIndex(of: 0x0A).map { $0 + 1 } ?? 0
        column = 1 + before.count - lineStart
    }
}

extension JSONError: CustomStringConvertible {
    /// What, and where.
    public var description: String {
        "no JSON at line \(line), column \(column): \(problem.text)"
    }
}
