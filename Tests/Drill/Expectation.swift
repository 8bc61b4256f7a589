import CDrill

/// Something that ends an attack before its goal.
enum Stop: Hashable {
    /// Namespaces and the private root.
    case namespaces
    /// A user of its own, which only root can give.
    case ownUser
    case seccomp
    /// Landlock from this version on.
    case landlock(Int32)
    /// `no_new_privs`, limits: always on.
    case rest
    /// The kernel's refusal to run what was written, where it has it.
    case writtenCode

    func stands(in cell: Cell, on machine: Machine) -> Bool {
        switch self {
        case .namespaces: cell.hasIdentity
        case .ownUser: cell.hasIdentity && machine.isRoot
        case .seccomp: cell.hasSeccomp
        case .landlock(let version): cell.hasLandlock && machine.landlock >= version
        case .rest: cell.hasRest
        case .writtenCode: cell.hasRest && machine.refusesWrittenCode
        }
    }

    /// The order in which documents name walls.
    var order: Int {
        switch self {
        case .ownUser: 0
        case .namespaces: 1
        case .seccomp: 2
        case .landlock: 3
        case .writtenCode: 4
        case .rest: 5
        }
    }

    var title: String {
        switch self {
        case .namespaces: "namespaces"
        case .ownUser: "own user"
        case .seccomp: "seccomp"
        case .landlock(let version): version == 1 ? "Landlock" : "Landlock \(version)"
        case .rest: "limits, no_new_privs"
        case .writtenCode: "no running of what was written"
        }
    }
}

/// Which walls stop which attack in whose place: the claims of `docs/drill.md`, each of which the
/// drill tries. An attack that nothing stops is something the process needs.
enum Expectation {
    /// Whether the attack makes sense in this place.
    static func applies(_ attack: Attack, to role: Role) -> Bool {
        attack.name != "type into the terminal" || role == .console
    }

    static func isStopped(_ attack: Attack, _ role: Role, _ cell: Cell, _ machine: Machine) -> Bool
    {
        stops(attack, role).contains { $0.stands(in: cell, on: machine) }
    }

    /// What the kernel may lack, so that even with everything off the goal stays out of reach.
    static let mayBeAbsent: Set<String> = [
        "open through io_uring", "open through the 32-bit entry", "read a message queue",
        "attach shared memory", "search the user's keyring", "connect by TCP over IPv6",
        "type into the terminal", "gain capabilities in a namespace", "run a set-uid program",
        "trace", "copy a descriptor",
    ]

    static func stops(_ attack: Attack, _ role: Role) -> [Stop] {
        switch attack.name {
        case "open the secret file", "climb out of its directory", "go through /proc/PID/root",
            "overwrite a file", "follow a symbolic link", "make a hard link",
            "open through io_uring", "open through the 32-bit entry", "run a shell that reads",
            "copy a descriptor":
            files(role)
        // They work on files of their own directories, and a filter cannot judge paths.
        case "remove a file", "open the secret file as the signer opens its own",
            "overwrite a file as the signer writes its own":
            files(role, calls: mayWrite(role) ? [] : [.seccomp])
        case "make a file outside", "move a file outside": newFiles(role, calls: [.seccomp])
        case "make a file outside as the signer makes its own",
            "move a file outside as the signer moves its own":
            newFiles(role, calls: mayWrite(role) ? [] : [.seccomp])
        case "run a program from memory": files(role) + (mayWrite(role) ? [] : [.rest])
        case "trace", "read memory", "write memory", "open /proc/PID/mem":
            processes(role, calls: [.seccomp]) + [.landlock(1)]
        case "kill": processes(role, calls: role == .signer ? [] : [.seccomp]) + [.landlock(6)]
        case "stop", "queue a signal", "signal through a pidfd", "signal as owner of a socket":
            processes(role, calls: [.seccomp]) + [.landlock(6)]
        case "lower a limit", "lower a priority": processes(role, calls: [.seccomp])
        case "attach shared memory": [.seccomp] + (role.isIsolated ? [.namespaces] : [])
        case "read a message queue":
            // Queues are files to Landlock.
            [.seccomp, .landlock(1)] + (role.isIsolated ? [.namespaces] : [])
        case "search the user's keyring": processes(role, calls: [.seccomp])
        default: kernelAndNetwork(attack, role)
        }
    }

    private static func kernelAndNetwork(_ attack: Attack, _ role: Role) -> [Stop] {
        let ownNetwork: [Stop] = role == .signer || role == .worker ? [.namespaces] : []
        switch attack.name {
        case "connect to an abstract socket": return [.seccomp, .landlock(6)] + ownNetwork
        case "connect to signer.sock": return [.seccomp] + (role.isIsolated ? [.namespaces] : [])
        case "connect by TCP", "connect by TCP over IPv6":
            return role == .network ? [] : [.seccomp, .landlock(4)] + ownNetwork
        case "send a datagram": return role == .network ? [] : [.seccomp] + ownNetwork
        case "listen on a port": return [.seccomp, .landlock(4)] + ownNetwork
        case "type into the terminal", "gain capabilities in a namespace": return [.seccomp]
        case "run code from writable memory", "write memory, then run it":
            return [.seccomp, .writtenCode]
        case "run code from its own file":
            let limits: [Stop] = mayWrite(role) ? [] : [.rest]
            return [.seccomp] + limits + (role.isIsolated ? [.namespaces] : [.landlock(1)])
        case "run a set-uid program":
            return [.seccomp, .rest, .landlock(1)] + (role.isIsolated ? [.namespaces] : [])
        case "leave a process behind":
            return role == .signer ? [] : [.seccomp] + (role == .worker ? [.rest] : [])
        case "open 5,000 descriptors", "make a file of 1 TiB": return [.seccomp, .rest]
        default: preconditionFailure("no expectation for '\(attack.name)'")
        }
    }

    /// Whether its limits let it write to files, one in memory included.
    private static func mayWrite(_ role: Role) -> Bool { role == .signer || role == .network }

    private static func files(_ role: Role, calls: [Stop] = [.seccomp]) -> [Stop] {
        calls + [.landlock(1)] + (role.isIsolated ? [.namespaces] : [.ownUser])
    }

    /// In a place where any user may make files, so that a user of its own is no wall there.
    private static func newFiles(_ role: Role, calls: [Stop]) -> [Stop] {
        calls + [.landlock(1)] + (role.isIsolated ? [.namespaces] : [])
    }

    private static func processes(_ role: Role, calls: [Stop]) -> [Stop] {
        calls + (role.isIsolated ? [.namespaces] : [.ownUser])
    }
}
