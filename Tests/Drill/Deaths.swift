import Glibc
import LinuxIO
import Messages

/// The real appliance, whose processes die by SIGKILL at random moments.
///
/// The side that lives answers within 100 ms throughout, keeps its channels and its memory, and has a
/// new partner soon; when the keeper dies, nothing is left.
struct Deaths {
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    private typealias Console = Client<ConsoleReply, ConsoleRequest>
    private typealias Query = Client<QueryReply, QueryRequest>

    private let folder = "/tmp/bulkhead-deaths-\(getpid())"
    private var runtime: String { folder + "/state/run" }
    private let keeper: pid_t
    private var console: Console
    private let rounds: Int
    private var worstPing = Duration.zero
    private var worstRecovery = Duration.zero

    init(rounds: Int) throws {
        self.rounds = rounds
        mkdir(folder, 0o755)
        mkdir(folder + "/state", 0o700)
        keeper = try Self.startKeeper(folder)
        console = try Self.connect(folder) { try Console($0 + "/signer.sock", hello: .hello) }
    }

    /// Runs all rounds and prints figures.
    mutating func run() throws {
        defer { World.run("rm", "-rf", folder) }
        var query = try Self.connect(folder) { try Query($0 + "/network.sock", hello: .hello) }
        let memory = try residentKilobytes(keeper)
        for _ in 0..<rounds {
            usleep(UInt32.random(in: 0...50_000))
            if Bool.random() {
                try killNetwork()
                query = try Self.connect(folder) { try Query($0 + "/network.sock", hello: .hello) }
            } else {
                try killSigner(query)
                console = try Self.connect(folder) {
                    try Console($0 + "/signer.sock", hello: .hello)
                }
            }
        }
        let growth = try residentKilobytes(keeper) - memory
        try killKeeper()
        print(
            "deaths: \(rounds) deaths, worst ping of the other \(milliseconds(worstPing)) ms, ",
            terminator: "")
        print("slowest return \(milliseconds(worstRecovery)) ms, keeper grew by \(growth) KiB")
        guard worstPing < .milliseconds(100) else {
            throw Failure(description: "a ping took too long")
        }
        guard growth < 4096 else { throw Failure(description: "the keeper's memory grows") }
    }

    // MARK: One death

    private mutating func killNetwork() throws {
        let before = try signerStatus().facts
        kill(pid_t(before.networkPID), SIGKILL)
        let start = Kernel.timeSinceBoot()
        repeat {
            worstPing = max(worstPing, try console.ask(.ping(nonce: 1)).1)
            let status = try signerStatus()
            if status.facts.networkPID != before.networkPID, status.linkIsUp { break }
            guard Kernel.timeSinceBoot() - start < .seconds(10) else {
                throw Failure(description: "the network process does not come back")
            }
            usleep(2000)
        } while true
        worstRecovery = max(worstRecovery, Kernel.timeSinceBoot() - start)
        guard try signerStatus().facts.signerPID == before.signerPID else {
            throw Failure(description: "the signer died of the network process's death")
        }
    }

    private mutating func killSigner(_ query: Query) throws {
        let before = try networkStatus(query).facts
        kill(pid_t(before.signerPID), SIGKILL)
        let start = Kernel.timeSinceBoot()
        repeat {
            worstPing = max(worstPing, try query.ask(.ping(nonce: 1)).1)
            let status = try networkStatus(query)
            if status.facts.signerPID != before.signerPID, status.linkIsUp { break }
            guard Kernel.timeSinceBoot() - start < .seconds(10) else {
                throw Failure(description: "the signer does not come back")
            }
            usleep(2000)
        } while true
        worstRecovery = max(worstRecovery, Kernel.timeSinceBoot() - start)
    }

    private func killKeeper() throws {
        let facts = try signerStatus().facts
        kill(keeper, SIGKILL)
        waitpid(keeper, nil, 0)
        for _ in 0..<500 {
            let left = [facts.signerPID, facts.networkPID].filter { World.isAlive(pid_t($0)) }
            if left.isEmpty { return }
            usleep(2000)
        }
        throw Failure(description: "processes outlive their keeper")
    }

    // MARK: Questions

    private func signerStatus() throws -> SignerStatus {
        guard case .status(let status) = try console.ask(.status).0 else {
            throw Failure(description: "the signer does not say how it is")
        }
        return status
    }

    private func networkStatus(_ query: Query) throws -> NetworkStatus {
        guard case .status(let status) = try query.ask(.status).0 else {
            throw Failure(description: "the network process does not say how it is")
        }
        return status
    }

    private func residentKilobytes(_ pid: pid_t) throws -> Int {
        guard let file = fopen("/proc/\(pid)/statm", "r") else { throw Errno(errno) }
        defer { fclose(file) }
        var text = [CChar](repeating: 0, count: 128)
        fgets(&text, 128, file)
        let words = String(cString: text).split(separator: " ")
        return words.count > 1 ? (Int(words[1]) ?? 0) * Int(getpagesize()) / 1024 : 0
    }

    private func milliseconds(_ time: Duration) -> Int64 {
        time.components.seconds * 1000 + time.components.attoseconds / 1_000_000_000_000_000
    }

    // MARK: Starting

    private static func startKeeper(_ folder: String) throws -> pid_t {
        var link = [CChar](repeating: 0, count: 4096)
        let count = readlink("/proc/self/exe", &link, link.count - 1)
        let own = String(
            decoding: link[..<max(0, count)].map(UInt8.init(bitPattern:)), as: UTF8.self)
        let program =
            own.split(separator: "/").dropLast().reduce("") { $0 + "/" + $1 } + "/bulkheadd"
        let words = [
            program, "--network", "regtest", "--state-directory", folder + "/state",
            "--runtime-directory", folder + "/state/run", "--restart-delay", "20ms",
            "--restart-delay-limit", "50ms", "--signer-user", "daemon", "--network-user", "nobody",
            "--group", "nogroup",
        ]
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        for number: Int32 in 0...2 {
            posix_spawn_file_actions_addopen(&actions, number, "/dev/null", O_RDWR, 0)
        }
        let argv = words.map { strdup($0) } + [nil]
        defer { for word in argv { free(word) } }
        var pid: pid_t = 0
        let error = posix_spawn(&pid, program, &actions, nil, argv, environ)
        guard error == 0 else {
            throw Failure(description: "cannot start \(program): \(Errno(error))")
        }
        return pid
    }

    private static func connect<Channel>(
        _ folder: String, _ body: (String) throws -> Channel
    ) throws -> Channel {
        for _ in 0..<2000 {
            if let channel = try? body(folder + "/state/run") { return channel }
            usleep(5000)
        }
        throw Failure(description: "nobody answers at the sockets of \(folder)")
    }
}
