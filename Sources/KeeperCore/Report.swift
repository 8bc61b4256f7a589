/// Something that a person who reads the log should know.
public enum Report: Equatable, Sendable {
    case started(Child, attempt: Int)
    case ready(Child, after: Duration)
    case ended(Child, Ending)
    /// Its end by the keeper, whose reason was reported before.
    case endedByKeeper(Child)
    case spawnFailed(Child, String)
    case channelBroken(Child, String)
    case channelClosed(Child)
    case notReadyInTime(Child)
    case noSignOfLife(Child)
    case stopIgnored(Child)
    case linkLost(Child, String)
    case restarting(Child, wait: Duration, failures: Int)
    case stopping

    /// How loudly to say it, in the steps of syslog.
    public enum Level: UInt8, Sendable {
        case alert = 1
        case warning = 4
        case notice = 5
        case info = 6
    }

    /// How loudly to say it: a signer that dies by a signal, or breaks a rule, may be an attack under way.
    public var level: Level {
        switch self {
        case .ended(.signer, .killed), .channelBroken(.signer, _): .alert
        case .ended(_, .killed), .spawnFailed, .channelBroken: .warning
        case .notReadyInTime, .noSignOfLife, .stopIgnored, .linkLost, .channelClosed: .warning
        case .ended(_, .exited), .endedByKeeper, .restarting, .ready, .stopping: .notice
        case .started: .info
        }
    }
}

extension Report: CustomStringConvertible {
    /// The sentence for a person.
    public var description: String {
        level == .alert
            ? "ALERT: \(sentence). If it happens again, stop and look into it." : sentence
    }

    private var sentence: String {
        switch self {
        case .started(let child, let attempt): "\(child.program) started, start \(attempt)"
        case .ready(let child, let time):
            "\(child.program) is ready after \(time.wholeMilliseconds) ms"
        case .ended(let child, let ending): "\(child.program) \(ending)"
        case .endedByKeeper(let child): "\(child.program) has ended: the keeper killed it"
        case .spawnFailed(let child, let reason): "\(child.program) could not be started: \(reason)"
        case .channelBroken(let child, let reason):
            "\(child.program) is killed: on its control channel, \(reason)"
        case .channelClosed(let child):
            "\(child.program) is killed: it closed its control channel and did not end"
        case .notReadyInTime(let child): "\(child.program) is killed: it was not ready in time"
        case .noSignOfLife(let child): "\(child.program) is killed: it gave no sign of life"
        case .stopIgnored(let child): "\(child.program) is killed: it did not stop when asked"
        case .linkLost(let child, let reason):
            "\(child.program) is killed: the link between the children is gone: \(reason)"
        case .restarting(let child, let wait, let failures):
            "\(child.program) starts again in \(wait.wholeMilliseconds) ms; failures in a row: \(failures)"
        case .stopping: "stopping"
        }
    }
}

extension Duration {
    fileprivate var wholeMilliseconds: Int64 {
        components.seconds * 1000 + components.attoseconds / 1_000_000_000_000_000
    }
}
