import Foundation
import Testing

@Suite("Commands on wallets at a terminal", .serialized, .enabled(if: isWallTested))
struct VaultTerminalTests {
    private func open(
        _ commands: VaultCommands, _ words: String, until text: String
    ) throws -> PersonTerminal {
        let terminal = try PersonTerminal()
        try terminal.start(
            VaultCommands.program.path,
            ["--runtime-directory", commands.keeper.runtime.path]
                + words.split(separator: " ").map(String.init),
            environment: ["HOME": commands.files.path])
        try terminal.wait(text) { terminal.shown.contains(text) }
        #expect(terminal.modes & tcflag_t(ICANON | ECHO | ISIG) == 0)
        return terminal
    }

    private func end(_ terminal: PersonTerminal) throws -> Int32 {
        try terminal.wait("its exit", seconds: 60) { !terminal.program.isRunning }
        #expect(terminal.isRestored)
        return terminal.program.terminationStatus
    }

    @Test("a wallet is made with words and kit on a screen that is empty afterwards")
    func create() throws {
        let commands = try VaultCommands()
        let terminal = try open(commands, "wallet create Savings --words 12", until: "New password")
        terminal.type("Correct-Horse-1\r")
        try terminal.wait("the second time") { terminal.shown.contains("The same again") }
        terminal.type("Correct-Horse-1\r")
        try terminal.wait("the words", seconds: 60) { terminal.shown.contains(" 12. ") }
        terminal.type("\r")
        try terminal.wait("the kit") { terminal.shown.contains("Recovery code") }
        terminal.type("\r")
        #expect(try end(terminal) == 0)
        #expect(!terminal.shown.contains("Correct"))
        let parts = terminal.shown.components(separatedBy: "\u{1b}[?1049h")
        #expect(parts.count == 3, "words and kit each have a screen of their own")
        for part in parts.dropFirst() {
            #expect(part.contains("\u{1b}[2J\u{1b}[?25h\u{1b}[?1049l"))
        }
        let after = terminal.shown.components(separatedBy: "\u{1b}[?1049l").last ?? ""
        #expect(after.contains("vault ") && !after.contains(" 12. "))
    }

    @Test("Control-C gives the terminal back, and leaves no file", arguments: [true, false])
    func cancel(byKey: Bool) throws {
        let commands = try VaultCommands()
        let terminal = try open(
            commands, "wallet import Savings --kit kit.pdf", until: "Word 1")
        if byKey {
            terminal.type("abandon \u{3}")
        } else {
            kill(try #require(terminal.leader), SIGTERM)
        }
        #expect(try end(terminal) == 16)
        #expect(terminal.shown.hasSuffix("\u{1b}[?1049l") || terminal.shown.contains("cancelled"))
        #expect(commands.names.isEmpty, "\(commands.names)")
    }

    @Test("the terminal is given back when the launcher is killed")
    func killed() throws {
        let commands = try VaultCommands()
        let terminal = try open(commands, "wallet import Savings --kit kit.pdf", until: "Word 1")
        let launcher = try #require(terminal.leader)
        let all = [launcher] + KeeperUnderTest.children(of: launcher)
        #expect(all.count == 2)
        kill(launcher, SIGKILL)
        try terminal.wait("the end of everything") { all.allSatisfy(KeeperUnderTest.isGone) }
        #expect(terminal.isRestored)
        #expect(terminal.shown.contains("\u{1b}[?1049l"))
    }

    @Test("deleting asks for the name, where everybody sees it, and then for the password")
    func deleteAsks() throws {
        let commands = try VaultCommands()
        _ = try commands.run(
            "wallet create Savings --kit kit.txt --phrase-fd 3", answers: ["Correct-Horse-1"])
        let terminal = try PersonTerminal()
        try terminal.start(
            VaultCommands.program.path,
            ["--runtime-directory", commands.keeper.runtime.path, "wallet", "delete", "Savings"],
            environment: ["HOME": commands.files.path])
        try terminal.wait("the question") { terminal.shown.contains("type the name") }
        terminal.type("Savings\n")
        try terminal.wait("the password") { terminal.shown.contains("Password of Savings") }
        terminal.type("Correct-Horse-1\r")
        #expect(try end(terminal) == 0)
        #expect((try commands.run("wallet list").json["vaults"] as? [Any])?.isEmpty == true)
    }
}
