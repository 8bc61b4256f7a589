/// Why a program of Bulkhead ended, as its exit status. One table for all of them.
///
/// `docs/exit-codes.md` is rendered from it.
public enum ExitCode: UInt8, CaseIterable, Sendable {
    case success = 0
    case finding = 1
    case usage = 2
    case configuration = 3
    case state = 4
    case account = 5
    case kernel = 6
    case busy = 7
    case unreachable = 8
    case refused = 9
    case input = 10
    case channel = 11
    case confinement = 12
    case keeperGone = 13
    case child = 14
    case system = 15
    case cancelled = 16
    case incomplete = 17
    case waiting = 18
    case forgotten = 19

    /// What the status means, as a sentence.
    public var sentence: String {
        switch self {
        case .success: "What was asked for is done."
        case .finding:
            "A check found something: the audit a hole or a missing wall, the status a silent process, a "
                + "review a warning or a reason not to sign, the search no such address, a verification no "
                + "proof that a message was signed, an import lines that are no labels."
        case .usage: "A flag or an argument is wrong."
        case .configuration:
            "A line of the configuration file is wrong, or the file cannot be read."
        case .state:
            "The state or runtime directory is missing, or has the wrong owner or mode, or is damaged."
        case .account: "A user or group that the processes run as does not exist."
        case .kernel:
            "The kernel lacks a feature that the wall needs, and the weaker wall was not accepted."
        case .busy: "Another instance runs on the same state or runtime directory."
        case .unreachable:
            "The appliance does not run, has no such process in its role, or its socket may not be opened "
                + "by the caller."
        case .refused: "The signer, a review or a person refused."
        case .input:
            "What was given cannot be right, or there is nothing of that name: a file, a transaction, an "
                + "address, words, a code, a vault."
        case .channel:
            "The other end of a channel ended in the middle, broke its rules or is of another build."
        case .confinement:
            "A process could not confine itself, and stopped before its first read; or it was ended in its "
                + "confinement."
        case .keeperGone: "The keeper's end of the control channel closed."
        case .child: "A child of the keeper ended before the appliance was ready."
        case .system: "The operating system refused something that has to work."
        case .cancelled:
            "The person gave up, or typed nothing for two minutes; nothing was changed, unless the signer "
                + "was at work already: then the message says so."
        case .incomplete:
            "A vault or kit was made, but its words or its kit did not reach the person."
        case .waiting:
            "The time to wait is over: nobody has decided on the request yet, or not every block is searched."
        case .forgotten:
            "The signer knows of no such request: it was restarted, or the id is wrong."
        }
    }

    /// What to do about it, as a sentence.
    public var remedy: String {
        switch self {
        case .success: "Nothing."
        case .finding:
            "Read the rows that are not `ok`, the report, or the line that says what was found."
        case .usage: "The message names the flag; `--help` lists all of them."
        case .configuration: "The message names file, line and what is allowed."
        case .state: "The message names the directory and the command that mends it."
        case .account: "Create it (`systemd-sysusers`), or name another by flag."
        case .kernel: "Use a kernel with the feature, or give `--accept-weaker-wall`."
        case .busy: "Stop the other instance, or give this one directories of its own."
        case .unreachable: "Start it, or join the group `bulkhead`."
        case .refused: "The message says by whom and why."
        case .input: "The message says where and what is allowed there."
        case .channel:
            "The message says what is sure; of other builds, install all programs from one. Else report it."
        case .confinement: "The message names the step; `bulkhead audit` shows the rest."
        case .keeperGone: "Nothing: the keeper starts its children anew."
        case .child: "The line before names the child and how it ended."
        case .system: "The message names the call and the error."
        case .cancelled: "Begin anew: what was typed is forgotten."
        case .incomplete: "The message names the commands that show the words and make a new kit."
        case .waiting: "Ask again later; for a request, with the id that the message names."
        case .forgotten: "Submit the file again; nothing was signed."
        }
    }
}
