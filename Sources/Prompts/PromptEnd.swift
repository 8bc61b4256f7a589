/// Why a prompt ended without an answer. Everything that was typed is wiped by then.
public enum PromptEnd: Error, Hashable, Sendable {
    /// The person gave up.
    case cancelled
    /// Nobody typed for so long.
    case idle(seconds: Int64)
    /// The terminal is gone.
    case gone
    /// There is no answer in the descriptor: it ended, or a line is too long.
    case noAnswer(String)
    /// An answer from a descriptor cannot be used; why.
    case badAnswer(String)
}

extension PromptEnd: CustomStringConvertible {
    /// One sentence.
    public var description: String {
        switch self {
        case .cancelled: "cancelled; nothing was changed"
        case .idle(let seconds):
            "nothing was typed for \(seconds) second\(seconds == 1 ? "" : "s"), so everything typed was dropped; nothing was "
                + "changed"
        case .gone: "the terminal is gone; nothing was changed"
        case .noAnswer(let what):
            "the descriptor of --password-fd gave no \(what): it wants a line for each"
        case .badAnswer(let why): why
        }
    }
}
