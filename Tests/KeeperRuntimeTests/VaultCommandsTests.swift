import Foundation
import TestSupport
import Testing

@Suite("Commands on wallets", .serialized, .enabled(if: isWallTested))
struct VaultCommandsTests {
    private static let password = "Correct-Horse-1"
    private static let other = "Battery_Staple-2"

    private func wallet(_ commands: VaultCommands) throws -> VaultCommands.Result {
        let made = try commands.run(
            "wallet create Savings --words 12 --kit kit.txt --phrase-fd 3",
            answers: [Self.password])
        try #require(made.status == 0, "\(made)")
        return made
    }

    @Test("create, list, keys, show, a wrong password, another password, and the ledger knows it")
    func life() throws {
        let commands = try VaultCommands()
        #expect(try commands.run("wallet list", isJSON: false).output.contains("no vaults yet"))
        let made = try wallet(commands)
        #expect(made.json["schema"] as? String == "bulkhead-made-1")
        let words = made.phrase.split(whereSeparator: \.isWhitespace)
        #expect(words.count == 12)
        #expect(commands.names == ["kit.txt"])
        let kit = try FileManager.default.attributesOfItem(
            atPath: commands.files.appending(path: "kit.txt").path)
        #expect(kit[.posixPermissions] as? Int == 0o600)

        let list = try commands.run("wallet list")
        let rows = try #require(list.json["vaults"] as? [[String: Any]])
        #expect(rows.count == 1 && rows[0]["name"] as? String == "Savings")
        #expect(rows[0]["id"] as? String == made.json["vault"] as? String)
        let keys = try commands.run("wallet keys")
        #expect(keys.json["fingerprint"] as? String == made.json["fingerprint"] as? String)
        #expect((keys.json["keys"] as? [Any])?.isEmpty == false)

        let shown = try commands.run(
            "wallet show-phrase Savings --phrase-fd 3", answers: [Self.password])
        #expect(shown.status == 0 && shown.phrase == made.phrase)
        let wrong = try commands.run(
            "wallet show-phrase --phrase-fd 3", answers: ["Wrong-Horse-1"])
        #expect(wrong.status == 9 && wrong.code == "wrong-password" && wrong.phrase.isEmpty)

        let changed = try commands.run(
            "wallet password Savings", answers: [Self.password, Self.other])
        #expect(changed.status == 0, "\(changed)")
        let old = try commands.run("wallet show-phrase --phrase-fd 3", answers: [Self.password])
        #expect(old.code == "wrong-password")
        let new = try commands.run("wallet show-phrase --phrase-fd 3", answers: [Self.other])
        #expect(new.phrase == made.phrase)

        #expect(
            try commands.run("ledger verify").json["schema"] as? String == "bulkhead-ledger-holds-1"
        )
        let ledger = try commands.run("ledger list --count 50")
        #expect((ledger.json["entries"] as? [Any])?.count ?? 0 >= 5)
        #expect(try commands.run("ledger export ledger.txt").status == 0)
        #expect(commands.names == ["kit.txt", "ledger.txt"])
    }

    @Test(
        "after the fifth wrong password in a row there is a wait, which a restart does not shorten")
    func waits() throws {
        let commands = try VaultCommands()
        _ = try wallet(commands)
        for _ in 1...4 {
            let wrong = try commands.run(
                "wallet show-phrase --phrase-fd 3", answers: ["Wrong-Horse-1"])
            #expect(wrong.code == "wrong-password")
        }
        let fifth = try commands.run("wallet show-phrase --phrase-fd 3", answers: ["Wrong-Horse-1"])
        #expect(fifth.code == "wrong-password" && fifth.output.contains("2 seconds"), "\(fifth)")
        let sixth = try commands.run("wallet show-phrase --phrase-fd 3", answers: [Self.password])
        #expect(sixth.status == 9 && sixth.code == "must-wait")
        try commands.stop()
        try commands.start()
        let again = try commands.run("wallet show-phrase --phrase-fd 3", answers: [Self.password])
        #expect(again.code == "must-wait")
        sleep(3)
        let right = try commands.run("wallet show-phrase --phrase-fd 3", answers: [Self.password])
        #expect(right.status == 0)
    }

    @Test(
        "words that a descriptor does not take, and answers that standard output does not, are told"
    )
    func fullDescriptors() throws {
        let commands = try VaultCommands()
        let made = try commands.run(
            "wallet create Savings --words 12 --kit kit.txt --phrase-fd 3",
            answers: [Self.password], phraseFile: "/dev/full")
        #expect(made.status == 17 && made.errors.contains("--phrase-fd did not take"), "\(made)")
        #expect(made.errors.contains("bulkhead wallet show-phrase Savings"), "\(made)")
        #expect(commands.names == ["kit.txt"])
        let shown = try commands.run(
            "wallet show-phrase --phrase-fd 3", answers: [Self.password], phraseFile: "/dev/full")
        #expect(shown.status == 15 && shown.errors.contains("did not take"), "\(shown)")
        for words in ["wallet list", "wallet keys", "status", "help"] {
            let lost = try commands.run(words, isJSON: words != "help", outputFile: "/dev/full")
            #expect(lost.status != 0 && lost.errors.contains("standard output"), "\(lost)")
        }
    }

    @Test("a new kit kills the old code, and its own opens with a new password")
    func kit() throws {
        let commands = try VaultCommands()
        let made = try wallet(commands)
        let taken = try commands.run("kit kit.txt", answers: [Self.password])
        #expect(taken.status == 10 && taken.errors.contains("--force"), "\(taken)")
        let kit = try commands.run("kit new.txt Savings", answers: [Self.password])
        #expect(kit.status == 0, "\(kit)")
        let pdf = try commands.run(
            "kit new.pdf Savings --backup b.backup", answers: [Self.password])
        #expect(pdf.status == 0, "\(pdf)")
        #expect(commands.names == ["b.backup", "kit.txt", "new.pdf", "new.txt"])
        let bytes = try Data(contentsOf: commands.files.appending(path: "new.pdf"))
        #expect(bytes.prefix(5) == Data("%PDF-".utf8))
        #expect(bytes.count < 128 << 10, "\(bytes.count): half of the room reserved for it")
        let key = try commands.code("Secret key", in: "kit.txt")
        #expect(try commands.code("Secret key", in: "new.txt") == key && !key.isEmpty)

        let newest = try commands.run("kit newest.txt", answers: [Self.password])
        #expect(newest.status == 0)
        let code = try commands.code("Recovery code", in: "newest.txt")
        let dead = try commands.code("Recovery code", in: "new.txt")
        #expect(code != dead)
        let refused = try commands.run("wallet recover", answers: [dead, Self.other])
        #expect(refused.status == 9 && refused.code == "wrong-code", "\(refused)")
        let slip = String(code.dropLast()) + (code.hasSuffix("0") ? "1" : "0")
        #expect(
            try commands.run("wallet recover", answers: [slip, Self.other]).code == "malformed")
        let opened = try commands.run("wallet recover", answers: [code, Self.other])
        #expect(opened.status == 0, "\(opened)")
        let shown = try commands.run("wallet show-phrase --phrase-fd 3", answers: [Self.other])
        #expect(shown.phrase == made.phrase)
    }

    @Test("a new wallet is told in a few lines, and its name is taken from then on")
    func fewLines() throws {
        let commands = try VaultCommands()
        let made = try commands.run(
            "wallet create Savings --kit kit.txt --phrase-fd 3", answers: [Self.password],
            isJSON: false)
        let lines = made.output.split(separator: "\n")
        #expect(made.status == 0 && lines.count <= 8, "\(made)")
        for part in [
            "vault ", "master fingerprint", "the kit is in kit.txt",
            "bulkhead backup FILE Savings", "bulkhead receive Savings",
        ] {
            #expect(lines.contains { $0.contains(part) }, "\(part): \(made)")
        }
        for words in ["wallet create --phrase-fd 3", "wallet import", "items create"] {
            for (name, says) in [
                ("Savings", "called Savings already"), ("savings", "called Savings already"),
                ("1", "no letter"), ("..", "no letter"), ("x/y", "slash"), ("number:1", "number"),
            ] {
                let refused = try commands.run("\(words) --kit new.txt \(name)", answers: [])
                #expect(refused.status == 10 && refused.errors.contains(says), "\(refused)")
            }
        }
        #expect(commands.names == ["kit.txt"])
        let other = try commands.run("items create Papers --kit new.txt", answers: [Self.password])
        #expect(other.status == 0, "\(other)")
        let taken = try commands.run("wallet rename Papers SAVINGS", answers: [])
        #expect(taken.status == 10 && taken.errors.contains("already"), "\(taken)")
        // Its own name in another case is free for it.
        let renamed = try commands.run("wallet rename Savings savings", answers: [Self.password])
        #expect(renamed.status == 0, "\(renamed)")
    }

    @Test("where the disk has no room for a kit, the old code lives on")
    func noRoomForKit() throws {
        let commands = try VaultCommands()
        _ = try wallet(commands)
        let refused = try commands.run(
            "kit new.txt Savings", answers: [Self.password], largestFile: 100)
        #expect(refused.status == 10 && refused.errors.contains("new.txt"), "\(refused)")
        #expect(commands.names == ["kit.txt"])
        let code = try commands.code("Recovery code", in: "kit.txt")
        #expect(try commands.run("wallet recover", answers: [code, Self.other]).status == 0)
    }

    @Test("a backup is restored where the vault was deleted, and on a fresh state")
    func backup() throws {
        let commands = try VaultCommands()
        let made = try wallet(commands)
        #expect(try commands.run("backup a.backup", answers: ["Wrong-Horse-1"]).status == 9)
        #expect(commands.names == ["kit.txt"], "a refused backup leaves no file")
        let backup = try commands.run("backup a.backup", answers: [Self.password])
        #expect(backup.status == 0, "\(backup)")
        #expect(try commands.run("backup a.backup", answers: [Self.password]).status == 10)
        let key = try commands.code("Secret key", in: "kit.txt")

        let renamed = try commands.run("wallet rename Savings Cellar", answers: [Self.password])
        #expect(renamed.status == 0, "\(renamed)")
        let unnamed = try commands.run(
            "wallet delete Cellar --name Savings", answers: [Self.password])
        #expect(unnamed.code == "wrong-name")
        let deleted = try commands.run(
            "wallet delete Cellar --name Cellar", answers: [Self.password])
        #expect(deleted.status == 0, "\(deleted)")
        #expect((try commands.run("wallet list").json["vaults"] as? [Any])?.isEmpty == true)

        let fresh = try VaultCommands()
        try FileManager.default.copyItem(
            at: commands.files.appending(path: "a.backup"),
            to: fresh.files.appending(path: "a.backup"))
        for place in [commands, fresh] {
            let check = try place.run("restore a.backup --check", answers: [key])
            #expect(check.status == 0, "\(check)")
            #expect((try place.run("wallet list").json["vaults"] as? [Any])?.isEmpty == true)
            let asked = try place.run("restore a.backup", answers: [key])
            #expect(asked.status == 16, "without --yes a script restores nothing")
            let restored = try place.run("restore a.backup --yes", answers: [key], isJSON: false)
            #expect(restored.status == 0, "\(restored)")
            let shown = try place.run("wallet show-phrase --phrase-fd 3", answers: [Self.password])
            #expect(shown.phrase == made.phrase, "\(shown)")
        }
    }

    @Test(
        "what is no file is no backup, which is said before anything is asked",
        arguments: [
            ("folder", "is no ordinary file but a directory"),
            ("pipe", "is no ordinary file but a pipe"),
            ("short", "is no backup"),
        ])
    func noBackup(_ name: String, _ sentence: String) throws {
        let commands = try VaultCommands()
        let path = commands.files.appending(path: name).path
        switch name {
        case "folder": #expect(mkdir(path, 0o700) == 0)
        case "pipe": #expect(mkfifo(path, 0o600) == 0)
        default: try Data("BHSTREAM".utf8).write(to: URL(filePath: path))
        }
        for flag in ["--check", "--yes"] {
            let refused = try commands.run("restore \(name) \(flag)", answers: [])
            #expect(refused.status == 10 && refused.code == "input", "\(refused)")
            #expect(refused.errors.contains(sentence), "\(refused)")
        }
    }

    @Test("a command that is killed leaves nothing of its kit")
    func killed() throws {
        let commands = try VaultCommands()
        _ = try wallet(commands)
        let killed = try commands.run("kit new.txt Savings", answers: [Self.password]) { pid in
            let folder = "/proc/\(pid)/fd"
            var isOpen = false
            for _ in 0..<1000 where !isOpen {
                let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
                isOpen = names.contains { name in
                    let target = try? FileManager.default.destinationOfSymbolicLink(
                        atPath: folder + "/" + name)
                    return target?.hasPrefix(commands.files.path + "/") == true
                        && target?.hasSuffix("(deleted)") == true
                }
                usleep(2000)
            }
            #expect(isOpen, "the kit's file is open and has no name")
            kill(pid, SIGKILL)
        }
        #expect(killed.status != 0)
        #expect(commands.names == ["kit.txt"])
    }

    @Test("two vaults of a lost machine come onto another one, and its ledger is read there")
    func importedLedger() throws {
        let lost = try VaultCommands()
        _ = try wallet(lost)
        let second = try lost.run(
            "wallet create Second --kit second.txt --phrase-fd 3",
            answers: [Self.password])
        #expect(second.status == 0, "\(second)")
        let fresh = try VaultCommands()
        for (name, kit) in [("Savings", "kit.txt"), ("Second", "second.txt")] {
            let backup = try lost.run("backup \(name).backup \(name)", answers: [Self.password])
            #expect(backup.status == 0, "\(backup)")
            try FileManager.default.copyItem(
                at: lost.files.appending(path: "\(name).backup"),
                to: fresh.files.appending(path: "\(name).backup"))
            let key = try lost.code("Secret key", in: kit)
            let restored = try fresh.run("restore \(name).backup --yes", answers: [key])
            #expect(restored.status == 0, "\(restored)")
        }
        let rows = try #require(
            try fresh.run("ledger imported").json["ledgers"] as? [[String: Any]])
        #expect(rows.count == 1 && (rows[0]["vaults"] as? [String])?.count == 2)
        let id = try #require(rows[0]["id"] as? String)
        let list = try fresh.run("ledger list --imported \(id.prefix(6))", isJSON: false)
        #expect(list.output.contains("create a vault, \"Savings\""), "\(list)")
        #expect(list.output.contains("create a vault, \"Second\""), "\(list)")
        let verified = try fresh.run("ledger verify --imported \(id)")
        #expect(verified.status == 0, "\(verified)")
        let export = try fresh.run("ledger export lost.txt --imported \(id)")
        #expect(export.status == 0 && fresh.exists("lost.txt"), "\(export)")
        let none = try fresh.run("ledger verify --imported zz")
        #expect(none.status == 10 && none.errors.contains("ledger imported"), "\(none)")
    }

    @Test("the birthday is in the list and in the export for Bitcoin Core; none is in the future")
    func birthday() throws {
        let commands = try VaultCommands()
        let phrase = String(repeating: "abandon ", count: 11) + "about"
        let future = try commands.run(
            "wallet import Test --kit kit.txt --birthday 9999-01-01", answers: [])
        #expect(future.status == 2 && future.errors.contains("still to come"), "\(future)")
        #expect(commands.names.isEmpty)
        let made = try commands.run(
            "wallet import Test --kit kit.txt --birthday 2024-05-31",
            answers: [phrase, Self.password])
        #expect(made.status == 0, "\(made)")
        let rows = try #require(
            try commands.run("wallet list").json["vaults"] as? [[String: Any]])
        #expect(rows[0]["birthday"] as? Int == 1_717_113_600)
        let core = try commands.run("pair export --as core", isJSON: false)
        let entries = try #require(
            try JSONSerialization.jsonObject(with: Data(core.output.utf8)) as? [[String: Any]])
        #expect(entries.count == 8)
        #expect(entries.allSatisfy { $0["timestamp"] as? Int == 1_717_113_600 })
        let paired = try commands.run("pair export --as core")
        #expect(paired.json["schema"] as? String == "bulkhead-pairing-1")
        #expect(paired.json["file"] as? String == core.output)
        #expect(paired.json["birthday"] as? Int == 1_717_113_600)
        #expect((paired.json["accounts"] as? [Any])?.count == 6)
        let help = try commands.run("help pair export")
        let commandsOfHelp = try #require(help.json["commands"] as? [[String: Any]])
        #expect(commandsOfHelp.map { $0["name"] as? String } == ["pair export"])
    }

    @Test("a pairing code holds the descriptor of the account that is named, and no other form")
    func pairingCode() throws {
        let commands = try VaultCommands()
        _ = try wallet(commands)
        let lines = try commands.run("pair export", isJSON: false).output
            .split(separator: "\n").map(String.init)
        for (account, start) in [("native", "wpkh("), ("taproot", "tr(")] {
            let shown = try commands.run("pair export --qr --account \(account)", isJSON: false)
            #expect(shown.status == 0, "\(shown)")
            let drawing = shown.output.split(separator: "\n").map(String.init)
                .filter { $0.allSatisfy { " \u{2588}\u{2580}\u{2584}".contains($0) } }
            let found = try DrawnCode.texts(in: drawing, darkIsBlock: false)
            #expect(found == lines.filter { $0.hasPrefix(start) }, "\(shown.output)")
            #expect(found.count == 1)
        }
        for wrong in ["--as core", "--as generic", "--as text"] {
            let refused = try commands.run("pair export --qr \(wrong)", isJSON: false)
            #expect(refused.status == 2 && refused.output.isEmpty, "\(refused)")
            #expect(refused.errors.contains("--as descriptors"), "\(refused)")
        }
        #expect(try commands.run("pair export --qr").code == "usage")
    }

    @Test("without its device key a vault is adopted with the kit's secret key")
    func adopt() throws {
        let commands = try VaultCommands()
        let made = try wallet(commands)
        let key = try commands.code("Secret key", in: "kit.txt")
        try commands.stop()
        let device = commands.keeper.state.appending(path: "signer/device.key")
        try FileManager.default.removeItem(at: device)
        try commands.start()
        let lost = try commands.run("wallet show-phrase --phrase-fd 3", answers: [Self.password])
        #expect(lost.code == "missing" && lost.output.contains("wallet adopt"), "\(lost)")
        #expect(!FileManager.default.fileExists(atPath: device.path))
        let adopted = try commands.run("wallet adopt", answers: [key])
        #expect(adopted.status == 0, "\(adopted)")
        let shown = try commands.run("wallet show-phrase --phrase-fd 3", answers: [Self.password])
        #expect(shown.phrase == made.phrase, "\(shown)")
    }

    @Test("a phrase is imported, with the same keys as elsewhere, and a wrong one is refused")
    func importPhrase() throws {
        let commands = try VaultCommands()
        let phrase = String(repeating: "abandon ", count: 11) + "about"
        let wrong = String(repeating: "abandon ", count: 12)
        let refused = try commands.run(
            "wallet import Test --kit kit.pdf", answers: [wrong, Self.password])
        #expect(refused.status == 10 && refused.code == "malformed", "\(refused)")
        #expect(commands.names.isEmpty)
        let made = try commands.run(
            "wallet import Test --kit kit.pdf --birthday 2024-05-31",
            answers: [phrase, Self.password])
        #expect(made.status == 0, "\(made)")
        #expect(made.json["fingerprint"] as? String == "73c5da0a")
    }

    @Test("with a directory named, each change leaves a backup there, and the one before it")
    func everyChange() throws {
        let commands = try VaultCommands()
        let folder = commands.files.appending(path: "stick")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        #expect(try commands.run("backup --every-change stick", isJSON: false).status == 0)
        let made = try wallet(commands)
        let id = try #require(made.json["vault"] as? String)
        func backups() -> [String] {
            ((try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []).sorted()
        }
        #expect(backups() == ["bulkhead-\(id).backup"])
        #expect(
            try commands.run("wallet password", answers: [Self.password, Self.other]).status == 0)
        #expect(backups() == ["bulkhead-\(id).backup", "bulkhead-\(id).backup.previous"])
        let refused = try commands.run("wallet rename Savings B", answers: [Self.password])
        #expect(refused.status == 9)
        #expect(backups().count == 2)
        try FileManager.default.removeItem(at: folder)
        let renamed = try commands.run("wallet rename Savings C", answers: [Self.other])
        #expect(renamed.status == 0 && renamed.errors.contains("no backup"), "\(renamed)")
        #expect(try commands.run("backup --every-change off", isJSON: false).status == 0)
        #expect(try commands.run("wallet rename C D", answers: [Self.other]).errors.isEmpty)
    }
}
