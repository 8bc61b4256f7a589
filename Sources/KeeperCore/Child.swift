/// A process that the keeper starts.
public enum Child: UInt8, CaseIterable, Sendable {
    case signer
    case network

    /// The name of its program.
    public var program: String {
        switch self {
        case .signer: "bulkhead-signer"
        case .network: "bulkhead-network"
        }
    }

    /// The child at the other end of the link.
    public var other: Child { self == .signer ? .network : .signer }
}

/// How a process ended.
public enum Ending: Equatable, Sendable {
    /// It ended itself with this status.
    case exited(Int32)
    /// This signal ended it.
    case killed(signal: Int32)
}

extension Ending {
    /// The signal that no process can refuse.
    static let sigkill: Int32 = 9
}

extension Ending: CustomStringConvertible {
    /// How it ended, to follow the name of the process.
    public var description: String {
        switch self {
        case .exited(let status): "ended with status \(status)"
        case .killed(let signal): "was killed by " + Ending.describe(signal: signal)
        }
    }

    // The numbers are the same on every architecture that Bulkhead runs on.
    private static func describe(signal: Int32) -> String {
        switch signal {
        case 4, 5: "signal \(signal): a check in the program failed"
        case 6: "SIGABRT: a check in a library failed"
        case 7, 11: "signal \(signal): it touched memory that is not its own"
        case 9: "SIGKILL: by root, by its own user or for want of memory"
        case 31: "SIGSYS: it made a system call that its filter does not allow"
        default: "signal \(signal)"
        }
    }
}
