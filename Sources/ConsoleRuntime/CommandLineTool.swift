import Configuration
import ConsoleCore
import Glibc
import LinuxIO

/// The program `bulkhead`: finds the command and runs it.
public enum CommandLineTool {
    private enum Command: String, CaseIterable {
        case console
        case status
        case audit
        case help

        var sentence: String {
            switch self {
            case .console: "Open the console; `bulkhead` alone does the same."
            case .status: "Say how the signer and the network process are."
            case .audit:
                "Prove the wall: what the kernel shows of each process, what it says of itself, and "
                    + "what probes tried from inside. Run it with sudo to see everything."
            case .help: "Print this text."
            }
        }
    }

    /// Runs the command line without the program's name, and ends the process.
    public static func run(_ arguments: [String]) -> Never {
        Kernel.ignoreBrokenPipes()
        Kernel.exit(Int32(status(of: arguments).rawValue))
    }

    private static func status(of arguments: [String]) -> ExitCode {
        do throws(UsageError) {
            let parsed = try ParsedArguments(arguments, flags: CommandOptions.flags)
            guard parsed.values["help"] == nil else { return help() }
            let name = parsed.operands.first ?? Command.console.rawValue
            guard let command = Command(rawValue: name) else { return unknown(name) }
            if let surplus = parsed.operands.dropFirst().first { return superfluous(surplus) }
            return run(command, CommandOptions(parsed))
        } catch {
            StandardStream.error("bulkhead: \(error)\n")
            return .usage
        }
    }

    private static func run(_ command: Command, _ options: CommandOptions) -> ExitCode {
        switch command {
        case .console: ConsoleCommand.run(options)
        case .status: StatusCommand.run(options)
        case .audit: AuditCommand.run(options)
        case .help: help()
        }
    }

    private static func help() -> ExitCode {
        let flags = Documents.help(
            program: "bulkhead [COMMAND]", summary: "The person's side of a Bulkhead appliance.",
            flags: CommandOptions.flags)
        let commands = Documents.help(
            commands: Command.allCases.map { ($0.rawValue, $0.sentence) })
        StandardStream.out(flags + "\n" + commands)
        return .success
    }

    private static func unknown(_ name: String) -> ExitCode {
        let nearest = Command.allCases.map(\.rawValue).nearest(to: name)
        let hint = nearest.map { "; did you mean \($0)?" } ?? "; bulkhead help lists all of them"
        StandardStream.error(
            "bulkhead: there is no command \(VisibleText(name, limit: 60))\(hint)\n")
        return .usage
    }

    private static func superfluous(_ operand: String) -> ExitCode {
        StandardStream.error(
            "bulkhead: \(VisibleText(operand, limit: 60)) is one argument too many\n")
        return .usage
    }
}
