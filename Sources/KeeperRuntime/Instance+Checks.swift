import Configuration
import Glibc
import KeeperCore
import LinuxIO

/// The checks before the start. None of them creates or changes anything.
extension Instance {
    /// The name of the file that marks a state directory as made for development.
    static let developmentMarker = "made-for-development"

    /// Checks everything that the start needs and decides what depends on the machine.
    init(settings: Settings, caller: Caller) throws(StartRefusal) {
        self.settings = settings
        self.caller = caller
        let children = KeeperPlan(role: settings.role).children

        (accounts, socketGroup) = try Instance.findAccounts(settings, caller, children)
        stateDirectory = try Instance.findStateDirectory(settings, caller)
        runtimeDirectory = try Instance.findRuntimeDirectory(settings, caller, stateDirectory)

        let programDirectory = try Instance.findProgramDirectory(settings)
        var programs: [Child: ProgramFiles] = [:]
        for child in children {
            programs[child] = try ProgramFiles(path: programDirectory + "/" + child.program)
        }
        self.programs = programs
        wall =
            settings.avoidsNamespaces
            ? KernelWall(
                namespaceRefusal: "switched off by --without-namespaces",
                landlockVersion: KernelWall.currentLandlockVersion)
            : KernelWall.probe(caller)

        try checkChildDirectories()
        try checkSocketPaths()
        try checkDevelopment()
        if let refusal = Instance.refusal(of: settings, on: wall) { throw refusal }
    }

    /// Which command makes users and group, and from which file.
    private static let makingUsers =
        "systemd-sysusers systemd/sysusers.d/bulkhead.conf, in the folder of Bulkhead's sources, makes "
        + "users and group (scripts/run does so)"

    private static func findAccounts(
        _ settings: Settings, _ caller: Caller, _ children: [Child]
    ) throws(StartRefusal) -> ([Child: Account], UInt32?) {
        guard caller.isRoot else { return ([:], nil) }
        var accounts: [Child: Account] = [:]
        for child in children {
            let (name, flag) =
                child == .signer
                ? (settings.signerUser, "signer-user") : (settings.networkUser, "network-user")
            guard let account = Account(user: name) else {
                throw StartRefusal(
                    .account,
                    "the user \(name) does not exist; \(makingUsers), or name another: --\(flag)"
                )
            }
            guard account.uid != 0, account.gid != 0 else {
                throw StartRefusal(.account, "--\(flag): \(name) is root, which no child may be")
            }
            accounts[child] = account
        }
        if let first = accounts[.signer], let second = accounts[.network], first.uid == second.uid {
            throw StartRefusal(
                .account, "--signer-user and --network-user name the same user; they must differ")
        }
        guard let group = Account.group(settings.group) else {
            throw StartRefusal(
                .account,
                "the group \(settings.group) does not exist; \(makingUsers), or name another: --group"
            )
        }
        return (accounts, group)
    }

    /// Development settings weaken the wall so far that no directory with real keys may see them.
    private func checkDevelopment() throws(StartRefusal) {
        guard let setting = settings.developmentSettings.first else { return }
        let names = (try? System.names(in: stateDirectory)) ?? []
        guard names.isEmpty || names.contains(Instance.developmentMarker) else {
            throw StartRefusal(
                .state,
                "--\(setting.rawValue) is for development and needs an empty state directory, or one that "
                    + "was empty when it was first used so; \(stateDirectory) is not")
        }
    }

    /// Why this wall is too weak for the settings; nil if it is not.
    static func refusal(of settings: Settings, on wall: KernelWall) -> StartRefusal? {
        guard settings.network == .mainnet, !settings.acceptsWeakerWall,
            let reason = wall.namespaceRefusal, !wall.hasLandlock
        else { return nil }
        return StartRefusal(
            .kernel,
            "this kernel gives neither namespaces (\(reason)) nor Landlock; "
                + "enable one, or accept it for mainnet: --accept-weaker-wall")
    }
}
