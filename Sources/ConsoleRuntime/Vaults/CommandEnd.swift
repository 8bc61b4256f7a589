import Configuration
import ConsoleCore
import JSON
import Messages
import Prompts
import Wire

/// Why a command ended without doing what was asked.
enum CommandEnd: Error {
    case prompt(PromptEnd)
    case client(ClientFailure)
    case refused(VaultRefusal)
    case entry(EntryRefusal)
    case problem(ExitCode, String)
    /// A vault or kit is made, but not all of it reached the person, for this reason. The launcher,
    /// which knows the files that are whole, says what was made.
    indirect case unseen(CommandEnd)
    /// Another end, of what was to be done with one file.
    indirect case of(file: String, CommandEnd)

    /// What to leave with.
    var exitCode: ExitCode {
        switch self {
        case .prompt(.cancelled), .prompt(.idle), .prompt(.gone): .cancelled
        case .prompt(.noAnswer), .prompt(.badAnswer): .input
        case .client(let failure): failure.exitCode
        case .refused(let refusal): refusal.exitCode
        case .entry(let refusal): refusal.exitCode
        case .problem(let code, _): code
        case .unseen: .incomplete
        case .of(_, let end): end.exitCode
        }
    }

    /// Whether whoever gives the terminal back is gone.
    var isWithoutLauncher: Bool {
        switch self {
        case .prompt(.gone), .unseen(.prompt(.gone)): true
        case .of(_, let end): end.isWithoutLauncher
        default: false
        }
    }

    /// What a person reads.
    var sentence: String {
        switch self {
        case .prompt(let end): "\(end)"
        case .client(let failure): failure.sentence
        case .refused(let refusal): refusal.sentence
        case .entry(let refusal): VisibleText(refusal.sentence, limit: 1000).description
        case .problem(_, let sentence): sentence
        case .unseen(.prompt(.cancelled)): "given up"
        case .unseen(.prompt(.idle(let seconds))):
            "nothing was typed for \(counted(seconds, "second"))"
        case .unseen(.prompt(.gone)): "the terminal is gone"
        case .unseen(let reason): reason.sentence
        case .of(let file, let end): "\(VisibleText(file, limit: 200)): \(end.sentence)"
        }
    }

    /// The same, of what was to be done with this file.
    func of(_ file: String) -> CommandEnd {
        if case .of = self { return self }
        return .of(file: file, self)
    }

    /// Says so: to people on standard error, to programs on standard output, too, as one line, where no
    /// answer stands yet. Gives back what to leave with.
    func tell(asJSON: Bool) -> ExitCode {
        if asJSON, !StandardStream.hasOutput { StandardStream.out(json.line + "\n") }
        StandardStream.error("bulkhead: \(sentence)\n")
        return exitCode
    }

    private var json: JSONValue {
        var members: [JSONValue.Member] = [
            .init("schema", .string("bulkhead-refusal-1")), .init("code", .string(code)),
            .init("sentence", .string(sentence)),
        ]
        if case .of(let file, _) = self { members.append(.init("file", .string(file))) }
        return .object(members)
    }

    /// What a program knows it by: what the command found itself has the name of its exit status.
    private var code: String {
        switch self {
        case .refused(let refusal): refusal.code
        case .entry(let refusal): refusal.code
        case .of(_, let end): end.code
        default: "\(exitCode)"
        }
    }
}

extension VaultRefusal {
    /// What to leave with: the same as where the command itself finds that something is so.
    fileprivate var exitCode: ExitCode {
        switch self {
        case .noSuchVault, .wrongKind, .wrongChain, .alreadyThere, .noSuchItem, .badName,
            .wrongName,
            .badAddress, .badRange, .wordCount, .noSuchEntry, .missingField, .malformed,
            .passwordRule, .badInput, .tooLarge:
            .input
        case .outputFailed, .diskUnread, .diskFailed, .diskUncertain: .system
        default: .refused
        }
    }
}

extension EntryRefusal {
    /// The same.
    fileprivate var exitCode: ExitCode {
        switch self {
        case .unreadable, .noSuchEntry: .input
        case .outputFailed: .system
        default: .refused
        }
    }
}
