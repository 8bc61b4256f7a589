import Configuration
import ConsoleCore
import LinuxIO

/// The program `bulkhead`: finds the command and runs it.
public enum CommandLineTool {
    /// Runs the command line without the program's name, and ends the process.
    public static func run(_ arguments: [String]) -> Never {
        do throws(Errno) { try Kernel.holdStandardDescriptors() } catch {
            // There may be nowhere to say it.
            Kernel.exit(Int32(ExitCode.system.rawValue))
        }
        Kernel.ignoreBrokenPipes()
        Kernel.exit(Int32(StandardStream.end(status(of: arguments)).rawValue))
    }

    private static func status(of arguments: [String]) -> ExitCode {
        do throws(CommandLineWords.Problem) {
            let words = try CommandLineWords(arguments)
            return run(words, CommandOptions(words))
        } catch {
            return CommandEnd.problem(.usage, "\(error)")
                .tell(asJSON: arguments.contains("--json"))
        }
    }

    /// Runs a command that was understood, and tells why where it does not end well.
    static func run(_ words: CommandLineWords, _ options: CommandOptions) -> ExitCode {
        do throws(CommandEnd) { return try perform(words, options) } catch {
            return error.tell(asJSON: options.printsJSON)
        }
    }

    private static func perform(
        _ words: CommandLineWords, _ options: CommandOptions
    ) throws(CommandEnd) -> ExitCode {
        if words.has("version") {
            StandardStream.out(
                options.printsJSON
                    ? CommandTable.versionJSON.line + "\n" : CommandTable.version)
            return .success
        }
        if words.has("help"), words.row.command != .help {
            return try help(words.isBare ? [] : words.row.words, options)
        }
        switch words.row.command {
        case .console: return try ConsoleCommand.run(words, options)
        case .status: return StatusCommand.run(options)
        case .audit: return try AuditCommand.run(options)
        case .help: return try help(words.arguments, options)
        case .verifyMessage: return try MessageVerification.run(words, options)
        case .review, .sign, .pending, .approve, .reject:
            return try ReviewCommand.run(words, options)
        case .submit: return try SubmitCommand.run(words, options)
        case .sync, .balance, .history, .coins, .watchImport, .watchList, .watchRemove,
            .watchAddress, .rescan, .broadcast, .broadcastList, .broadcastWithdraw, .labelsExport,
            .labelsImport, .labelsSet,
            .peersList, .peersAdd, .peersRemove, .peersForget:
            return try ChainCommand.run(words, options)
        default: return try VaultCommand.run(words, options)
        }
    }

    private static func help(
        _ words: [String], _ options: CommandOptions
    ) throws(CommandEnd) -> ExitCode {
        let name = words.joined(separator: " ")
        guard !words.isEmpty || options.printsJSON else {
            StandardStream.out(CommandTable.help)
            return .success
        }
        let rows = CommandTable.rows.filter { $0.words.starts(with: words) }
        guard !rows.isEmpty else {
            let nearest = CommandTable.rows.map(\.name).nearest(to: name)
            throw .problem(
                .usage, "\(CommandLineWords.Problem.unknownCommand(name, nearest: nearest))")
        }
        StandardStream.out(
            options.printsJSON
                ? CommandTable.json(of: rows).text + "\n"
                : rows.map(CommandTable.help(of:)).joined(separator: "\n"))
        return .success
    }
}
