import Glibc
import LinuxIO
import LocalSockets
import Messages

/// The program `bulkhead-network` beside this one, started as the keeper does it but in no namespaces.
final class NetworkChild {
    struct Failure: Error { let what: String }

    let pid: Int32
    private let control: FrameChannel<ControlReport, ControlOrder>
    private let query: FrameChannel<QueryReply, QueryRequest>
    /// From the start of the program until it was confined and ready to be asked.
    let ready: Duration

    /// Starts it with its state in `directory/state`.
    init(in directory: String) throws {
        let start = Kernel.timeSinceBoot()
        let socket = directory + "/sock"
        unlink(socket)
        let listener = try LocalSocket.listen(at: socket)
        let ends = try LocalSocket.pair().take()
        let ours = FileDescriptor(owning: ends.first)
        let theirs = FileDescriptor(owning: ends.second)
        // Nobody is at its other end, as in the role watch.
        let link = try LocalSocket.pair()
        pid = try NetworkChild.spawn(
            ["--network", "regtest", "--role", "watch", "--state", directory + "/state"],
            [theirs.number, link.second.number, listener.number])
        control = try FrameChannel(ours)
        _ = try NetworkChild.next(control)
        ready = Kernel.timeSinceBoot() - start
        let hello = ControlHello(
            role: .network, chain: .regtest, hasOneUser: true, networkUID: 0,
            signerDirectory: "/nowhere/signer", signerSocket: "/nowhere/signer.sock")
        try control.send(.hello(hello), at: Kernel.timeSinceBoot())
        query = try FrameChannel(LocalSocket.connect(to: socket))
        _ = try ask(.hello)
    }

    func ask(_ request: QueryRequest) throws -> QueryReply {
        try query.send(request, at: Kernel.timeSinceBoot())
        return try NetworkChild.next(query)
    }

    func stop() throws {
        try control.send(.stop, at: Kernel.timeSinceBoot())
        while try Kernel.reap(pid) == nil { usleep(1000) }
    }

    /// Until every block is searched to this height; throws where a minute brings nothing new.
    func waitUntilCurrent(at height: Int) throws {
        var last: ChainProgress?
        var changed = Kernel.timeSinceBoot()
        while true {
            guard case .chain(.progress(let now)) = try ask(.chain(.progress)) else {
                throw Failure(what: "no progress")
            }
            guard now.phase != .storeUnusable else { throw Failure(what: now.remark) }
            if now.phase == .current, now.height == height, now.scannedHeight == height { return }
            if now.height != last?.height || now.scannedHeight != last?.scannedHeight {
                (last, changed) = (now, Kernel.timeSinceBoot())
            }
            guard Kernel.timeSinceBoot() < changed + .seconds(60) else {
                throw Failure(what: "searched to \(now.scannedHeight), and no further in a minute")
            }
            usleep(10_000)
        }
    }

    private static func next<Incoming, Outgoing>(
        _ channel: FrameChannel<Incoming, Outgoing>
    ) throws -> Incoming {
        var buffer = ReadBuffer()
        var set = PollSet()
        while true {
            set.removeAll()
            let place = set.add(channel.number, channel.interest())
            try set.wait(until: Kernel.timeSinceBoot() + .seconds(60))
            if set.canWrite(at: place) { try channel.flush(at: Kernel.timeSinceBoot()) }
            guard set.canRead(at: place) else { continue }
            let receipt = channel.receive(at: Kernel.timeSinceBoot(), through: &buffer)
            if let message = receipt.messages.first { return message }
            if let end = receipt.end { throw end }
        }
    }

    private static func spawn(_ arguments: [String], _ descriptors: [Int32]) throws -> Int32 {
        var path = [CChar](repeating: 0, count: 4096)
        let length = readlink("/proc/self/exe", &path, path.count)
        let own = String(
            decoding: path.prefix(max(0, length)).map { UInt8(bitPattern: $0) }, as: UTF8.self)
        let directory = own.split(separator: "/").dropLast().joined(separator: "/")
        let program = "/\(directory)/bulkhead-network"
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
