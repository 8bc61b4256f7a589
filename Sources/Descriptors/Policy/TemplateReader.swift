import Bitcoin

/// Puts keys in the places of `@0/**` and its relatives.
struct TemplateReader {
    private let keys: [KeyExpression]
    /// How many keys were used; a key that is new must be the next one.
    private(set) var used = 0
    /// How many placeholders were replaced.
    private(set) var placeholders = 0

    init(keys: [KeyExpression]) { self.keys = keys }

    /// The tree of the descriptor. Positions stay those of the template.
    mutating func substitute(_ node: Expression) throws(DescriptorError) -> Expression {
        if node.kind == .word && node.text.hasPrefix("@") { return try key(node, suffix: true) }
        let isMusig = node.kind == .call && node.text == "musig"
        var arguments: [Expression] = []
        for argument in node.arguments {
            arguments.append(
                isMusig ? try key(argument, suffix: false) : try substitute(argument))
        }
        let suffix = isMusig ? try path(node.suffix, at: node.suffixPosition) : node.suffix
        return Expression(
            kind: node.kind, text: node.text, arguments: arguments, suffix: suffix,
            position: node.position, suffixPosition: node.suffixPosition)
    }

    /// One placeholder, with `/**` or `/<m;n>/*` unless it stands in `musig`.
    private mutating func key(
        _ node: Expression, suffix hasSuffix: Bool
    ) throws(DescriptorError) -> Expression {
        guard node.kind == .word, node.text.hasPrefix("@") else {
            throw DescriptorError(.placeholder, at: node.position)
        }
        let text = node.text.utf8.dropFirst()
        let digits = text.prefix { (0x30...0x39).contains($0) }
        guard (1...4).contains(digits.count), digits.count == 1 || digits.first != 0x30,
            let index = Int(String(decoding: digits, as: UTF8.self))
        else { throw DescriptorError(.placeholder, at: node.position) }
        guard index <= used, index < keys.count else {
            throw DescriptorError(
                .placeholderOrder(found: index, allowed: min(used, keys.count - 1)),
                at: node.position)
        }
        used = max(used, index + 1)
        placeholders += 1
        let rest = String(decoding: text.dropFirst(digits.count), as: UTF8.self)
        guard hasSuffix || rest.isEmpty else {
            throw DescriptorError(.placeholder, at: node.position)
        }
        let steps = hasSuffix ? try path(rest, at: node.position + 1 + digits.count) : ""
        return Expression(
            kind: .word, text: keys[index].description + steps, position: node.position)
    }

    /// `/<0;1>/*` for `/**`; another pair of numbers stays as it is.
    private func path(_ text: String, at position: Int) throws(DescriptorError) -> String {
        if text == "/**" { return "/<0;1>/*" }
        var parser = PathParser(text: Array(text.utf8)[...], offset: position)
        guard (try? parser.parse()) != nil, parser.wildcard == .unhardened, parser.steps.count == 1,
            case .branches(let numbers) = parser.steps[0], numbers.count == 2
        else { throw DescriptorError(.placeholderPath, at: position) }
        return text
    }
}
