import CDrill
import Configuration
import Glibc
import KeeperCore
import KeeperRuntime
import LinuxIO

/// One attacker from its start to its end, and what was seen of it from outside.
struct Attempt {
    /// What it wrote as evidence.
    private(set) var evidence: [UInt8] = []
    /// Whether a listener outside saw a connection.
    private(set) var sawConnection = false
    /// Whether the port that it named could be connected to.
    private(set) var wasReachable = false
    /// Its wait status.
    private(set) var status: Int32 = 0

    /// Longer than any attack takes that gets through; many a system call of a sweep only waits.
    private static func patience(_ kind: drill_kind) -> Int32 { kind == DRILL_ATTACK ? 2000 : 300 }

    /// By this a program knows that the drill itself has started it, and that an order lies in its link;
    /// an appliance of the keeper's is on another.
    static let network = NetworkChoice.testnet4

    init(_ world: World, _ role: Role, _ cell: Cell, kind: drill_kind, number: Int32) throws {
        var order = drill_order(
            goals: world.goals, role: Int32(Role.allCases.firstIndex(of: role) ?? 0),
            cell: Int32(Cell.allCases.firstIndex(of: cell) ?? 0), kind: kind, number: number)
        let isIsolated = cell.hasIdentity && role.isIsolated
        let directory = world.path + "/state-" + role.rawValue
        World.fill(&order.goals.state_path, with: isIsolated ? "/state" : directory)
        order.goals.evidence = 3
        let ends = try Ends(role: role)
        _ = withUnsafeBytes(of: &order) { write(ends.order, $0.baseAddress, $0.count) }
        let plan = ChildPlan(
            child: role == .network ? .network : .signer,
            program: world.files,
            arguments: ChildArguments(
                network: Attempt.network, role: .home,
                stateDirectory: isIsolated ? "/state" : directory,
                traces: cell.hasRest && !cell.hasSeccomp
            ).rendered,
            stateDirectory: directory, account: world.account(cell),
            mapped: isIsolated && !world.machine.isRoot ? world.attackerAccount : nil,
            isIsolated: isIsolated, mountPoint: world.path + "/mount")
        let pid = try plan.start(descriptors: ends.forChild, cgroup: nil)
        ends.closeChildEnds()
        watch(pid, world, ends, patience: Self.patience(kind))
        ends.closeOwn()
    }

    private mutating func watch(_ pid: Int32, _ world: World, _ ends: Ends, patience: Int32) {
        var left = patience
        var isRunning = true
        while isRunning, left > 0 {
            var entry = pollfd(fd: ends.evidence, events: Int16(POLLIN), revents: 0)
            poll(&entry, 1, 2)
            left -= 2
            readEvidence(ends.evidence)
            if world.serve() { sawConnection = true }
            // Two bytes are a port number; no other evidence is that short.
            if evidence.count == 2, !wasReachable {
                wasReachable =
                    drill_can_connect(UInt16(evidence[0]) | UInt16(evidence[1]) << 8) == 1
            }
            isRunning = waitpid(pid, &status, WNOHANG) == 0
        }
        if isRunning {
            kill(-pid, SIGKILL)
            kill(pid, SIGKILL)
            waitpid(pid, &status, 0)
        }
        readEvidence(ends.evidence)
        if world.serve() { sawConnection = true }
    }

    private mutating func readEvidence(_ descriptor: Int32) {
        var buffer = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = recv(descriptor, &buffer, buffer.count, Int32(MSG_DONTWAIT))
            guard count > 0 else { return }
            evidence += buffer[..<count]
        }
    }
}

/// The descriptors of an attacker, by the numbers that a child of the keeper has them at.
private struct Ends {
    let evidence: Int32
    let order: Int32
    let forChild: [Int32]
    private let own: [Int32]

    init(role: Role) throws {
        let control = try Self.pair()
        let link = try Self.pair()
        let null = open("/dev/null", O_RDWR | O_CLOEXEC)
        var observer: Int32 = -1
        let input = role == .console ? drill_terminal(&observer) : null
        let listener = socket(
            AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        evidence = control.0
        order = link.0
        forChild = [input, null, null, control.1, link.1, listener]
        own = [control.0, link.0] + (observer < 0 ? [] : [observer])
    }

    func closeChildEnds() { for end in Set(forChild) where end >= 0 { close(end) } }
    func closeOwn() { for end in own { close(end) } }

    private static func pair() throws -> (Int32, Int32) {
        var ends: [Int32] = [-1, -1]
        let type = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        guard socketpair(AF_UNIX, type, 0, &ends) == 0 else { throw Errno(errno) }
        return (ends[0], ends[1])
    }
}

extension World {
    /// Whom an attacker runs as; nil to stay the caller.
    fileprivate func account(_ cell: Cell) -> Account? {
        guard machine.isRoot else { return nil }
        return cell.hasIdentity ? attackerAccount : victimAccount
    }
}
