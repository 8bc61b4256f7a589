import Foundation
import Testing

@testable import Configuration

@Suite("Documents of the configuration")
struct DocumentsTests {
    static let docs = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "docs")

    /// `BULKHEAD_WRITE_DOCS=1` (scripts/docs) writes the file instead of comparing it.
    private func compare(_ text: String, with name: String) throws {
        let file = Self.docs.appending(path: name)
        if ProcessInfo.processInfo.environment["BULKHEAD_WRITE_DOCS"] != nil {
            try text.write(to: file, atomically: true, encoding: .utf8)
        }
        let committed = try String(contentsOf: file, encoding: .utf8)
        #expect(committed == text, "run scripts/docs")
    }

    @Test("docs/configuration.md is what the table of settings renders")
    func configuration() throws { try compare(Documents.configuration, with: "configuration.md") }

    @Test("docs/exit-codes.md is what the table of exit codes renders")
    func exitCodes() throws { try compare(Documents.exitCodes, with: "exit-codes.md") }

    @Test("a list of commands is aligned, in lines of at most 80 columns")
    func commands() {
        let long = String(repeating: "word ", count: 30)
        let help = Documents.help(commands: [("go", "Short."), ("longer", long)])
        let lines = help.split(separator: "\n")
        #expect(lines.first == "  go      Short.")
        #expect(lines.count == 4 && lines.allSatisfy { $0.count <= 80 })
        #expect(lines.dropFirst(2).allSatisfy { $0.hasPrefix("          word") })
    }

    @Test("the help text names every flag with its default, in lines of at most 80 columns")
    func help() {
        let help = Documents.keeperHelp
        for setting in Setting.allCases {
            #expect(help.contains("--" + setting.rawValue))
        }
        #expect(help.contains("Default: mainnet."))
        #expect(help.split(separator: "\n").allSatisfy { $0.count <= 80 })
    }

    @Test("every exit code says something, and no two say the same")
    func exitCodeTable() {
        #expect(Set(ExitCode.allCases.map(\.sentence)).count == ExitCode.allCases.count)
        #expect(ExitCode.allCases.allSatisfy { $0.remedy.hasSuffix(".") && $0.rawValue < 64 })
    }
}
