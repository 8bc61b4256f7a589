import Configuration
import ConsoleCore
import LinuxIO

/// The program `bulkhead`: finds the command and runs it.
public enum CommandLineTool {
    /// Runs the command line without the program's name, and ends the process.
    public static func run(_ arguments: [String]) -> Never {
        Kernel.ignoreBrokenPipes()
        Kernel.exit(Int32(StandardStream.end(status(of: arguments)).rawValue))
    }

    private static func status(of arguments: [String]) -> ExitCode {
        do throws(CommandLineWords.Problem) {
            let words = try CommandLineWords(arguments)
            if words.has("version") {
                StandardStream.out(CommandTable.version)
                return .success
            }
            if words.row.command == .help {
                return help(words.arguments, asJSON: words.has("json"))
            }
            if words.has("help") {
                StandardStream.out(
                    arguments.contains(words.row.words[0])
                        ? CommandTable.help(of: words.row) : CommandTable.help)
                return .success
            }
            return run(words, CommandOptions(words))
        } catch {
            CommandEnd.problem(.usage, "\(error)").tell(asJSON: arguments.contains("--json"))
            return .usage
        }
    }

    /// Runs a command that was understood.
    static func run(_ words: CommandLineWords, _ options: CommandOptions) -> ExitCode {
        switch words.row.command {
        case .console: ConsoleCommand.run(words, options)
        case .status: StatusCommand.run(options)
        case .audit: AuditCommand.run(options)
        case .verifyMessage: MessageVerification.run(words, options)
        case .review, .sign, .pending, .approve, .reject: ReviewCommand.run(words, options)
        case .submit: SubmitCommand.run(words, options)
        case .sync, .balance, .history, .coins, .watchImport, .watchList, .watchRemove,
            .watchAddress, .rescan, .broadcast, .labelsExport, .labelsImport, .labelsSet,
            .peersList, .peersAdd, .peersRemove, .peersForget:
            ChainCommand.run(words, options)
        default: VaultCommand.run(words, options)
        }
    }

    private static func help(_ words: [String], asJSON: Bool) -> ExitCode {
        let name = words.joined(separator: " ")
        guard !words.isEmpty || asJSON else {
            StandardStream.out(CommandTable.help)
            return .success
        }
        let rows = CommandTable.rows.filter { $0.words.starts(with: words) }
        guard !rows.isEmpty else {
            let nearest = CommandTable.rows.map(\.name).nearest(to: name)
            StandardStream.error(
                "bulkhead: \(CommandLineWords.Problem.unknownCommand(name, nearest: nearest))\n")
            return .usage
        }
        StandardStream.out(
            asJSON
                ? CommandTable.json(of: rows).text + "\n"
                : rows.map(CommandTable.help(of:)).joined(separator: "\n"))
        return .success
    }
}
