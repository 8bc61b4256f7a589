import Configuration
import ConsoleCore
import JSON
import Messages
import Prompts

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

    /// What to leave with.
    var exitCode: ExitCode {
        switch self {
        case .prompt(.cancelled), .prompt(.idle), .prompt(.gone): .cancelled
        case .prompt(.noAnswer), .prompt(.badAnswer): .input
        case .client(let failure): failure.exitCode
        case .refused(.noSuchEntry): .input
        case .refused: .refused
        case .entry(.unreadable), .entry(.noSuchEntry): .input
        case .entry: .refused
        case .problem(let code, _): code
        case .unseen: .incomplete
        }
    }

    /// Whether whoever gives the terminal back is gone.
    var isWithoutLauncher: Bool {
        switch self {
        case .prompt(.gone), .unseen(.prompt(.gone)): true
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
        case .unseen(.prompt(.idle(let seconds))): "nothing was typed for \(seconds) seconds"
        case .unseen(.prompt(.gone)): "the terminal is gone"
        case .unseen(let reason): reason.sentence
        }
    }

    /// Says so: on standard output for programs, where no answer stands yet, and on standard error for
    /// people.
    func tell(asJSON: Bool) {
        if asJSON, !StandardStream.hasOutput { StandardStream.out(json.text + "\n") }
        if asJSON, case .refused = self { return }
        StandardStream.error("bulkhead: \(sentence)\n")
    }

    /// The same as a refusal of the signer: what the command found itself has the name of its exit
    /// status for a code.
    private var json: JSONValue {
        if case .refused(let refusal) = self { return refusal.json }
        let code = if case .entry(let refusal) = self { refusal.code } else { "\(exitCode)" }
        return .object([
            .init("schema", .string("bulkhead-refusal-1")), .init("code", .string(code)),
            .init("sentence", .string(sentence)),
        ])
    }
}
