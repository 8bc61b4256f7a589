public import Messages
import Wire

extension RequestState {
    /// What a person reads who waits for a signature.
    public var sentence: String {
        switch self {
        case .unknown: "the signer knows of no such request"
        case .reviewing: "the signer reviews it"
        case .pending:
            "waiting for approval at the console: bulkhead console, or bulkhead pending and "
                + "bulkhead approve"
        case .signed: "signed"
        case .collected: "its signed file was collected before"
        case .refused(let refusal, let why):
            refusal.subject + (why.isEmpty ? "" : ": " + VisibleText(why, limit: 600).description)
        case .expired: "nobody decided in time, or the signed file was not collected in time"
        case .full: "too many requests wait at the signer already: approve or reject some of them"
        case .tooFast: "requests come faster than the signer takes them"
        }
    }

    /// The name of the state for programs.
    public var name: String {
        switch self {
        case .unknown: "unknown"
        case .reviewing: "reviewing"
        case .pending: "pending"
        case .signed: "signed"
        case .collected: "collected"
        case .refused(let refusal, _): refusal.code
        case .expired: "expired"
        case .full: "full"
        case .tooFast: "too-fast"
        }
    }
}

extension RequestRefusal {
    fileprivate var subject: String {
        switch self {
        case .unreadable: "refused: it is no PSBT that the signer reads"
        case .stopped: "refused: the review stops it, whoever would approve"
        case .rejected: "rejected by a person"
        case .alreadyWaiting: "refused: the same file waits already under another id"
        case .failed: "refused: its review ended without an answer"
        case .walletDeleted: "refused: the wallet that could sign it was deleted"
        }
    }
}
