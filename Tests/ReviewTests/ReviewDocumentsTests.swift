import Foundation
import Review
import Testing

@Suite("Documents of the review")
struct ReviewDocumentsTests {
    /// `BULKHEAD_WRITE_DOCS=1` (scripts/docs) writes the file instead of comparing it.
    @Test("docs/review.md is what the tables of the review render to")
    func rendered() throws {
        let page = URL(filePath: #filePath)
            .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "docs/review.md")
        if ProcessInfo.processInfo.environment["BULKHEAD_WRITE_DOCS"] != nil {
            try ReviewDocuments.page.write(to: page, atomically: true, encoding: .utf8)
        }
        #expect(
            try String(contentsOf: page, encoding: .utf8) == ReviewDocuments.page,
            "run scripts/docs")
    }

    @Test("every rule of the field is kept by a check, or the page says where else")
    func rules() {
        let names = ReviewRule.all.map(\.name)
        let expected =
            (1...12).map { "P\($0)" } + (1...26).map { "I\($0)" } + (1...13).map { "O\($0)" }
            + (1...12).map { "T\($0)" }
        #expect(names == expected)
        for rule in ReviewRule.all {
            #expect(!rule.checks.isEmpty || rule.elsewhere != nil, "\(rule.name)")
        }
        let cited = Set(ReviewCheck.allCases.flatMap(\.rules))
        #expect(cited.isSubset(of: Set(names)))
    }

    @Test("every check says what must hold, what to do, and which rule asks for it")
    func checks() {
        for check in ReviewCheck.allCases {
            #expect(check.subject.hasSuffix("."), "\(check.code)")
            #expect(check.advice.hasSuffix("."), "\(check.code)")
            #expect(!check.rules.isEmpty, "\(check.code)")
        }
        #expect(Set(ReviewCheck.allCases.map(\.subject)).count == ReviewCheck.allCases.count)
    }

    @Test("every limit has a name of its own, and setting it changes that limit alone")
    func limits() {
        #expect(Set(ReviewLimits.rows.map(\.name)).count == ReviewLimits.rows.count)
        #expect(Set(ReviewLimits.rows.map(\.path)).count == ReviewLimits.rows.count)
        for row in ReviewLimits.rows {
            var changed = ReviewLimits.standard
            changed[keyPath: row.path] += 1
            let differing = ReviewLimits.rows.filter {
                changed[keyPath: $0.path] != ReviewLimits.standard[keyPath: $0.path]
            }
            #expect(differing.map(\.name) == [row.name])
        }
    }
}
