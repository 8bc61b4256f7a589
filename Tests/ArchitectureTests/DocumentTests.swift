import Foundation
import Testing

@Suite("Documents")
struct DocumentTests {
    /// The texts of the test files, by the suites in them.
    static let suites: [String: [String]] = {
        var suites: [String: [String]] = [:]
        for file in SourceTree.files(below: "Tests", endings: ["Tests.swift"]) {
            let text = flat(file)
            for part in text.components(separatedBy: "@Suite(\"").dropFirst() {
                suites[String(part.prefix { $0 != "\"" }), default: []].append(text)
            }
        }
        return suites
    }()

    @Test("every test that a document names is there, in the suite that it names")
    func namedTests() {
        var named = 0
        for document in SourceTree.files(below: "docs", endings: [".md"]) {
            for match in Self.flat(document).matches(of: /`([^`":]+): "([^`"]+)"`/) {
                let (suite, sentence) = (String(match.1), String(match.2))
                // How the pages explain the form.
                guard suite != "Suite" else { continue }
                let isThere = Self.suites[suite, default: []].contains {
                    $0.contains("\"\(sentence)\"")
                }
                #expect(isThere, "\(document.path) names \(suite): \"\(sentence)\"")
                named += 1
            }
        }
        #expect(named > 30)
    }

    @Test("every public bug of other clients has a row, with tests that are there or a reason")
    func publicBugs() throws {
        let document = try #require(
            SourceTree.files(below: "docs", endings: ["light-client.md"]).first)
        let sections = document.lines.split { $0.hasPrefix("## ") }
        let titles = document.lines.filter { $0.hasPrefix("## ") }
        var rows: Set<Int> = []
        var named = 0
        // What stands before the first title is no section of one.
        for (title, lines) in zip(titles, sections.dropFirst())
        where title.hasPrefix("## Public bugs") {
            for line in lines where line.hasPrefix("| ") && line.contains(/^\| [0-9]/) {
                let cells = line.split(separator: "|").map {
                    $0.trimmingCharacters(in: .whitespaces)
                }
                let last = try #require(cells.last)
                let tests = last.matches(of: /`([^`]+): (\w+)`/)
                for test in tests {
                    let (suite, function) = (String(test.1), String(test.2))
                    let isThere = Self.suites[suite, default: []].contains {
                        $0.contains(" func \(function)(")
                    }
                    #expect(isThere, "\(line): there is no \(suite): \(function)")
                    named += 1
                }
                #expect(!tests.isEmpty || last.hasPrefix("does not apply: "), "\(line)")
                for number in cells[0].split(separator: ",") {
                    rows.insert(
                        try #require(Int(number.trimmingCharacters(in: .whitespaces)), "\(line)"))
                }
            }
        }
        #expect(rows == Set(1...74))
        #expect(named > 80)
    }

    /// The text with single spaces, and without the seams of a literal of several lines.
    private static func flat(_ file: SourceTree.File) -> String {
        file.lines.joined(separator: " ").split(separator: " ").joined(separator: " ")
            .replacingOccurrences(of: "\" + \"", with: "")
    }
}
