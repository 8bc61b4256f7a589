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
        let words = terminal.words
        #expect(words.count == 12)
        // Somebody who is not sure looks again.
        terminal.type("\r")
        try terminal.wait("the quiz") { terminal.grid.text.contains("1 of 3") }
        terminal.type("zzzz\r")
        try terminal.wait("its answer") { terminal.grid.text.contains("That is not word") }
        terminal.type("\r")
        try terminal.wait("the words again") { terminal.words == words }
        try terminal.passQuiz()
        try terminal.wait("the kit") { terminal.grid.text.contains("Recovery code") }
        terminal.type("\r")
        #expect(try end(terminal) == 0)
        #expect(!terminal.shown.contains("Correct"))
        let parts = terminal.shown.components(separatedBy: "\u{1b}[?1049h")
        #expect(parts.count == 6, "words, quiz and kit each have a screen of their own")
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

    /// Types the new password twice, and waits for the words.
    private func createUntilWords(_ terminal: PersonTerminal) throws {
        terminal.type("Correct-Horse-1\r")
        try terminal.wait("the second time") { terminal.shown.contains("The same again") }
        terminal.type("Correct-Horse-1\r")
        try terminal.wait("the words", seconds: 60) { terminal.shown.contains(" 12. ") }
    }

    @Test(
        "whoever leaves the words early has the wallet and its kit's file, and is told",
        arguments: [true, false])
    func leaveWords(byKey: Bool) throws {
        let commands = try VaultCommands()
        let kit = commands.files.appending(path: "kit.txt").path
        let terminal = try open(
            commands, "wallet create Savings --words 12 --kit \(kit)", until: "New password")
        try createUntilWords(terminal)
        if byKey {
            terminal.type("\u{3}")
        } else {
            kill(try #require(terminal.leader), SIGTERM)
        }
        #expect(try end(terminal) == 17)
        let after = terminal.shown.components(separatedBy: "\u{1b}[?1049l").last ?? ""
        #expect(after.contains("wallet Savings was made") && after.contains("its kit is in"))
        #expect(after.contains("bulkhead wallet show-phrase Savings"))
        #expect(!after.contains("nothing was changed"))
        #expect(commands.names == ["kit.txt"])
        let code = try commands.code("Recovery code", in: "kit.txt")
        let opened = try commands.run("wallet recover", answers: [code, "Battery_Staple-2"])
        #expect(opened.status == 0, "\(opened)")
    }

    @Test("whoever leaves the kit's screen early is told how to make another kit")
    func leaveKit() throws {
        let commands = try VaultCommands()
        let terminal = try open(commands, "wallet create Savings --words 12", until: "New password")
        try createUntilWords(terminal)
        try terminal.passQuiz()
        try terminal.wait("the kit") { terminal.shown.contains("Recovery code") }
        terminal.type("\u{3}")
        #expect(try end(terminal) == 17)
        let after = terminal.shown.components(separatedBy: "\u{1b}[?1049l").last ?? ""
        #expect(after.contains("bulkhead kit FILE Savings"), "\(after)")
        #expect(try commands.run("kit kit.txt Savings", answers: ["Correct-Horse-1"]).status == 0)
    }

    @Test("a kit that its file does not take is shown, and the way to another one named")
    func kitWithoutFile() throws {
        let commands = try VaultCommands()
        _ = try commands.run(
            "wallet create Savings --kit kit.txt --phrase-fd 3", answers: ["Correct-Horse-1"])
        let terminal = try PersonTerminal()
        try terminal.start(
            "/bin/bash",
            [
                "-c", #"trap '' XFSZ; exec "$0" "$@""#, VaultCommands.program.path,
                "--runtime-directory", commands.keeper.runtime.path,
                "kit", commands.files.appending(path: "new.txt").path,
            ], environment: ["HOME": commands.files.path])
        try terminal.wait("the password") { terminal.shown.contains("Password of Savings") }
        let asking = try #require(
            terminal.leader.flatMap { KeeperUnderTest.children(of: $0).first })
        let limit = try Process.run(
            URL(filePath: "/usr/bin/prlimit"), arguments: ["--pid", "\(asking)", "--fsize=16"])
        limit.waitUntilExit()
        #expect(limit.terminationStatus == 0)
        terminal.type("Correct-Horse-1\r")
        try terminal.wait("the kit") { terminal.shown.contains("Recovery code") }
        terminal.type("\r")
        #expect(try end(terminal) == 17)
        let after = terminal.shown.components(separatedBy: "\u{1b}[?1049l").last ?? ""
        #expect(after.contains("the old recovery code is dead"), "\(after)")
        #expect(after.contains("bulkhead kit FILE"))
        #expect(commands.names == ["kit.txt"])
        let old = try commands.code("Recovery code", in: "kit.txt")
        let refused = try commands.run("wallet recover", answers: [old, "Battery_Staple-2"])
        #expect(refused.code == "wrong-code")
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

    @Test("what takes long shows how far it is, and leaves nothing of that on the screen")
    func progress() throws {
        let commands = try VaultCommands()
        let password = "Correct-Horse-1"
        _ = try commands.run("items create Papers --kit kit.txt", answers: [password])
        let content = Data(repeating: 7, count: 12 << 20)
        try content.write(to: commands.files.appending(path: "film.bin"))
        #expect(try commands.run("items add film.bin", answers: [password]).status == 0)
        _ = try commands.run("backup first.backup", answers: [password])
        let key = try commands.code("Secret key", in: "kit.txt")
        for (words, question, answer) in [
            ("items get film.bin out.bin", "Password of Papers", password),
            ("backup second.backup", "Password of Papers", password),
            ("restore first.backup --check", "The secret key of vault", key),
        ] {
            let terminal = try PersonTerminal()
            try terminal.start(
                "/bin/bash",
                ["-c", #"cd "$HOME" && exec "$@""#, "-", VaultCommands.program.path]
                    + ["--runtime-directory", commands.keeper.runtime.path]
                    + words.split(separator: " ").map(String.init),
                environment: ["HOME": commands.files.path])
            try terminal.wait(question) { terminal.shown.contains(question) }
            terminal.type(answer + "\r")
            #expect(try end(terminal) == 0, "\(words): \(terminal.shown)")
            let bar = #"\[#* *\] [0-9]+ %, [0-9]+ of [0-9]+ MiB"#
            #expect(
                terminal.shown.range(of: bar, options: .regularExpression) != nil,
                "\(words): \(terminal.shown)")
            #expect(!terminal.grid.text.contains(" MiB"), "\(words): \(terminal.grid.text)")
        }
        #expect(try Data(contentsOf: commands.files.appending(path: "out.bin")) == content)
    }

    @Test(
        "after a file is sealed it is asked whether the original goes, and only yes removes it",
        arguments: [("yes", false), ("y", true), ("", true)])
    func original(_ answer: String, _ stays: Bool) throws {
        let commands = try VaultCommands()
        let password = "Correct-Horse-1"
        _ = try commands.run("items create Papers --kit kit.txt", answers: [password])
        let note = commands.files.appending(path: "note.txt")
        try Data("a note".utf8).write(to: note)
        let terminal = try PersonTerminal()
        try terminal.start(
            VaultCommands.program.path,
            ["--runtime-directory", commands.keeper.runtime.path, "items", "add", note.path],
            environment: ["HOME": commands.files.path])
        try terminal.wait("the password") { terminal.shown.contains("Password of Papers") }
        terminal.type(password + "\r")
        try terminal.wait("the offer") { terminal.shown.contains("Remove the original") }
        #expect(commands.exists("note.txt"), "nothing goes before it is sealed and answered")
        terminal.type(answer + "\n")
        #expect(try end(terminal) == 0, "\(terminal.shown)")
        #expect(commands.exists("note.txt") == stays)
        let list = try commands.run("items list", answers: [password])
        #expect((list.json["items"] as? [Any])?.count == 1)
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
