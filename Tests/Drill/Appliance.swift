import Glibc
import KeeperCore
import LinuxIO

/// The real appliance under its real keeper, in a folder of its own that is gone with this value.
final class Appliance {
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    let folder: String
    let keeper: pid_t
    private var hasEnded = false

    /// Starts the keeper beside this program, with its children.
    ///
    /// - Parameter attacker: In whose place this program stands, if in any.
    init(_ name: String, attacker: Child? = nil) throws {
        folder = "/tmp/bulkhead-\(name)-\(getpid())"
        mkdir(folder, 0o755)
        mkdir(folder + "/state", 0o700)
        var programs = Self.programs
        if let attacker { programs = try Self.placeAttacker(folder, as: attacker) }
        keeper = try Self.startKeeper(folder, programs: programs)
    }

    deinit {
        end()
        World.run("rm", "-rf", folder)
    }

    /// Ends the keeper by SIGKILL, and with it everything.
    func end() {
        guard !hasEnded else { return }
        hasEnded = true
        kill(keeper, SIGKILL)
        waitpid(keeper, nil, 0)
    }

    /// Tries until somebody answers; the body is given the directory of the sockets.
    func connect<Channel>(_ body: (String) throws -> Channel) throws -> Channel {
        let limit = Kernel.timeSinceBoot() + Frames.Bound.patience
        while Kernel.timeSinceBoot() < limit {
            if let channel = try? body(folder + "/state/run") { return channel }
            usleep(5000)
        }
        throw Failure(description: "nobody answers at the sockets of \(folder)")
    }

    /// The directory that this program lies in.
    static var programs: String {
        var link = [CChar](repeating: 0, count: 4096)
        let count = readlink("/proc/self/exe", &link, link.count - 1)
        let own = String(
            decoding: link[..<max(0, count)].map(UInt8.init(bitPattern:)), as: UTF8.self)
        return own.split(separator: "/").dropLast().reduce("") { $0 + "/" + $1 }
    }

    /// A directory of programs in which this one has the name of a child.
    private static func placeAttacker(_ folder: String, as attacker: Child) throws -> String {
        let place = folder + "/programs"
        mkdir(place, 0o755)
        for child in Child.allCases {
            let (name, isOwn) = (child.program, child == attacker)
            let program = isOwn ? "/proc/\(getpid())/exe" : programs + "/" + name
            guard World.run("cp", program, place + "/" + name),
                chmod(place + "/" + name, 0o755) == 0
            else { throw Failure(description: "cannot copy \(program) to \(place)") }
        }
        return place
    }

    private static func startKeeper(_ folder: String, programs directory: String) throws -> pid_t {
        let program = programs + "/bulkheadd"
        let words = [
            program, "--network", "regtest", "--state-directory", folder + "/state",
            "--runtime-directory", folder + "/state/run", "--restart-delay", "20ms",
            "--restart-delay-limit", "50ms", "--signer-user", "daemon", "--network-user", "nobody",
            "--group", "nogroup", "--program-directory", directory,
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
}
