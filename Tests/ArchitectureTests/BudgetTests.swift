import Testing

@Suite("Size of files and functions")
struct BudgetTests {
    static let sources =
        SourceTree.files(below: "Sources", endings: [".swift", ".c", ".h"])
        + SourceTree.files(below: "Tests", endings: [".swift"])

    @Test("no file has more than 500 lines")
    func files() {
        #expect(Self.sources.count > 10)
        for file in Self.sources {
            #expect(file.lines.count <= 501, "\(file.path) has \(file.lines.count - 1) lines")
        }
    }

    @Test("no function of the product has more than 60 lines")
    func functions() {
        var seen = 0
        for file in Self.sources
        where file.path.hasPrefix("Sources") && file.path.hasSuffix(".swift") {
            for function in FunctionSpan.all(in: file.lines) {
                seen += 1
                #expect(
                    function.count <= 60,
                    "\(file.path):\(function.lowerBound + 1) is \(function.count) lines long")
            }
        }
        #expect(seen > 100)
    }

    @Test("a function is measured from its first line to its closing brace")
    func measure() {
        let text = ["func a() {", "    let s = \"}\" // }", "}", "var b: Int {", "    1", "}"]
        #expect(FunctionSpan.all(in: text) == [0..<3])
    }
}

/// Finds functions by their braces, good enough to hold a budget.
enum FunctionSpan {
    static func all(in lines: [String]) -> [Range<Int>] {
        let code = lines.map(withoutTextAndComments)
        var spans: [Range<Int>] = []
        for (start, line) in code.enumerated() {
            guard line.contains(/^\s*(?:[a-z@(){}]+\s+)*(?:func\s|init[?(<]|deinit\b)/) else {
                continue
            }
            if let end = closingLine(of: start, in: code) { spans.append(start..<(end + 1)) }
        }
        return spans
    }

    private static func closingLine(of start: Int, in code: [String]) -> Int? {
        var depth = 0
        for index in start..<code.count {
            for character in code[index] {
                if character == "{" { depth += 1 }
                if character == "}" { depth -= 1 }
                if character == "}" && depth <= 0 { return depth < 0 ? nil : index }
            }
        }
        return nil
    }

    private static func withoutTextAndComments(_ line: String) -> String {
        line.replacing(/"(?:\\.|[^"\\])*"/, with: "\"\"").replacing(/\/\/.*/, with: "")
    }
}
