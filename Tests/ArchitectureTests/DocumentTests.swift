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

    /// The text with single spaces, and without the seams of a literal of several lines.
    private static func flat(_ file: SourceTree.File) -> String {
        file.lines.joined(separator: " ").split(separator: " ").joined(separator: " ")
            .replacingOccurrences(of: "\" + \"", with: "")
    }
}
