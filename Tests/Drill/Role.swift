import Confinement
import SeccompPolicies

/// The process in whose place the attacker stands.
enum Role: String, CaseIterable {
    case signer, worker, network, console

    /// Whether the keeper gives it namespaces and a root of its own.
    var isIsolated: Bool { self != .console }
}

/// A set of walls that stand while attacks are made.
enum Cell: String, CaseIterable {
    case everything
    case withoutSeccomp = "no-seccomp"
    case withoutIdentity = "no-identity"
    case withoutLandlock = "no-landlock"
    // Each wall by itself, since a wall that another stands behind proves nothing.
    case onlySeccomp = "only-seccomp"
    case onlyIdentity = "only-identity"
    case onlyLandlock = "only-landlock"
    /// The positive control.
    case nothing

    /// Those that the tables in the documents have a column for.
    static let documented: [Cell] = [
        .everything, .withoutSeccomp, .withoutIdentity, .withoutLandlock,
    ]

    var title: String {
        switch self {
        case .everything: "everything on"
        case .withoutSeccomp: "seccomp off"
        case .withoutIdentity: "one uid, no namespaces"
        case .withoutLandlock: "Landlock off"
        case .onlySeccomp: "only seccomp"
        case .onlyIdentity: "only uid and namespaces"
        case .onlyLandlock: "only Landlock"
        case .nothing: "everything off"
        }
    }

    var hasSeccomp: Bool {
        [.everything, .withoutIdentity, .withoutLandlock, .onlySeccomp].contains(self)
    }
    var hasIdentity: Bool {
        [.everything, .withoutSeccomp, .withoutLandlock, .onlyIdentity].contains(self)
    }
    var hasLandlock: Bool {
        [.everything, .withoutSeccomp, .withoutIdentity, .onlyLandlock].contains(self)
    }
    /// Limits, no_new_privs and what else has no cell of its own.
    var hasRest: Bool { self != .nothing }
}

/// What this machine can put up and attack.
struct Machine {
    /// Whether each process can have a user of its own: the drill runs as root.
    let isRoot: Bool
    /// The Landlock version; 0 without.
    let landlock: Int32
    /// Whether the kernel can refuse memory that is written and then run (Linux 6.3).
    let refusesWrittenCode: Bool

    /// A Pi's successor: everything, as the documents describe it.
    static let complete = Machine(isRoot: true, landlock: 6, refusesWrittenCode: true)
}
