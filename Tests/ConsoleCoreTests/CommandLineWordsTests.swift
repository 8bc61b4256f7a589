import Configuration
import Testing

@testable import ConsoleCore

@Suite("Command lines")
struct CommandLineWordsTests {
    private func problem(_ line: String) -> CommandLineWords.Problem? {
        do throws(CommandLineWords.Problem) {
            _ = try CommandLineWords(line.split(separator: " ").map(String.init))
            return nil
        } catch {
            return error
        }
    }

    private func words(_ line: String) throws -> CommandLineWords {
        try CommandLineWords(line.split(separator: " ").map(String.init))
    }

    @Test("words, arguments and flags are told apart, wherever the flags stand")
    func parts() throws {
        let words = try words("--json wallet create Savings --words 12 --kdf=pbkdf2 --dice")
        #expect(words.row.command == .walletCreate)
        #expect(words.arguments == ["Savings"])
        #expect(words.has("json") && words.has(.dice) && !words.has(.passphrase))
        #expect(words.value(.words) == "12" && words.value(.kdf) == "pbkdf2")
    }

    @Test("no command is the console, and a group's second word chooses the command")
    func commands() throws {
        #expect(try words("").row.command == .console)
        #expect(try words("items list").row.command == .itemsList)
        #expect(try words("wallet show-phrase").row.command == .walletShowPhrase)
        #expect(try words("backup a.backup Savings").arguments == ["a.backup", "Savings"])
        #expect(try words("wallet rename -- -a -b").arguments == ["-a", "-b"])
    }

    @Test("a wrong word is answered with the nearest command")
    func unknown() {
        #expect(
            problem("walet create x") == .unknownCommand("walet", nearest: "wallet list")
                || problem("statsu") == .unknownCommand("statsu", nearest: "status"))
        #expect(problem("statsu") == .unknownCommand("statsu", nearest: "status"))
        #expect(
            problem("wallet crate x") == .unknownCommand("wallet crate", nearest: "wallet create"))
        // A group alone is answered with the words that may follow.
        for group in Set(CommandTable.rows.filter { $0.words.count > 1 }.map { $0.words[0] }) {
            let rows = CommandTable.rows.filter { $0.words[0] == group }
            guard rows.allSatisfy({ $0.words.count > 1 }) else { continue }
            #expect(
                problem(group) == .unfinishedCommand(group, rows.map { $0.words[1] }), "\(group)")
            // With --help it is the help of all of them that is asked for.
            let help = try? CommandLineWords([group, "--help"])
            #expect(help?.row.command == .help, "\(group)")
            #expect(help?.arguments == [group])
        }
    }

    @Test("a flag of another command is refused, and so is one that nobody knows")
    func flags() {
        #expect(problem("wallet list --kit x.pdf") == .foreignFlag("kit", command: "wallet list"))
        #expect(
            problem("wallet create a --kitt x") == .flag(.unknownFlag("--kitt", nearest: "kit")))
        // What is proposed is a flag of the command.
        #expect(problem("status --kitt x") == .flag(.unknownFlag("--kitt", nearest: nil)))
        #expect(problem("status --jso") == .flag(.unknownFlag("--jso", nearest: "json")))
        #expect(
            problem("wallet create a --words") == .flag(.missingValue(flag: "words", argument: "N"))
        )
    }

    @Test("too few and too many arguments are answered with the usage")
    func arguments() {
        for line in ["wallet create", "wallet create a b", "wallet list a", "items get x", "kit"] {
            guard case .arguments(_, _, let usage) = problem(line) else {
                Issue.record("\(line)")
                continue
            }
            #expect(usage.hasPrefix("bulkhead "))
        }
        #expect(problem("wallet create --help") == nil)
    }

    @Test("numbers and choices outside of what is allowed are refused with what is")
    func values() throws {
        let words = try words("wallet create a --words 15 --kdf none --password-fd 2000")
        #expect(throws: CommandLineWords.Problem.self) {
            try words.choice(.words, [("12", 12), ("24", 24)])
        }
        #expect(throws: CommandLineWords.Problem.self) {
            try words.number(.passwordFD, in: 0...1023)
        }
        #expect(try words.number(.count, in: 1...2) == nil)
    }
}
