public import LinuxIO

/// A step of confinement that the kernel refused. The process must end: it is not inside its wall.
public struct ConfinementError: Error, Hashable, Sendable {
    /// A step of confinement.
    public enum Step: Hashable, Sendable {
        case compile(policy: String)
        case rule(String)
        case dumpable
        case parentDeath
        case closeDescriptors
        case limit(String)
        case noNewPrivileges
        case capabilities
        case landlock(String)
        case seccomp(policy: String)
        case probe
    }

    /// What was tried.
    public let step: Step
    /// The kernel's answer.
    public let errno: Errno

    /// Returns `result`, or throws if it is -errno.
    @discardableResult
    static func check(_ result: Int32, _ step: @autoclosure () -> Step) throws(Self) -> Int32 {
        guard result < 0 else { return result }
        throw Self(step: step(), errno: Errno(-result))
    }
}

extension ConfinementError: CustomStringConvertible {
    /// A sentence for a person: what could not be set up and why.
    public var description: String {
        "Could not \(step): \(errno)."
    }
}

extension ConfinementError.Step: CustomStringConvertible {
    /// The step as the words after "could not".
    public var description: String {
        switch self {
        case .compile(let policy): "compile the seccomp policy '\(policy)'"
        case .rule(let rule): "compile the seccomp rule \(rule)"
        case .dumpable: "forbid core dumps and tracing"
        case .parentDeath: "tie this process to its parent"
        case .closeDescriptors: "close inherited descriptors (Linux 5.9 or later is needed)"
        case .limit(let name): "set the limit of \(name)"
        case .noNewPrivileges: "give up gaining privileges"
        case .capabilities: "drop the capabilities"
        case .landlock(let what): "restrict files with Landlock (\(what))"
        case .seccomp(let policy): "load the seccomp policy '\(policy)'"
        case .probe: "start the probe child"
        }
    }
}
