import LinuxIO
import Messages

/// The sentences for a person whose signer ended in the middle of a command: what is sure, and what to
/// do. A conversation cannot connect again, since its process is confined by then.
enum LostSigner {
    /// Why a question got no answer; of an end of the signer, what it means for this question.
    static func end(_ failure: ClientFailure, asking request: ConsoleRequest) -> CommandEnd {
        switch failure {
        case .ended(.closed), .ended(.violation(.truncated)):
            .problem(.channel, sentence(asking: request))
        default: .client(failure)
        }
    }

    static func sentence(asking request: ConsoleRequest) -> String {
        guard let what = outcome(of: request) else {
            return "the signer ended before it was asked for this; \(next)"
        }
        return "the signer ended before it answered: \(what); \(next)"
    }

    private static let next = "begin anew once bulkhead status says that it runs"
    private static let undone = "nothing was changed"
    private static let wholeOrNot =
        "this was done whole or not at all, and bulkhead ledger list says which"
    private static let forgotten = "nothing was signed by this, and what waited in it is forgotten"

    /// What is sure of a question that had no answer; nil where nothing was asked yet.
    private static func outcome(of request: ConsoleRequest) -> String? {
        switch request {
        case .hello, .secretInput, .output, .input: nil
        case .ping, .status, .selfReport, .probe: undone
        case .submit, .pending, .review, .reject, .withdraw: forgotten
        case .operation(let request): outcome(of: request)
        }
    }

    private static func outcome(of request: VaultRequest) -> String {
        switch request {
        case .list, .index, .addresses, .findAddress, .showPhrase, .backup, .restoreCheck,
            .ledgerList, .ledgerExport, .ledgerVerify, .importedLedgers, .importedLedger,
            .itemsList, .itemsGet:
            undone
        case .create, .importWords, .importXprv:
            wholeOrNot + "; bulkhead kit makes the kit of a vault that is there"
        case .changePassword, .rename, .delete, .newKit, .openWithCode, .adopt, .rebuildIndex,
            .restore, .itemsAdd, .itemsRemove:
            wholeOrNot
        case .approve:
            "no signed file came out here, bulkhead ledger list says whether a signature was made, and what "
                + "waited in it is forgotten"
        case .signMessage: "no signed message came out"
        }
    }
}
