import ConsoleCore
import Foundation
import Testing

/// What every command prints under `--json`, where no appliance runs.
@Suite("With --json each answer is one JSON value, a refusal too")
struct JSONAnswersTests {
    private struct Run {
        let words: [String]
        let status: Int32
        let output: String
        let errors: String

        init(_ words: [String]) throws {
            self.words = words
            let process = Process()
            let (output, errors) = (Pipe(), Pipe())
            process.executableURL = VaultCommands.program
            process.arguments = words + ["--json"]
            process.environment = ["HOME": "/var/empty"]
            process.standardInput = FileHandle.nullDevice
            process.standardOutput = output
            process.standardError = errors
            try process.run()
            self.output = String(
                decoding: try output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
            self.errors = String(
                decoding: try errors.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
            process.waitUntilExit()
            status = process.terminationStatus
        }

        /// The one value on standard output.
        var json: [String: Any] {
            (try? JSONSerialization.jsonObject(with: Data(output.utf8))) as? [String: Any] ?? [:]
        }

        /// Whether it is a refusal in one line, which people read on standard error.
        func isRefusal(_ code: String) -> Bool {
            let sentence = json["sentence"] as? String ?? "?"
            return json["schema"] as? String == "bulkhead-refusal-1"
                && json["code"] as? String == code && errors == "bulkhead: \(sentence)\n"
                && output.split(separator: "\n").count == 1
        }
    }

    private static let missing = "/var/empty/none"

    /// Arguments and flags that a script gives, so that nothing is wrong but that nobody answers.
    private static func words(of row: CommandRow, file: String, folder: String) -> [String] {
        let arguments = row.arguments.filter { !$0.hasPrefix("[") }.map { name in
            switch name {
            case "FILE" where row.command == .kit: folder + "/kit.txt"
            case "FILE"
            where [.backup, .itemsGet, .ledgerExport, .labelsExport].contains(row.command):
                folder + "/" + row.words.joined()
            case "FILE", "FILE...": file
            case "ID": "7"
            case "ADDRESS" where row.command != .peersAdd && row.command != .peersRemove:
                "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4"
            case "TYPE": "tx"
            case "TXID": String(repeating: "0", count: 64)
            default: "1"
            }
        }
        var flags = ["--runtime-directory", missing]
        for flag in row.flags {
            switch flag {
            case .passwordFD: flags += ["--password-fd", "0"]
            case .phraseFD: flags += ["--phrase-fd", "2"]
            case .kit: flags += ["--kit", folder + "/kit.txt"]
            case .yesIfNoWarnings: flags.append("--yes-if-no-warnings")
            case .message: flags += ["--message", "x"]
            case .from: flags += ["--from", "1"]
            case .name where row.command == .walletDelete: flags += ["--name", "x"]
            default: break
            }
        }
        return row.words + arguments + (row.command == .backup ? [folder + "/b"] : []) + flags
    }

    @Test("no appliance", arguments: CommandTable.rows.map(\.name))
    func unreachable(_ name: String) throws {
        let row = try #require(CommandTable.rows.first { $0.name == name })
        let folder = "/tmp/bulkhead-json-\(UUID().uuidString)"
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        // Enough for a header of a backup, and digits of a transaction.
        let file = folder + "/file"
        try Data(String(repeating: "00", count: 100).utf8).write(to: URL(filePath: file))
        let run = try Run(Self.words(of: row, file: file, folder: folder))
        switch row.command {
        case .console: #expect(run.status == 2 && run.isRefusal("usage"), "\(run)")
        case .help:
            #expect(run.status == 0 && run.json["schema"] as? String == "bulkhead-help-1")
        case .status:
            #expect(run.status == 8 && run.json["schema"] as? String == "bulkhead-status-1")
        case .verifyMessage:
            let schema = run.json["schema"] as? String
            #expect(run.status == 1 && schema == "bulkhead-message-verdict-1", "\(run)")
        default: #expect(run.status == 8 && run.isRefusal("unreachable"), "\(run)")
        }
    }

    @Test(
        "a flag that is none, and arguments that are too many",
        arguments: CommandTable.rows.map(\.name))
    func usage(_ name: String) throws {
        let row = try #require(CommandTable.rows.first { $0.name == name })
        let flag = try Run(row.words + ["--nonsense"])
        #expect(flag.status == 2 && flag.isRefusal("usage"), "\(flag)")
        guard row.arguments.last?.hasSuffix("...") != true else { return }
        let many = try Run(row.words + Array(repeating: "x", count: 9))
        #expect(many.status == 2 && many.isRefusal("usage"), "\(many)")
        let help = try Run(row.words + ["--help"])
        #expect(help.status == 0 && help.json["schema"] as? String == "bulkhead-help-1", "\(help)")
    }

    @Test("what is no command, and what needs none")
    func others() throws {
        for words in [["help", "nope"], ["nope"], ["wallet", "nope"], []] {
            let run = try Run(words)
            #expect(run.status == 2 && run.isRefusal("usage"), "\(run)")
        }
        let version = try Run(["--version"])
        #expect(version.json["schema"] as? String == "bulkhead-version-1", "\(version)")
        let off = try Run(["backup", "--every-change", "/var/empty/none"])
        #expect(off.status == 10 && off.isRefusal("input"), "\(off)")
    }
}
