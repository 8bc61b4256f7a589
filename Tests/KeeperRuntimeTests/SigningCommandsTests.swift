import Foundation
import Testing

/// Commands on PSBTs as scripts give them, against the real processes.
@Suite("Commands on PSBTs", .serialized, .enabled(if: isWallTested))
struct SigningCommandsTests {
    private static let password = "Correct-Horse-1"
    private static let phrase = Array(repeating: "abandon", count: 11).joined(separator: " ")

    private func appliance(settings: [String] = []) throws -> VaultCommands {
        let commands = try VaultCommands(settings: settings)
        let made = try commands.run(
            "wallet import Savings --kit kit.txt",
            answers: [Self.phrase + " about", Self.password])
        try #require(made.status == 0, "\(made)")
        return commands
    }

    private func bytes(_ commands: VaultCommands, _ name: String) throws -> Data {
        try Data(contentsOf: commands.files.appending(path: name))
    }

    private func sign(
        _ commands: VaultCommands, _ words: String, passwords: Int = 1
    ) throws -> VaultCommands.Result {
        try commands.run(
            "sign --yes-if-no-warnings " + words,
            answers: Array(repeating: Self.password, count: passwords))
    }

    @Test("binary, hexadecimal and base64 are told apart by content and answered alike")
    func forms() throws {
        let commands = try appliance()
        let recorded = try RecordedPSBT.first(of: "wpkh")
        let binary = try #require(Data(base64Encoded: recorded.unsigned))
        let hex = binary.map { String(format: "%02x", $0) }.joined()
        try binary.write(to: commands.files.appending(path: "a.psbt"))
        try Data((hex + "\n").utf8).write(to: commands.files.appending(path: "b.hex"))
        try Data(recorded.unsigned.utf8).write(to: commands.files.appending(path: "c.txt"))
        for name in ["a.psbt", "b.hex", "c.txt"] {
            let signed = try sign(commands, name)
            #expect(signed.status == 0, "\(signed)")
            #expect(signed.json["txid"] as? String == recorded.txid)
            #expect(signed.json["complete"] as? Bool == true)
            #expect(signed.json["signatures"] as? Int == 1)
        }
        let answer = try bytes(commands, "a-signed.psbt")
        #expect(answer.starts(with: Data("psbt\u{ff}".unicodeScalars.map { UInt8($0.value) })))
        let digits = try bytes(commands, "b-signed.psbt")
        #expect(digits == Data(answer.map { String(format: "%02x", $0) }.joined().utf8))
        #expect(try bytes(commands, "c-signed.psbt") == Data(answer.base64EncodedString().utf8))
    }

    @Test(
        "several files in one go: a password each, one answer a line, the rest goes on after a refusal"
    )
    func several() throws {
        let commands = try appliance()
        let all = try RecordedPSBT.all().filter { ["wpkh", "tr", "pkh"].contains($0.wallet) }
        let chosen = [all[0], all[8], all[16]]
        for (name, recorded) in zip(["a", "b", "c"], chosen) {
            try recorded.write(to: commands.files, name + ".psbt")
        }
        try Data("hello".utf8).write(to: commands.files.appending(path: "text"))
        let files = ["a.psbt", "none.psbt", "b.psbt", "text", ".", "c.psbt"]
        let signed = try sign(commands, files.joined(separator: " ") + " --final", passwords: 3)
        #expect(signed.status == 10, "\(signed)")
        let lines = signed.output.split(separator: "\n").map { line in
            let object = try? JSONSerialization.jsonObject(with: Data(line.utf8))
            return object as? [String: Any] ?? [:]
        }
        #expect(lines.map { $0["file"] as? String } == files, "\(signed.output)")
        let codes = lines.map { $0["code"] as? String ?? "none" }
        #expect(codes == ["none", "input", "none", "unreadable", "input", "none"])
        let said = signed.errors.split(separator: "\n").map { $0.prefix(20) }
        #expect(
            said
                == ["bulkhead: none.psbt: ", "bulkhead: text: The f", "bulkhead: .: it is no "]
                .map { $0.prefix(20) }, "\(signed.errors)")
        let txids = lines.compactMap { $0["txid"] as? String }
        let expected = chosen.map { $0.txid }
        #expect(txids == expected, "\(signed.output)")
        for (name, recorded) in zip(["a", "b", "c"], chosen) where recorded.wallet != "tr" {
            #expect(
                try bytes(commands, name + "-final.txn") == Data(recorded.finalTransaction.utf8))
        }
    }

    @Test("what stands there is never overwritten, another folder takes it, and no temporary stays")
    func names() throws {
        let commands = try appliance()
        try RecordedPSBT.first(of: "wpkh").write(to: commands.files, "a.psbt")
        #expect(try sign(commands, "a.psbt").status == 0)
        let before = try bytes(commands, "a-signed.psbt")
        let again = try sign(commands, "a.psbt")
        #expect(again.status == 10 && again.errors.contains("nothing is overwritten"), "\(again)")
        #expect(try bytes(commands, "a-signed.psbt") == before)
        try FileManager.default.createDirectory(
            at: commands.files.appending(path: "usb"), withIntermediateDirectories: false)
        #expect(try sign(commands, "a.psbt --out usb").status == 0)
        #expect(try bytes(commands, "usb/a-signed.psbt") == before, "signatures are deterministic")
        #expect(commands.names == ["a-signed.psbt", "a.psbt", "kit.txt", "usb"])
    }

    @Test("a signed file that cannot be put under its name is told in the answer for programs")
    func takenMeanwhile() throws {
        let commands = try appliance()
        try RecordedPSBT.first(of: "wpkh").write(to: commands.files, "a.psbt")
        let taken = commands.files.appending(path: "a-signed.psbt")
        // The command has looked at the names once it waits for the password.
        let signed = try commands.run(
            "sign --yes-if-no-warnings a.psbt", answers: [Self.password],
            meanwhile: { pid in
                try waitForChild(of: pid)
                try Data("other".utf8).write(to: taken)
            })
        #expect(signed.status == 15, "\(signed)")
        #expect(signed.json["schema"] as? String == "bulkhead-refusal-1", "\(signed)")
        #expect(signed.json["file"] as? String == "a.psbt")
        let sentence = signed.json["sentence"] as? String ?? ""
        #expect(sentence.contains("a-signed.psbt: is there already"), "\(signed)")
        #expect(try bytes(commands, "a-signed.psbt") == Data("other".utf8))
    }

    /// Waits until a command has started its confined child, which is after it looked at its files.
    private func waitForChild(of pid: pid_t) throws {
        let path = "/proc/\(pid)/task/\(pid)/children"
        let end = Date.now + 60
        while Date.now < end {
            if let text = try? String(contentsOfFile: path, encoding: .utf8), !text.isEmpty {
                return
            }
            usleep(5_000)
        }
        Issue.record("no child of \(pid) within 60 s")
    }

    @Test("a standard output that is full is told once, and the signed file is there")
    func fullOutput() throws {
        let commands = try appliance()
        let chosen = try RecordedPSBT.all().filter { $0.wallet == "wpkh" }
        for (name, recorded) in zip(["a", "b"], chosen) {
            try recorded.write(to: commands.files, name + ".psbt")
        }
        for isJSON in [false, true] {
            let signed = try commands.run(
                "sign --yes-if-no-warnings a.psbt b.psbt",
                answers: [Self.password, Self.password], isJSON: isJSON, outputFile: "/dev/full")
            let times = signed.errors.components(separatedBy: "did not take everything").count - 1
            #expect(signed.status == 15 && times == 1, "\(signed)")
            for name in ["a-signed.psbt", "b-signed.psbt"] {
                #expect(commands.exists(name))
                try? FileManager.default.removeItem(at: commands.files.appending(path: name))
            }
        }
    }

    @Test("every warning and every stop refuses a script, and says which")
    func warnings() throws {
        let commands = try VaultCommands()
        let other = Array(repeating: "zoo", count: 11).joined(separator: " ") + " wrong"
        _ = try commands.run(
            "wallet import Other --kit kit.txt", answers: [other, Self.password])
        try RecordedPSBT.first(of: "wpkh").write(to: commands.files, "a.psbt")
        let refused = try sign(commands, "a.psbt")
        #expect(refused.status == 9 && refused.errors.contains("nothing-to-sign"), "\(refused)")
        #expect(commands.names == ["a.psbt", "kit.txt"])
        let report = try commands.run("review a.psbt")
        #expect(report.status == 1 && report.json["verdict"] as? String == "stopped")
    }

    @Test("of a file that has all signatures the transaction is written, without a password")
    func complete() throws {
        let commands = try appliance()
        let all = try RecordedPSBT.all()
        for (number, kind) in ["pkh", "sh-wpkh", "wpkh", "tr"].enumerated() {
            let recorded = try #require(all.first { $0.wallet == kind })
            try recorded.write(to: commands.files, "a\(number).psbt")
            #expect(try sign(commands, "a\(number).psbt").status == 0)
            let plain = try sign(commands, "a\(number)-signed.psbt")
            #expect(plain.status == 9 && plain.errors.contains("nothing-to-sign"), "\(plain)")
            let made = try sign(commands, "a\(number)-signed.psbt --final", passwords: 0)
            #expect(made.status == 0, "\(made)")
            #expect(made.json["txid"] as? String == recorded.txid)
            #expect(made.json["signatures"] as? Int == 0 && made.json["output"] is NSNull)
            let final = try bytes(commands, "a\(number)-final.txn")
            if kind != "tr" { #expect(final == Data(recorded.finalTransaction.utf8)) }
            #expect(!commands.exists("a\(number)-signed-signed.psbt"))
        }
        let again = try sign(commands, "a0-signed.psbt --final", passwords: 0)
        #expect(again.status == 10 && again.errors.contains("nothing is overwritten"), "\(again)")
    }

    @Test("of a file that lacks a signature, or that something stops, no transaction is written")
    func incomplete() throws {
        let commands = try appliance()
        let attacks = try AttackFile.all()
        func refused(_ name: String) throws -> VaultCommands.Result {
            let attack = try #require(attacks.first { $0.name == name })
            try Data(attack.psbt.utf8).write(to: commands.files.appending(path: "a.psbt"))
            let refused = try sign(commands, "a.psbt --final", passwords: 0)
            #expect(refused.status == 9 && commands.names == ["a.psbt", "kit.txt"], "\(refused)")
            return refused
        }
        // Signatures of others are missing, are wrong, or cannot be seen.
        let other = try refused("the file was made for another wallet")
        #expect(other.errors.contains("input 0: 0 of 1 signatures are there"), "\(other)")
        let wrong = try refused("an own signature signs something else")
        #expect(wrong.errors.contains("signature-wrong"), "\(wrong)")
        let foreign = try refused("a stranger has signed the own input")
        #expect(foreign.errors.contains("inputs-foreign"), "\(foreign)")
    }

    @Test("a report as text and as JSON, with every check, and its status")
    func review() throws {
        let commands = try appliance()
        try RecordedPSBT.first(of: "wpkh").write(to: commands.files, "a.psbt")
        let json = try commands.run("review a.psbt")
        #expect(json.status == 0 && json.json["format"] as? String == "bulkhead-review")
        #expect((json.json["checks"] as? [Any])?.count ?? 0 > 70)
        let text = try commands.run("review a.psbt", isJSON: false)
        let order = ["WHAT LEAVES", "WHAT COMES BACK", "FEE", "WHAT IS SPENT", "NAMES"]
        let places = order.compactMap { text.output.range(of: "\n" + $0 + "\n")?.lowerBound }
        #expect(places.count == 5 && places == places.sorted(), "\(text)")
        #expect(!text.output.contains("\n\n\n"))
    }

    @Test("the thresholds of the settings decide, in reviews and when it is signed")
    func thresholds() throws {
        let commands = try appliance(settings: [
            "--review-feerate-warning", "1000", "--review-fee-warning", "400",
            "--review-feerate-stop", "2000",
        ])
        try RecordedPSBT.first(of: "wpkh").write(to: commands.files, "a.psbt")
        let report = try commands.run("review a.psbt")
        #expect(report.status == 1 && report.json["verdict"] as? String == "stopped", "\(report)")
        let limits = try #require(report.json["limits"] as? [String: Any])
        #expect(limits["feerate_stop"] as? Int == 2_000 && limits["fee_warning"] as? Int == 400)
        let refused = try sign(commands, "a.psbt")
        for code in ["feerate-extreme", "fee-large"] { #expect(refused.errors.contains(code)) }
        #expect(refused.status == 9 && !commands.exists("a-signed.psbt"), "\(refused)")
    }

    @Test("what is no PSBT, is too large or is not there is an input error with a code")
    func inputs() throws {
        let commands = try appliance()
        try Data("hello".utf8).write(to: commands.files.appending(path: "a.psbt"))
        let unread = try commands.run("review a.psbt")
        #expect(unread.status == 10 && unread.code == "unreadable", "\(unread)")
        _ = FileManager.default.createFile(
            atPath: commands.files.appending(path: "big.psbt").path, contents: nil)
        truncate(commands.files.appending(path: "big.psbt").path, (16 << 20) + 1)
        for name in ["big.psbt", "none.psbt", "."] {
            let refused = try commands.run("review \(name)")
            #expect(refused.status == 10 && refused.code == "input", "\(refused)")
        }
    }

    @Test("a wrong password, a script without its flag, and a wallet that is not there")
    func refusals() throws {
        let commands = try appliance()
        try RecordedPSBT.first(of: "wpkh").write(to: commands.files, "a.psbt")
        let wrong = try commands.run(
            "sign --yes-if-no-warnings a.psbt", answers: ["Wrong-Horse-1"])
        #expect(wrong.status == 9 && wrong.code == "wrong-password", "\(wrong)")
        let silent = try commands.run("sign a.psbt", answers: [Self.password])
        #expect(silent.status == 2 && silent.errors.contains("--yes-if-no-warnings"), "\(silent)")
        let other = try sign(commands, "a.psbt --wallet Nobody")
        #expect(other.status == 10 && other.errors.contains("--wallet"), "\(other)")
        #expect(try sign(commands, "a.psbt --wallet Savings").status == 0)
    }

    @Test("nothing waits on an appliance without a network, and nothing can be decided")
    func pending() throws {
        let commands = try appliance()
        let none = try commands.run("pending")
        #expect(none.status == 0 && (none.json["entries"] as? [Any])?.isEmpty == true)
        #expect(try commands.run("pending", isJSON: false).output == "nothing waits\n")
        let approved = try commands.run(
            "approve 7 --yes-if-no-warnings", answers: [Self.password])
        #expect(approved.status == 10 && approved.code == "no-such-entry", "\(approved)")
        let rejected = try commands.run("reject 7")
        #expect(rejected.status == 10 && rejected.code == "no-such-entry", "\(rejected)")
        for words in ["reject 0", "reject x", "approve -- -1 --password-fd 0"] {
            #expect(try commands.run(words).status == 2, "\(words)")
        }
    }
}
