import Foundation
import Testing

@Suite("Programs that are started without standard streams")
struct StandardStreamsTests {
    /// How a program ends that is started so by a shell.
    private func status(of program: URL, _ words: String, _ closed: String) throws -> Int32 {
        let process = Process()
        process.executableURL = URL(filePath: "/bin/bash")
        process.arguments = ["-c", #"exec "$0" "$@" "# + closed, program.path]
        process.arguments? += words.split(separator: " ").map(String.init)
        process.environment = ["HOME": "/var/empty", "PATH": "/usr/bin:/bin"]
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        return process.terminationReason == .exit ? process.terminationStatus : -1
    }

    @Test(
        "whichever are closed, no command ends by a signal",
        arguments: ["<&-", ">&-", "2>&-", "<&- >&-", "<&- 2>&-", ">&- 2>&-", "<&- >&- 2>&-"])
    func closed(streams: String) throws {
        let none = " --runtime-directory /var/empty/none"
        let keeper = VaultCommands.program.deletingLastPathComponent()
            .appending(path: "bulkheadd")
        #expect(try status(of: VaultCommands.program, "--help", streams) == 0)
        #expect(try status(of: keeper, "--help", streams) == 0)
        for words in ["status", "pending", "history", "wallet list"] {
            let ending = try status(of: VaultCommands.program, words + none, streams)
            #expect(ending == 8, "\(words)")
        }
        let words = "verify-message a b --message c"
        let ending = try status(of: VaultCommands.program, words, streams)
        #expect(ending == 10)
    }

    @Test("what is printed then is in no file that the command writes")
    func files() throws {
        let commands = try VaultCommands()
        let made = try commands.run(
            "wallet create Savings --kdf pbkdf2 --kit kit.txt --phrase-fd 3",
            answers: ["Correct-Horse-1"],
            outputFile: "&-")
        #expect(made.status == 0, "\(made)")
        let kit = try String(
            contentsOf: commands.files.appending(path: "kit.txt"), encoding: .utf8)
        #expect(kit.contains("Recovery code"))
        #expect(!kit.contains("bulkhead-"), "\(kit)")
        #expect(!kit.contains("next, a backup"), "\(kit)")
    }
}
