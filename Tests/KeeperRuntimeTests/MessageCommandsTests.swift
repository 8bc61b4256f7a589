import Foundation
import Testing

@Suite("Commands on messages", .serialized, .enabled(if: isWallTested))
struct MessageCommandsTests {
    private static let password = "Correct-Horse-1"
    private static let words =
        Array(repeating: "abandon", count: 11).joined(separator: " ") + " about"

    private func wallet(_ name: String = "Savings") throws -> VaultCommands {
        let commands = try VaultCommands()
        let made = try commands.run(
            "wallet import \(name) --kit kit.txt", answers: [Self.words, Self.password])
        try #require(made.status == 0, "\(made)")
        try Data("We owe nobody.\nSigned in March.".utf8).write(
            to: commands.files.appending(path: "note.txt"))
        return commands
    }

    private func address(_ commands: VaultCommands, _ flags: String) throws -> String {
        let answer = try commands.run("receive Savings \(flags)")
        let keys = try #require(answer.json["keys"] as? [[String: Any]])
        return try #require(keys.first?["value"] as? String)
    }

    @Test("a message from a file is shown, signed, verified, entered; another message is not valid")
    func life() throws {
        let commands = try wallet()
        for account in ["native", "taproot", "nested", "legacy"] {
            let address = try address(commands, "--account \(account) --index 3")
            let signed = try commands.run(
                "sign-message \(address) --file note.txt", answers: [Self.password])
            try #require(signed.status == 0, "\(signed)")
            #expect(signed.json["schema"] as? String == "bulkhead-message-signed-1")
            #expect(signed.errors.contains("    | We owe nobody.\n    | Signed in March.\n"))
            let signature = try #require(signed.json["signature"] as? String)
            let good = try commands.run("verify-message \(address) \(signature) --file note.txt")
            #expect(good.status == 0 && good.json["verdict"] as? String == "valid", "\(good)")
            let other = try commands.run("verify-message \(address) \(signature) --message other")
            #expect(other.status == 1 && other.json["verdict"] as? String == "invalid", "\(other)")
            let digest = try #require(signed.json["sha256"] as? String)
            let ledger = try commands.run("ledger list --count 1", isJSON: false)
            #expect(ledger.output.contains(digest) && ledger.output.contains(address))
        }
        let plain = try commands.run(
            "sign-message \(try address(commands, "--index 0")) --message short --form bip137",
            answers: [Self.password], isJSON: false)
        #expect(plain.output.count == 89 && plain.output.hasSuffix("\n"), "\(plain)")
    }

    @Test("hashes, transactions and what is unusual are refused for a script, and nothing counts")
    func refusals() throws {
        let commands = try wallet()
        let address = try address(commands, "--index 0")
        let digits = String(repeating: "ab", count: 32)
        let hash = try commands.run(
            "sign-message \(address) --message \(digits)", answers: [Self.password])
        #expect(hash.status == 9 && hash.code == "bad-message")
        let hidden = try commands.run(
            "sign-message \(address) --message a\u{202E}b", answers: [Self.password])
        #expect(hidden.status == 9 && hidden.errors.contains("hidden-characters"), "\(hidden)")
        #expect(hidden.errors.contains("    | a\\u{202e}b\n"))
        let foreign = try commands.run(
            "sign-message bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080 --message a",
            answers: [Self.password])
        #expect(foreign.status == 9 && foreign.code == "not-own-address", "\(foreign)")
        let mainnet = try commands.run(
            "sign-message 1LqBGSKuX5yYUonjxT5qGfpUsXKYYWeabA --message a",
            answers: [Self.password])
        #expect(mainnet.code == "bad-address")
        let none = try commands.run("sign-message \(address)", answers: [Self.password])
        #expect(none.status == 2 && none.errors.contains("--message-fd"))
        let missing = try commands.run(
            "sign-message \(address) --file nothing", answers: [Self.password])
        #expect(missing.status == 10)
        let wrong = try commands.run(
            "sign-message \(address) --message a", answers: ["Wrong-Horse-1"])
        #expect(wrong.code == "wrong-password" && wrong.output.contains("failed attempts: 1"))
        let ledger = try commands.run("ledger list --count 1", isJSON: false)
        #expect(ledger.output.contains("a wrong password, 1 in a row now, to sign a message"))
    }

    @Test("with two wallets of the same words one must be named")
    func twoWallets() throws {
        let commands = try wallet()
        let again = try commands.run(
            "wallet import Twin --kit twin.txt", answers: [Self.words, Self.password])
        try #require(again.status == 0, "\(again)")
        let address = try address(commands, "--index 0")
        let both = try commands.run(
            "sign-message \(address) --message a", answers: [Self.password])
        #expect(both.status == 10 && both.errors.contains("name one"), "\(both)")
        let named = try commands.run(
            "sign-message \(address) Twin --message a", answers: [Self.password])
        #expect(named.status == 0, "\(named)")
    }

    @Test("verifying needs no appliance, takes every network, and says what it cannot tell")
    func verification() throws {
        let commands = try VaultCommands()
        try commands.stop()
        let rows: [(String, String, Int32, String)] = [
            (
                "bc1q9vza2e8x573nczrlzms0wvx3gsqjx7vavgkx0l",
                "smpAkcwRAIgZRfIY3p7/DoVTty6YZbWS71bc5Vct9p9Fia83eRmw2QCICK/ENGfwLtptFluMGs2KsqoNSk89pO7F29zJLUx9a/sASECx/EgAxlkQpQ9hYjgGu6EBCPMVPwVIVJqO4XCsMvViHI=",
                0, "valid"
            ),
            ("bc1q9vza2e8x573nczrlzms0wvx3gsqjx7vavgkx0l", "smpAA==", 1, "invalid"),
            ("tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx", "x", 1, "invalid"),
            ("bc1q9vza2e8x573nczrlzms0wvx3gsqjx7vavgkx0l", "pofAA==", 1, "inconclusive"),
        ]
        try Data("Hello World".utf8).write(to: commands.files.appending(path: "hello"))
        for (address, signature, status, verdict) in rows {
            let answer = try commands.run("verify-message \(address) \(signature) --file hello")
            #expect(answer.status == status, "\(answer)")
            #expect(answer.json["verdict"] as? String == verdict)
        }
        let wrong = try commands.run("verify-message nothing smpAA== --file hello")
        #expect(wrong.status == 10 && wrong.errors.contains("is no address"), "\(wrong)")
    }
}
