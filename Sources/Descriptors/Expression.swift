/// A node of the tree that the text of a descriptor spells (BIP380): a word such as a key or a
/// number, a call `name(argument,...)`, or a branch `{left,right}` of a taproot tree.
///
/// The tree is built without recursion, and its depth is bounded so that what walks it may recurse.
public struct Expression: Hashable, Sendable {
    /// What a node is.
    public enum Kind: Hashable, Sendable {
        /// Text without parentheses, possibly empty.
        case word
        /// `name(argument,...)`; only `musig(...)` may have a suffix.
        case call
        /// `{left,right}`.
        case branch
    }

    /// What the node is.
    public let kind: Kind
    /// The word itself, or the name before the parenthesis with its wrappers (`sln:older`).
    public let text: String
    /// What stands between the parentheses or braces; empty for `name()` and for a word.
    public let arguments: [Expression]
    /// The derivation steps after `musig(...)`, with their leading slash; else empty.
    public let suffix: String
    /// Where the node starts, counted in characters from 0.
    public let position: Int
    /// Where the suffix starts, counted in characters from 0.
    public let suffixPosition: Int

    /// Characters that a text may have at most (999 keys with origins stay well below).
    public static let maximumLength = 1 << 18
    /// Parentheses and braces that may be open at once; any script that can be spent needs fewer.
    public static let maximumDepth = 402

    /// Reads a text without checksum.
    public init(_ text: String) throws(DescriptorError) {
        try self.init(utf8: Array(text.utf8))
    }

    /// Reads ASCII text without checksum.
    init(utf8 text: [UInt8]) throws(DescriptorError) {
        guard text.count <= Expression.maximumLength else {
            throw DescriptorError(.tooLong(allowed: Expression.maximumLength), at: text.count)
        }
        if let position = text.firstIndex(where: { !DescriptorChecksum.isAllowed($0) }) {
            throw DescriptorError(.invalidCharacter, at: position)
        }
        var parser = ExpressionParser(text: text)
        self = try parser.parse()
    }

    init(
        kind: Kind, text: String, arguments: [Expression] = [], suffix: String = "",
        position: Int, suffixPosition: Int = 0
    ) {
        self.kind = kind
        self.text = text
        self.arguments = arguments
        self.suffix = suffix
        self.position = position
        self.suffixPosition = suffixPosition
    }
}

/// Keeps the calls and branches that are open on a stack of its own.
private struct ExpressionParser {
    let text: [UInt8]
    var position = 0
    var open: [Frame] = []

    struct Frame {
        let kind: Expression.Kind
        let name: String
        let position: Int
        var arguments: [Expression] = []

        var closing: UInt8 { kind == .branch ? UInt8(ascii: "}") : UInt8(ascii: ")") }
    }

    init(text: [UInt8]) { self.text = text }

    mutating func parse() throws(DescriptorError) -> Expression {
        while true {
            guard var node = try openOrReadWord() else { continue }
            while let frame = open.last {
                guard position < text.count else {
                    throw DescriptorError(.unclosed, at: frame.position)
                }
                if text[position] == UInt8(ascii: ",") { break }
                guard text[position] == frame.closing else {
                    throw DescriptorError(.unexpectedCharacter, at: position)
                }
                node = try close(with: node)
            }
            guard open.isEmpty else {
                open[open.count - 1].arguments.append(node)
                position += 1
                continue
            }
            guard position == text.count else {
                throw DescriptorError(.unexpectedCharacter, at: position)
            }
            return node
        }
    }

    /// Reads a word; nil when it turned out to be the start of a call or a branch.
    private mutating func openOrReadWord() throws(DescriptorError) -> Expression? {
        let start = position
        let word = readWord()
        guard position < text.count else {
            return Expression(kind: .word, text: word, position: start)
        }
        let isCall = text[position] == UInt8(ascii: "(")
        guard isCall || text[position] == UInt8(ascii: "{") else {
            return Expression(kind: .word, text: word, position: start)
        }
        guard isCall != word.isEmpty else {
            throw DescriptorError(isCall ? .missingName : .unexpectedCharacter, at: position)
        }
        guard open.count < Expression.maximumDepth else {
            throw DescriptorError(.tooDeep(allowed: Expression.maximumDepth), at: position)
        }
        open.append(Frame(kind: isCall ? .call : .branch, name: word, position: start))
        position += 1
        return nil
    }

    /// Ends the innermost call or branch, whose last argument is `last`.
    private mutating func close(with last: Expression) throws(DescriptorError) -> Expression {
        var frame = open.removeLast()
        position += 1
        let isEmpty = frame.arguments.isEmpty && last.kind == .word && last.text.isEmpty
        if !isEmpty { frame.arguments.append(last) }
        let suffixStart = position
        if frame.kind == .call && frame.name == "musig" && position < text.count
            && text[position] == UInt8(ascii: "/")
        {
            let suffix = readWord()
            return Expression(
                kind: .call, text: frame.name, arguments: frame.arguments, suffix: suffix,
                position: frame.position, suffixPosition: suffixStart)
        }
        return Expression(
            kind: frame.kind, text: frame.name, arguments: frame.arguments,
            position: frame.position, suffixPosition: suffixStart)
    }

    private mutating func readWord() -> String {
        let start = position
        while position < text.count, !ExpressionParser.isDelimiter(text[position]) { position += 1 }
        return String(decoding: text[start..<position], as: UTF8.self)
    }

    private static func isDelimiter(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "("), UInt8(ascii: ")"), UInt8(ascii: "{"), UInt8(ascii: "}"),
            UInt8(ascii: ","):
            true
        default: false
        }
    }
}
