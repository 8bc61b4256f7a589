import Glibc
import LinuxIO
import LocalSockets
import Messages

/// One of the programs beside this one, started as the keeper does it but in no namespaces.
final class ChildProgram {
    struct Failure: Error { let what: String }

    let pid: Int32
    /// Where it listens.
    let socket: String
    /// From the start of the program until it was confined and ready to be asked.
    let ready: Duration
    private let control: FrameChannel<ControlReport, ControlOrder>
    /// The other end of its link, where nobody is.
    private let linkEnd: Int32

    /// Starts it with its state in `directory/state`.
    init(
        _ program: String, as role: ChildRole, _ instance: InstanceRole, on chain: ChainName,
        in directory: String
    ) throws {
        let start = Kernel.timeSinceBoot()
        socket = directory + "/sock"
        unlink(socket)
        let listener = try LocalSocket.listen(at: socket)
        let ends = try LocalSocket.pair().take()
        let ours = FileDescriptor(owning: ends.first)
        let theirs = FileDescriptor(owning: ends.second)
        let link = try LocalSocket.pair().take()
        linkEnd = link.first
        let linked = FileDescriptor(owning: link.second)
        pid = try ChildProgram.spawn(
            program,
            ["--network", "\(chain)", "--role", "\(instance)", "--state", directory + "/state"],
            [theirs.number, linked.number, listener.number])
        control = try FrameChannel(ours)
        _ = try control.wait()
        ready = Kernel.timeSinceBoot() - start
        let hello = ControlHello(
            role: role, chain: chain, hasOneUser: true, networkUID: 0,
            signerDirectory: "/nowhere/signer", signerSocket: "/nowhere/signer.sock")
        try control.send(.hello(hello), at: Kernel.timeSinceBoot())
    }

    deinit { close(linkEnd) }

    func stop() throws {
        try control.send(.stop, at: Kernel.timeSinceBoot())
        while try Kernel.reap(pid) == nil { usleep(1000) }
    }

    private static func spawn(
        _ name: String, _ arguments: [String], _ descriptors: [Int32]
    ) throws -> Int32 {
        var path = [CChar](repeating: 0, count: 4096)
        let length = readlink("/proc/self/exe", &path, path.count)
        let own = String(
            decoding: path.prefix(max(0, length)).map { UInt8(bitPattern: $0) }, as: UTF8.self)
        let directory = own.split(separator: "/").dropLast().joined(separator: "/")
        let program = "/\(directory)/\(name)"
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        for number: Int32 in 0...1 {
            posix_spawn_file_actions_addopen(&actions, number, "/dev/null", O_RDWR, 0)
        }
        // Out of the way first, or one could overwrite another.
        let high = descriptors.map { fcntl($0, F_DUPFD_CLOEXEC, 100) }
        defer { for number in high { close(number) } }
        for (index, number) in high.enumerated() {
            posix_spawn_file_actions_adddup2(&actions, number, Int32(3 + index))
        }
        var words: [UnsafeMutablePointer<CChar>?] = ([program] + arguments).map { strdup($0) }
        words.append(nil)
        var environment: [UnsafeMutablePointer<CChar>?] = [
            strdup("SWIFT_BACKTRACE=enable=no"), nil,
        ]
        defer { for word in words + environment { free(word) } }
        var pid: pid_t = 0
        let error = posix_spawn(&pid, program, &actions, nil, &words, &environment)
        guard error == 0 else {
            throw Failure(what: "\(program): build it with swift build -c release first")
        }
        return pid
    }
}

extension FrameChannel {
    /// Waits a minute at most for messages.
    func wait() throws -> [Incoming] {
        var buffer = ReadBuffer()
        var set = PollSet()
        while true {
            set.removeAll()
            let place = set.add(number, interest())
            try set.wait(until: Kernel.timeSinceBoot() + .seconds(60))
            let now = Kernel.timeSinceBoot()
            if set.canWrite(at: place) { try flush(at: now) }
            guard set.canRead(at: place) else {
                if set.isReady(at: place) { continue }
                throw ChildProgram.Failure(what: "no answer in a minute")
            }
            let receipt = receive(at: now, through: &buffer)
            if !receipt.messages.isEmpty { return receipt.messages }
            if let end = receipt.end { throw end }
        }
    }

    /// Sends one message and waits for the one that comes back.
    func ask(
        _ message: Outgoing, passing descriptor: consuming FileDescriptor? = nil
    ) throws -> Incoming {
        try send(message, passing: descriptor, at: Kernel.timeSinceBoot())
        guard let answer = try wait().first else { throw ChildProgram.Failure(what: "no answer") }
        return answer
    }
}
