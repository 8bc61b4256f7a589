import CDrill
import Glibc
import KeeperRuntime
import LinuxIO

/// The scene of the attacks: files, sockets and a victim with canaries, under one directory.
final class World {
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    let path: String
    let machine: Machine
    /// The program that attacks, where every user can run it.
    let program: String
    /// What it needs to start.
    private(set) var files: ProgramFiles
    var goals = drill_goals()
    private(set) var canaries = drill_canaries()
    private var victim = drill_victim()
    private var listeners = drill_listeners()
    private let name: String

    /// Whom the victim and the attacker run as; the caller, if that is not root.
    let victimAccount: Account
    let attackerAccount: Account

    init(machine: Machine) throws {
        self.machine = machine
        name = "bulkhead-drill-\(getpid())"
        path = "/tmp/" + name
        program = path + "/bulkhead-drill"
        let caller = Account(uid: getuid(), gid: getgid())
        // Numbers that no user of the system has.
        victimAccount = machine.isRoot ? Account(uid: 61_001, gid: 61_001) : caller
        attackerAccount = machine.isRoot ? Account(uid: 61_002, gid: 61_002) : caller
        try Self.makeDirectories(path, owner: victimAccount)
        guard Self.run("cp", "/proc/\(getpid())/exe", program), chmod(program, 0o755) == 0 else {
            throw Failure(description: "cannot copy the program to \(program)")
        }
        files = try ProgramFiles(path: program)
        nameGoals()
        fillCanaries()
        try write(canary: \.file, to: text(\.secret_path))
        guard drill_listeners_open(&goals, &listeners) == 0 else {
            throw Failure(description: "cannot open the listeners")
        }
        try startVictim()
    }

    deinit {
        drill_victim_end(&victim, &goals)
        drill_listeners_close(&listeners)
        Self.run("rm", "-rf", path)
    }

    // MARK: Before and after an attack

    /// Removes what an earlier attack left.
    func reset() throws {
        unlink(text(\.made_path))
        unlink(text(\.root_path))
        try makeSpoiled()
        if drill_victim_is_well(&victim, &canaries) == 0 {
            drill_victim_end(&victim, &goals)
            try startVictim()
        }
        _ = serve()
    }

    /// Serves the sockets; whether a TCP or UDP listener saw somebody.
    func serve() -> Bool {
        withUnsafeBytes(of: canaries.socket) { canary in
            drill_listeners_serve(
                &listeners, canary.baseAddress?.assumingMemoryBound(to: CChar.self))
        } == 1
    }

    /// Whether the goal of an attack was reached, by what is seen from outside.
    func isReached(_ goal: drill_goal, evidence: [UInt8], sawConnection: Bool, wasReachable: Bool)
        -> Bool
    {
        switch goal {
        case DRILL_GOAL_FILE_CANARY: evidence == bytes(\.file)
        case DRILL_GOAL_MEMORY_CANARY: evidence == bytes(\.memory)
        case DRILL_GOAL_SHARED_CANARY: evidence == bytes(\.shared)
        case DRILL_GOAL_SOCKET_CANARY: evidence == bytes(\.socket)
        case DRILL_GOAL_FILE_MADE: access(text(\.made_path), F_OK) == 0
        case DRILL_GOAL_ROOT_FILE_MADE: access(text(\.root_path), F_OK) == 0
        case DRILL_GOAL_FILE_SPOILED: !isIntact
        case DRILL_GOAL_VICTIM_HURT: drill_victim_is_well(&victim, &canaries) == 0
        case DRILL_GOAL_LISTENER_SAW: sawConnection
        case DRILL_GOAL_REACHABLE: wasReachable
        default: evidence.starts(with: confession)
        }
    }

    private var confession: [UInt8] {
        withUnsafeBytes(of: drill_confession) { Array($0) }
    }

    /// Any goal at all that a process without an attack of its own could have reached.
    var isUntouched: Bool {
        isIntact && access(text(\.made_path), F_OK) != 0
            && drill_victim_is_well(&victim, &canaries) == 1
    }

    private var isIntact: Bool {
        let file = open(text(\.spoiled_path), O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return false }
        defer { close(file) }
        let content = bytes(\.shared)
        var found = [UInt8](repeating: 0, count: content.count + 1)
        return read(file, &found, found.count) == content.count && found.starts(with: content)
    }

    // MARK: Setting up

    private static func makeDirectories(_ path: String, owner: Account) throws {
        for (directory, mode) in [
            ("", 0o755), ("/other", 0o755), ("/open", 0o1777), ("/mount", 0o755),
        ] + Role.allCases.map({ ("/state-" + $0.rawValue, 0o777) }) {
            guard mkdir(path + directory, mode_t(mode)) == 0,
                chmod(path + directory, mode_t(mode)) == 0
            else { throw Failure(description: "cannot make \(path + directory): \(Errno(errno))") }
        }
        chown(path + "/other", owner.uid, owner.gid)
    }

    private func nameGoals() {
        set(\.secret_path, path + "/other/device.key")
        set(\.spoiled_path, path + "/other/ledger")
        set(\.made_path, path + "/open/made")
        set(\.unix_path, path + "/signer.sock")
        set(\.abstract_name, name)
        set(\.queue_name, "/" + name)
        set(\.key_name, name)
        set(\.setuid_path, path + "/setuid")
        set(\.root_path, path + "/made-by-root")
        if machine.isRoot { Self.run("install", "-m", "4755", "/usr/bin/touch", path + "/setuid") }
    }

    private func makeSpoiled() throws {
        unlink(text(\.spoiled_path))
        try write(canary: \.shared, to: text(\.spoiled_path))
    }

    private func write<Canary>(
        canary: KeyPath<drill_canaries, Canary>, to path: String
    ) throws {
        let file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw Failure(description: "cannot make \(path): \(Errno(errno))") }
        defer { close(file) }
        fchown(file, victimAccount.uid, victimAccount.gid)
        let content = bytes(canary)
        guard Glibc.write(file, content, content.count) == content.count else {
            throw Failure(description: "cannot write \(path)")
        }
    }

    private func fillCanaries() {
        withUnsafeMutableBytes(of: &canaries) { buffer in
            var generator = SystemRandomNumberGenerator()
            for index in buffer.indices {
                buffer[index] = UInt8.random(in: 1...255, using: &generator)
            }
        }
    }

    private func startVictim() throws {
        guard
            drill_victim_start(
                victimAccount.uid, victimAccount.gid, &canaries, &goals, &victim) == 0
        else { throw Failure(description: "cannot start the victim") }
    }
}
