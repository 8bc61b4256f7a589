import Configuration
import Foundation
import Testing

@testable import ConsoleCore

@Suite("Documents of the commands")
struct CommandDocumentsTests {
    @Test("docs/commands.md is what the table of commands renders")
    func commands() throws {
        let file = URL(filePath: #filePath)
            .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "docs/commands.md")
        if ProcessInfo.processInfo.environment["BULKHEAD_WRITE_DOCS"] != nil {
            try CommandTable.document.write(to: file, atomically: true, encoding: .utf8)
        }
        let committed = try String(contentsOf: file, encoding: .utf8)
        #expect(committed == CommandTable.document, "run scripts/docs")
    }

    @Test("every command has one row, with a sentence and flags that no other flag is named like")
    func rows() {
        #expect(
            CommandTable.rows.map(\.command.rawValue).sorted()
                == CommandName.allCases.map(\.rawValue).sorted())
        let names = CommandTable.common.map(\.name) + CommandFlag.allCases.map(\.rawValue)
        #expect(Set(names).count == names.count)
        for row in CommandTable.rows {
            #expect(row.sentence.hasSuffix("."), "\(row.name)")
            #expect(Set(row.flags).count == row.flags.count, "\(row.name)")
        }
        let used = Set(CommandTable.rows.flatMap(\.flags))
        #expect(used == Set(CommandFlag.allCases))
    }

    @Test("help texts name every command and every flag, in lines of at most 80 columns")
    func help() {
        for row in CommandTable.rows {
            #expect(CommandTable.help.contains("  " + row.name))
            let help = CommandTable.help(of: row)
            for flag in row.flags { #expect(help.contains("--" + flag.rawValue)) }
            #expect(help.split(separator: "\n").allSatisfy { $0.count <= 80 }, "\(help)")
        }
        #expect(CommandTable.help.split(separator: "\n").allSatisfy { $0.count <= 80 })
    }
}
