import Foundation
import Testing

/// What a person does with a PSBT at a terminal, with the real console against the real processes.
@Suite("Signing at a terminal", .serialized, .enabled(if: isWallTested))
struct SigningTerminalTests {
    static let password = "Correct-Horse-1"
    private static let words = Array(repeating: "abandon", count: 11) + ["about"]

    // MARK: Set-up

    /// An appliance whose only wallet is that of the recorded PSBTs.
    private func appliance(role: String = "offline") throws -> VaultCommands {
        let commands = try VaultCommands(role: role)
        let made = try commands.run(
            "wallet import Savings --kit kit.txt",
            answers: [Self.words.joined(separator: " "), Self.password])
        try #require(made.status == 0, "\(made)")
        return commands
    }

    private func open(
        _ commands: VaultCommands, _ words: [String], until text: String
    ) throws -> PersonTerminal {
        let terminal = try PersonTerminal()
        try terminal.start(
            VaultCommands.program.path,
            ["--runtime-directory", commands.keeper.runtime.path] + words,
            environment: ["HOME": commands.files.path])
        try wait(terminal, text)
        return terminal
    }

    private func wait(_ terminal: PersonTerminal, _ text: String) throws {
        try terminal.wait(text, seconds: 60) { terminal.grid.text.contains(text) }
    }

    private func end(_ terminal: PersonTerminal) throws -> Int32 {
        try terminal.wait("its exit", seconds: 60) { !terminal.program.isRunning }
        #expect(terminal.isRestored && !terminal.grid.isOther)
        #expect(!terminal.shown.contains("Correct") && !terminal.shown.contains("Wrong-H"))
        return terminal.program.terminationStatus
    }

    /// Types a key and waits until the screen says so.
    private func press(_ terminal: PersonTerminal, _ keys: String, until text: String) throws {
        terminal.type(keys)
        try wait(terminal, text)
    }

    /// Goes back to the console from what a task said. What is typed before it asks for that is dropped.
    private func goBack(_ terminal: PersonTerminal, until text: String = "Savings  wallet") throws {
        try terminal.wait("the way back", seconds: 60) {
            let parts = terminal.shown.components(separatedBy: "Enter goes back to the console. ")
            return parts.count > 1 && parts.last?.contains("[?1049h") == false
        }
        try press(terminal, "\n", until: text)
    }

    /// Goes through all pages of a review.
    private func read(_ terminal: PersonTerminal) throws {
        try wait(terminal, "page 1 of ")
        let title = try #require(terminal.grid.lines.first)
        let count = try #require(Int(title.split(separator: " ").last ?? ""))
        for page in stride(from: 2, through: count, by: 1) {
            try press(terminal, " ", until: "page \(page) of \(count)")
        }
    }

    // MARK: Files

    @Test("a file is reviewed page by page, approved with a wrong and then the right password")
    func sign() throws {
        let commands = try appliance()
        let recorded = try RecordedPSBT.first(of: "wpkh")
        try recorded.write(to: commands.files, "pay.psbt")
        let path = commands.files.appending(path: "pay.psbt").path
        let terminal = try open(commands, ["sign", "--final", path], until: "page 1 of")
        try expectKept(terminal.grid, "sign-review", hiding: [commands.files.path: "FOLDER"])
        try read(terminal)
        try press(terminal, "a", until: "Password of Savings")
        try expectKept(terminal.grid, "sign-password", hiding: [commands.files.path: "FOLDER"])
        try press(terminal, "Wrong-Horse-1\r", until: "The password is wrong")
        // Where it is asked for again, no letter is a key.
        try press(terminal, "Wrong-Quarrel-1\r", until: "failed attempts: 2")
        terminal.type(Self.password + "\r")
        #expect(try end(terminal) == 0)
        let after = terminal.grid.text
        let line = "txid \(recorded.txid)"
        #expect(after.contains(line), "\(after)")
        #expect(commands.names == ["kit.txt", "pay-final.txn", "pay-signed.psbt", "pay.psbt"])
        let final = try String(
            contentsOf: commands.files.appending(path: "pay-final.txn"), encoding: .utf8)
        #expect(final == recorded.finalTransaction)
    }

    @Test("of a signed file the transaction is written once its review was read to the end")
    func finish() throws {
        let commands = try appliance()
        let recorded = try RecordedPSBT.first(of: "wpkh")
        try recorded.write(to: commands.files, "pay.psbt")
        let path = commands.files.appending(path: "pay.psbt").path
        let unsigned = try open(commands, ["sign", path], until: "page 1 of")
        try read(unsigned)
        try press(unsigned, "a", until: "Password of Savings")
        unsigned.type(Self.password + "\r")
        #expect(try end(unsigned) == 0)
        let signed = commands.files.appending(path: "pay-signed.psbt").path
        let terminal = try open(commands, ["sign", "--final", signed], until: "page 1 of")
        try expectKept(terminal.grid, "sign-complete", hiding: [commands.files.path: "FOLDER"])
        try read(terminal)
        try press(terminal, "a", until: "txid \(recorded.txid)")
        #expect(try end(terminal) == 0)
        #expect(terminal.grid.lines.joined().contains("has all signatures"))
        #expect(
            commands.names == ["kit.txt", "pay-final.txn", "pay-signed.psbt", "pay.psbt"])
        let final = try String(
            contentsOf: commands.files.appending(path: "pay-final.txn"), encoding: .utf8)
        #expect(final == recorded.finalTransaction)
    }

    @Test("what is left is not signed, and leaves no file", arguments: ["q", "\u{3}"])
    func leave(_ key: String) throws {
        let commands = try appliance()
        try RecordedPSBT.first(of: "tr").write(to: commands.files, "pay.psbt")
        let path = commands.files.appending(path: "pay.psbt").path
        let terminal = try open(commands, ["sign", path], until: "page 1 of")
        terminal.type(key)
        #expect(try end(terminal) == 16)
        #expect(commands.names == ["kit.txt", "pay.psbt"])
    }

    @Test("a password that is not finished is dropped after the idle time, and nothing is signed")
    func idle() throws {
        let commands = try appliance()
        try RecordedPSBT.first(of: "wpkh").write(to: commands.files, "pay.psbt")
        let path = commands.files.appending(path: "pay.psbt").path
        let terminal = try open(commands, ["sign", "--idle", "1", path], until: "page 1 of")
        try read(terminal)
        try press(terminal, "a", until: "Password of Savings")
        terminal.type("Correct-Hor")
        #expect(try end(terminal) == 16)
        #expect(terminal.grid.lines.joined().contains("nothing was typed for 1 second"))
        #expect(commands.names == ["kit.txt", "pay.psbt"])
    }

    @Test("what is typed after a pause that no process saw finds nothing typed before it")
    func sleep() throws {
        let commands = try appliance()
        try RecordedPSBT.first(of: "wpkh").write(to: commands.files, "pay.psbt")
        let path = commands.files.appending(path: "pay.psbt").path
        let terminal = try open(commands, ["sign", "--idle", "5", path], until: "page 1 of")
        try read(terminal)
        try press(terminal, "a", until: "Password of Savings")
        terminal.type("Correct-Hor")
        try standStill(terminal, typing: "se-1\r")
        #expect(try end(terminal) == 16)
        #expect(terminal.grid.lines.joined().contains("nothing was typed for 5 seconds"))
        #expect(commands.names == ["kit.txt", "pay.psbt"])
        let console = try open(commands, ["console", "--idle", "5"], until: "Savings  wallet")
        try press(console, "sabc", until: "File: abc_")
        try standStill(console, typing: "d")
        try wait(console, "nothing was typed for 5 seconds")
        #expect(!console.grid.text.contains("abc"))
        console.type("q")
        #expect(try end(console) == 0)
    }

    /// Everything on the terminal stands still for longer than the limit, as when the machine sleeps,
    /// and goes on with these keys.
    private func standStill(_ terminal: PersonTerminal, typing keys: String) throws {
        let leader = try #require(terminal.leader)
        kill(-leader, SIGSTOP)
        Thread.sleep(forTimeInterval: 6)
        terminal.type(keys)
        kill(-leader, SIGCONT)
    }

    @Test("a terminal that hangs up leaves neither a process nor a file")
    func hangUp() throws {
        let commands = try appliance()
        try RecordedPSBT.first(of: "wpkh").write(to: commands.files, "pay.psbt")
        let path = commands.files.appending(path: "pay.psbt").path
        let terminal = try open(commands, ["sign", path], until: "page 1 of")
        try read(terminal)
        try press(terminal, "a", until: "Password of Savings")
        terminal.type("Correct-Hor")
        let leader = try #require(terminal.leader)
        let all = [leader] + KeeperUnderTest.children(of: leader)
        kill(-leader, SIGHUP)
        try terminal.wait("the end of everything") { all.allSatisfy(KeeperUnderTest.isGone) }
        #expect(commands.names == ["kit.txt", "pay.psbt"])
    }

    @Test("a warning is accepted by typing its own code, and by nothing else")
    func warning() throws {
        let commands = try appliance()
        let attack = try #require(
            try AttackFile.all().first { $0.name == "the fee is a fifth of the payment" })
        try Data(attack.psbt.utf8).write(to: commands.files.appending(path: "pay.psbt"))
        let path = commands.files.appending(path: "pay.psbt").path
        let terminal = try open(commands, ["sign", path], until: "page 1 of")
        try read(terminal)
        try press(terminal, "a", until: "To accept it, type fee-share-high")
        try expectKept(terminal.grid, "sign-warning", hiding: [commands.files.path: "FOLDER"])
        for wrong in ["fee-large", "yes", "", "fee-share-highx"] {
            try press(terminal, wrong + "\r", until: "That was not fee-share-high")
        }
        try press(terminal, "fee-share-high\r", until: "Password of Savings")
        terminal.type(Self.password + "\r")
        #expect(try end(terminal) == 0)
        #expect(commands.exists("pay-signed.psbt"))
    }

    // MARK: The console

    @Test("a wallet is made on the console: its form, its words, the quiz, and then it is listed")
    func create() throws {
        let commands = try VaultCommands()
        let terminal = try open(commands, ["console"], until: "none yet")
        try expectKept(terminal.grid, "console-empty")
        try press(terminal, "n", until: "Name: _")
        try press(terminal, "Savings\r", until: "Words: _")
        try press(terminal, "12\r", until: "File for the recovery kit")
        try press(terminal, commands.files.path + "/kit.txt\r", until: "New password of Savings")
        try press(terminal, Self.password + "\r", until: "The same again")
        terminal.type(Self.password + "\r")
        try wait(terminal, " 12. ")
        let words = terminal.words
        #expect(words.count == 12)
        try terminal.passQuiz()
        try wait(terminal, "Enter goes back to the console")
        #expect(!terminal.grid.isOther)
        try goBack(terminal)
        try expectKept(terminal.grid, "console-wallet")
        try press(terminal, "\r", until: "show an address")
        try press(terminal, "1", until: "Index: _")
        try press(terminal, "\r", until: "m/84h/1h/0h/0/0")
        try wait(terminal, "Enter goes back to the console")
        try goBack(terminal)
        terminal.type("q")
        #expect(try end(terminal) == 0)
        let sentence = words.joined(separator: " ")
        #expect(!terminal.grid.text.contains(sentence))
        #expect(!terminal.grid.text.contains("12. "), "words are gone from the first screen")
    }

    @Test("every task of a wallet is done from the console")
    func tasks() throws {
        let commands = try appliance()
        let terminal = try open(commands, ["console"], until: "Savings  wallet")
        let folder = commands.files.path
        let changed = "Correct-Horse-2"
        /// Waits for what is shown from then on: the first screen keeps what earlier tasks said.
        func press(_ keys: String, until text: String) throws {
            let before = terminal.shown.count
            terminal.type(keys)
            try terminal.wait(text, seconds: 60) {
                terminal.shown.dropFirst(before).contains(text)
            }
        }
        func begin(_ digit: String, until text: String) throws {
            try press("\r", until: "show an address")
            try press(digit, until: text)
        }
        func answer(_ text: String) throws { try press(text + "\r", until: "Enter goes back") }
        try begin("1", until: "Index: _")
        try press("7\r", until: "m/84h/1h/0h/0/7")
        try goBack(terminal)
        try press("v", until: "Address: _")
        let own = try commands.run("receive --index 7", isJSON: false).output
        try press(own.trimmingCharacters(in: .newlines) + "\r", until: "0/7")
        try goBack(terminal)
        try begin("2", until: "Password of Savings")
        try press(Self.password + "\r", until: " 12. about")
        #expect(terminal.grid.isOther && terminal.words == Self.words)
        try answer("")
        try goBack(terminal)
        try begin("3", until: "Password of Savings")
        try press(Self.password + "\r", until: "New password of Savings")
        try press(changed + "\r", until: "The same again")
        try answer(changed)
        try goBack(terminal)
        for (digit, file) in [("4", "new.txt"), ("5", "a.backup")] {
            try begin(digit, until: "File: _")
            try press(folder + "/\(file)\r", until: "Password of Savings")
            try answer(changed)
            try goBack(terminal)
            #expect(commands.exists(file))
        }
        try press("l", until: "Enter goes back")
        try goBack(terminal)
        try begin("6", until: "type the name of the wallet")
        try press("Savings\r", until: "Password of Savings")
        try answer(changed)
        try goBack(terminal, until: "none yet")
        terminal.type("q")
        #expect(try end(terminal) == 0)
        #expect(commands.names == ["a.backup", "kit.txt", "new.txt"])
    }

    @Test("a wallet is imported on the console, with a passphrase and the day of its first payment")
    func importWizard() throws {
        let commands = try VaultCommands()
        let terminal = try open(commands, ["console"], until: "none yet")
        try press(terminal, "i", until: "Name: _")
        try press(terminal, "Old\r", until: "BIP39 passphrase: _")
        try press(terminal, "perhaps\r", until: "that cannot be")
        try press(terminal, "\u{15}yes\r", until: "First used: _")
        try expectKept(terminal.grid, "console-import")
        try press(terminal, "2024-02-30\r", until: "that cannot be")
        try press(terminal, "\u{15}2024-02-29\r", until: "File for the recovery kit")
        try press(terminal, commands.files.path + "/kit.txt\r", until: "Word 1")
        for (place, word) in Self.words.enumerated() {
            let next = place + 1 < Self.words.count ? "Word \(place + 2)" : "Word 13"
            try press(terminal, word + " ", until: next)
        }
        try press(terminal, "\r", until: "passphrase")
        try press(terminal, "TREZOR\r", until: "The same again")
        try press(terminal, "TREZOR\r", until: "New password of Old")
        try press(terminal, Self.password + "\r", until: "The same again")
        terminal.type(Self.password + "\r")
        try wait(terminal, "Enter goes back to the console")
        try goBack(terminal, until: "Old  wallet")
        terminal.type("q")
        #expect(try end(terminal) == 0)
        #expect(!terminal.shown.contains("TREZOR"))
        let rows = try #require(
            try commands.run("wallet list").json["vaults"] as? [[String: Any]])
        #expect(rows[0]["birthday"] as? Int == 1_709_164_800)
        // BIP39 with that passphrase: another fingerprint than without.
        let keys = try commands.run("wallet keys Old")
        #expect(keys.json["fingerprint"] as? String == "b4e3f5ed", "\(keys)")
    }

    @Test("a file is signed from the console, where nothing of a form stays after the idle time")
    func console() throws {
        let commands = try appliance()
        try RecordedPSBT.first(of: "wpkh").write(to: commands.files, "pay.psbt")
        let terminal = try open(commands, ["console", "--idle", "3"], until: "Savings  wallet")
        try press(terminal, "sabc", until: "File: abc_")
        try wait(terminal, "nothing was typed for 3 seconds")
        #expect(!terminal.grid.text.contains("abc"))
        try press(
            terminal, "s" + commands.files.appending(path: "pay.psbt").path + "\ryes\r",
            until: "page 1 of")
        try read(terminal)
        try press(terminal, "a", until: "Password of Savings")
        terminal.type(Self.password + "\r")
        try wait(terminal, "Enter goes back to the console")
        #expect(terminal.grid.text.contains("written: "))
        try goBack(terminal)
        terminal.type("q")
        #expect(try end(terminal) == 0)
        #expect(commands.exists("pay-signed.psbt") && commands.exists("pay-final.txn"))
    }

    @Test(
        "what came through the network process is rejected with a reason on the console, or approved"
    )
    func request() throws {
        let commands = try appliance(role: "home")
        let recorded = try RecordedPSBT.all().filter { $0.wallet == "wpkh" }
        try recorded[0].write(to: commands.files, "a.psbt")
        try recorded[1].write(to: commands.files, "b.psbt")
        let terminal = try open(commands, ["console"], until: "Savings  wallet")
        let rejected = try commands.run("submit a.psbt --wait 120") { _ in
            try wait(terminal, "> 1  sends")
            try expectKept(terminal.grid, "console-request")
            try press(terminal, "\r", until: "page 1 of")
            #expect(terminal.grid.text.contains("Request 1 from the network process"))
            try press(terminal, "r", until: "Reason:")
            try press(terminal, "not now\r", until: "rejected: request 1")
            try goBack(terminal)
        }
        #expect(rejected.status == 9, "\(rejected)")
        #expect(rejected.output.contains("not now") && !commands.exists("a-signed.psbt"))
        let signed = try commands.run("submit b.psbt --wait 120") { _ in
            try wait(terminal, "> 2  sends")
            try press(terminal, "\r", until: "page 1 of")
            try read(terminal)
            try press(terminal, "a", until: "Password of Savings")
            try press(terminal, "Wrong-Horse-1\r", until: "The password is wrong")
            try press(terminal, "Wrong-Quarrel-1\r", until: "failed attempts: 2")
            #expect(!terminal.grid.text.contains("uarrel"))
            try press(terminal, Self.password + "\r", until: "txid \(recorded[1].txid)")
            try goBack(terminal)
        }
        #expect(signed.status == 0, "\(signed)")
        #expect(commands.exists("b-signed.psbt") && !commands.exists("a-signed.psbt"))
        terminal.type("q")
        #expect(try end(terminal) == 0)
    }
}

/// A PSBT that Bitcoin Core made for the wallet of the words "abandon … about", and its transaction.
struct RecordedPSBT: Decodable {
    let wallet: String
    let unsigned: String
    let finalTransaction: String
    let txid: String

    static func all() throws -> [RecordedPSBT] {
        let file = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "Vectors/psbt/core-regtest.json")
        return try JSONDecoder().decode([RecordedPSBT].self, from: Data(contentsOf: file))
    }

    static func first(of wallet: String) throws -> RecordedPSBT {
        try #require(all().first { $0.wallet == wallet })
    }

    func write(to folder: URL, _ name: String) throws {
        try Data(unsigned.utf8).write(to: folder.appending(path: name))
    }
}

/// A changed PSBT of the same wallet, as the tests of the review write it down.
struct AttackFile: Decodable {
    let name: String
    let psbt: String

    static func all() throws -> [AttackFile] {
        let file = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "Vectors/review/attacks.json")
        return try JSONDecoder().decode([AttackFile].self, from: Data(contentsOf: file))
    }
}

/// Compares what a terminal shows with the screen that is kept in `Screens/NAME.txt`, with times and ids
/// left out; BULKHEAD_WRITE_SCREENS=1 keeps the new one.
func expectKept(_ grid: TerminalGrid, _ name: String, hiding: [String: String] = [:]) throws {
    let file = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "Screens/\(name).txt")
    var text = grid.text + "\n"
    for (found, shown) in hiding { text = text.replacingOccurrences(of: found, with: shown) }
    text = text.replacing(/running for [^,\n]*/, with: "running for TIME")
        .replacing(/round trip [^,\n]*/, with: "round trip TIME")
        .replacing(/(?m), \d+ s$/, with: ", AGE")
        .replacing(/made \d{4}-\d\d-\d\d/, with: "made DAY")
        .replacing(/(?m)^Ledger .*$/, with: "Ledger    COUNT entries")
        .replacing(/(?m)^  - .*$(\n    \S.*$)*/, with: "  - WEAKNESS")
    if ProcessInfo.processInfo.environment["BULKHEAD_WRITE_SCREENS"] != nil {
        try text.write(to: file, atomically: true, encoding: .utf8)
    }
    let kept = try String(contentsOf: file, encoding: .utf8)
    #expect(text == kept, "the screen \(name) is not the kept one")
}
