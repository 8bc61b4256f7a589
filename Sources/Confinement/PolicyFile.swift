/// One policy text, read line by line; what it includes is only named.
struct PolicyFile {
    let name: String
    private(set) var header = ""
    private(set) var includes: [(name: String, line: Int)] = []
    private(set) var rules: [SeccompRule] = []

    init(_ name: String, source: (String) -> [UInt8]?) throws(PolicyError) {
        self.name = name
        guard let bytes = source(name) else {
            throw PolicyError(file: name, line: 0, problem: .missingFile)
        }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw PolicyError(file: name, line: 0, problem: .unreadable)
        }
        var headerLines: [Substring] = []
        var inHeader = true
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        for (index, line) in lines.enumerated() {
            let content = line.trimmed
            if inHeader, content.first == "#" {
                headerLines.append(content.dropFirst().trimmed)
                continue
            }
            inHeader = false
            if headerLines.isEmpty {
                throw PolicyError(file: name, line: index + 1, problem: .missingHeader)
            }
            guard !content.isEmpty else { continue }
            try read(content, line: index + 1)
        }
        header = headerLines.joined(separator: " ")
    }

    private mutating func read(_ content: Substring, line: Int) throws(PolicyError) {
        if content.hasPrefix("@include ") {
            guard rules.isEmpty else {
                throw PolicyError(file: name, line: line, problem: .lateInclude)
            }
            includes.append((String(content.dropFirst("@include ".count).trimmed), line))
            return
        }
        var parser = PolicyLine(file: name, line: line)
        let rule = try parser.rule(content)
        if let previous = rules.last, !(previous.sortKey < rule.sortKey) {
            throw PolicyError(
                file: name, line: line,
                problem: previous.sortKey == rule.sortKey
                    ? .redundant(with: "\(previous)") : .unsorted(after: "\(previous)"))
        }
        rules.append(rule)
    }
}

extension SeccompRule {
    /// Rules are sorted by call, then by architecture and conditions as they are written.
    fileprivate var sortKey: [String] { [call, description] }
}

extension [String] {
    fileprivate static func < (left: [String], right: [String]) -> Bool {
        left.lexicographicallyPrecedes(right)
    }
}

extension Substring {
    /// Without blanks at both ends.
    var trimmed: Substring {
        let blank: (Character) -> Bool = { $0 == " " || $0 == "\t" }
        let tail = drop(while: blank)
        let end = tail.lastIndex { !blank($0) }.map(tail.index(after:)) ?? tail.startIndex
        return tail[..<end]
    }
}
