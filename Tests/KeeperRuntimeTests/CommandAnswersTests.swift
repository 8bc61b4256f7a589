import Foundation
import Testing

@Suite("What commands answer to people and programs", .serialized, .enabled(if: isWallTested))
struct CommandAnswersTests {
    private static let password = "Correct-Horse-1"

    private func commands() throws -> VaultCommands {
        let commands = try VaultCommands()
        let made = try commands.run(
            "wallet create Savings --words 12 --kit kit.txt --phrase-fd 3",
            answers: [Self.password])
        try #require(made.status == 0, "\(made)")
        return commands
    }

    @Test("an address is alone and in one piece for pipes, and is found again in any form")
    func addresses() throws {
        let commands = try commands()
        let received = try commands.run("receive", isJSON: false)
        let plain = received.output
        // It cannot know whether the first address was used, and says so where nobody chose it.
        #expect(received.errors.contains("bulkhead watch address"), "\(received)")
        #expect(try commands.run("receive").errors == received.errors)
        for (index, isFar) in [("0", false), ("19", false), ("20", true), ("2147483647", true)] {
            let chosen = try commands.run("receive --index \(index)", isJSON: false)
            #expect(chosen.status == 0, "\(chosen)")
            #expect(chosen.errors.contains("gap limit") == isFar, "\(chosen)")
            #expect(chosen.errors.isEmpty == !isFar, "\(chosen)")
        }
        let address = plain.trimmingCharacters(in: .newlines)
        #expect(plain == address + "\n" && address.hasPrefix("bcrt1q") && address.count == 44)
        let groups = "\(address.prefix(6)) \(address.dropFirst(6).prefix(10)) \(address.suffix(28))"
        for typed in [address, groups, "bitcoin:\(address)?amount=0.1", "BITCOIN:" + address] {
            let found = try commands.run("verify-address \(typed)")
            #expect(found.status == 0, "\(found)")
            #expect((found.json["found"] as? [Any])?.count == 1)
        }
        let other = try commands.run("verify-address bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080")
        #expect(other.status == 1 && other.json["schema"] as? String == "bulkhead-address-search-1")
    }

    @Test("a refusal that the command finds itself is JSON too, with a code and a sentence")
    func refusals() throws {
        let commands = try commands()
        for (words, code) in [
            ("wallet keys Savinsg", "input"), ("wallet keys a b c", "usage"),
            ("receive --account gold", "usage"), ("receive --acount native", "usage"),
            ("wallet delete Savings --password-fd 0", "usage"),
            ("kit kit.txt --password-fd 0", "input"),
        ] {
            let refused = try commands.run(words)
            #expect(refused.status != 0 && refused.code == code, "\(refused)")
            #expect(refused.json["schema"] as? String == "bulkhead-refusal-1", "\(words)")
            let sentence = refused.json["sentence"] as? String ?? "?"
            let line = "bulkhead: \(sentence)\n"
            #expect(refused.errors == line, "\(words)")
        }
    }

    @Test("a name that a vault has is not given to another one, and a restore says that it is done")
    func namesAndRestore() throws {
        let commands = try commands()
        let second = try commands.run("items create Papers --kit p.txt", answers: [Self.password])
        #expect(second.status == 0, "\(second)")
        let taken = try commands.run("wallet rename Papers Savings", answers: [Self.password])
        #expect(taken.status == 10 && taken.errors.contains("called Savings already"), "\(taken)")
        #expect(try commands.run("backup b.backup Savings", answers: [Self.password]).status == 0)
        let key = try commands.code("Secret key", in: "kit.txt")
        let restored = try commands.run("restore b.backup --yes", answers: [key], isJSON: false)
        #expect(restored.status == 0 && restored.output.contains("restored: vault "), "\(restored)")
        // Under a name that another vault has by now both are kept; commands tell them apart by id.
        let deleted = try commands.run(
            "wallet delete Savings --name Savings", answers: [Self.password])
        #expect(deleted.status == 0, "\(deleted)")
        let renamed = try commands.run("wallet rename Papers Savings", answers: [Self.password])
        #expect(renamed.status == 0, "\(renamed)")
        let twin = try commands.run("restore b.backup --yes", answers: [key])
        let id = try #require(twin.json["vault"] as? String, "\(twin)")
        let remarks = twin.json["remarks"] as? [String] ?? []
        #expect(remarks.contains { $0.contains("bulkhead wallet rename \(id) ") }, "\(twin)")
        let either = try commands.run("wallet keys Savings")
        #expect(either.status == 10 && either.errors.contains("Savings (\(id))"), "\(either)")
        #expect(try commands.run("wallet keys \(id)").status == 0)
        let told = try commands.run("wallet rename \(id) Cellar", answers: [Self.password])
        #expect(told.status == 0, "\(told)")
        #expect(try commands.run("wallet keys Cellar").status == 0)
    }

    @Test("-h is help, and --version names the build, without an appliance too")
    func helpAndVersion() throws {
        let commands = try commands()
        let help = try commands.run("wallet create -h", isJSON: false)
        #expect(help.status == 0 && help.output.hasPrefix("usage: bulkhead wallet create NAME"))
        let version = try commands.run("--version", isJSON: false)
        #expect(version.output.firstMatch(of: /^bulkhead, messages [0-9a-f]{16}\n$/) != nil)
    }
}
