import Configuration
import Glibc
import KeeperCore
import LinuxIO

/// Everything that is decided about an instance before anything is created.
struct Instance {
    let settings: Settings
    let caller: Caller
    let stateDirectory: String
    let runtimeDirectory: String
    /// The user of each child; empty where the caller is not root.
    let accounts: [Child: Account]
    /// The group that may open the sockets; nil where the caller is not root.
    let socketGroup: UInt32?
    let programs: [Child: ProgramFiles]
    let wall: KernelWall

    /// The children of this role, in the order of their start.
    var children: [Child] { KeeperPlan(role: settings.role).children }

    /// Whether the children get namespaces and roots of their own.
    var isIsolated: Bool { wall.hasNamespaces }

    /// The uid that the signer refuses at its socket; no user's where there is no network process.
    var networkUID: UInt32 {
        guard settings.role == .home else { return .max }
        return (accounts[.network] ?? caller.account).uid
    }

    /// A child's own directory.
    func stateDirectory(of child: Child) -> String { stateDirectory + "/\(child)" }

    /// The path of a child's listening socket.
    func socketPath(of child: Child) -> String { runtimeDirectory + "/\(child).sock" }

    /// What is weaker here than it could be, a sentence each.
    var weaknesses: [String] {
        var sentences: [String] = []
        if accounts.isEmpty {
            sentences.append(
                "one user: all processes run as user \(caller.account.uid); started as root, each has its own"
            )
        }
        if let reason = wall.namespaceRefusal {
            sentences.append("no namespaces and no private roots: \(reason)")
        }
        if !wall.hasLandlock {
            sentences.append(
                "no Landlock in this kernel: files are kept apart by namespaces and users alone")
        }
        if settings.traces { sentences.append("tracing: the system call filters only log") }
        return sentences
    }

    /// How the keeper goes about it.
    var keeperPlan: KeeperPlan {
        var plan = KeeperPlan(role: settings.role)
        plan.restartDelay = settings.restartDelay
        plan.restartDelayLimit = settings.restartDelayLimit
        plan.stableAfter = settings.stableAfter
        return plan
    }

    /// How a child is started; nil for one that this role has not.
    func plan(of child: Child) -> ChildPlan? {
        guard let program = programs[child] else { return nil }
        let directory = stateDirectory(of: child)
        let arguments = ChildArguments(
            network: settings.network, role: settings.role,
            stateDirectory: isIsolated ? PrivateRoot.state : ".", attempts: settings.attempts,
            watchAccounts: settings.watchAccounts,
            hasCredential: child == .signer && caller.hasDeviceKeyCredential,
            hasMemoryFigures: child == .signer,
            peers: child == .network ? settings.peers : PeerSettings(),
            hasCertificates: child == .network && certificatesPath != nil,
            hasPeerList: child == .network && peerListPath != nil,
            traces: settings.traces)
        return ChildPlan(
            child: child, program: program, arguments: arguments.rendered,
            stateDirectory: directory, account: accounts[child],
            mapped: isIsolated && !caller.isRoot ? caller.account : nil, isIsolated: isIsolated,
            mountPoint: runtimeDirectory)
    }
}
