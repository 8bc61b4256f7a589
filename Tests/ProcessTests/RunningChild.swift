import Foundation
import Glibc
import LinuxIO
import LocalSockets
import Messages
import TestSupport
import Testing

/// A folder that is gone with the last one who holds it.
final class ChildFolder {
    let path = FileManager.default.temporaryDirectory.path + "/bulkhead-\(UUID().uuidString)"

    deinit { try? FileManager.default.removeItem(atPath: path) }
}

/// One of the real programs, started as the keeper does it but in no namespaces, with the test at
/// the other end of its channels.
final class RunningChild {
    typealias Control = FrameChannel<ControlReport, ControlOrder>

    let pid: Int32
    let control: Control
    let socket: String
    /// The test's end of the link, until someone takes it.
    private var linkEnd: FileDescriptor?
    var folder: String { home.path }
    /// Where its state and its socket are; a child that takes over what this one left is given it.
    let home: ChildFolder
    private var isReaped = false
    private var inbox: [ControlReport] = []

    /// Starts `program` on what is in `home`, or on nothing. It reads its state right away, so
    /// nothing may be put there afterwards. `link` is its end of a link to something else than the
    /// test, `files` are opened from descriptor 6 on.
    init(
        _ program: String, _ arguments: [String] = ["--network", "regtest", "--role", "home"],
        link: consuming FileDescriptor? = nil, in home: ChildFolder = ChildFolder(),
        credential: String? = nil, memory: String? = nil, files: [String] = [],
        network: PrivateNetwork? = nil
    ) throws {
        Kernel.ignoreBrokenPipes()
        self.home = home
        socket = home.path + "/sock"
        try FileManager.default.createDirectory(
            atPath: home.path + "/state", withIntermediateDirectories: true)
        let controlPair = try LocalSocket.pair()
        // The one of a process that has ended.
        unlink(socket)
        let listener = try LocalSocket.listen(at: socket)
        let given: FileDescriptor
        if let link {
            given = link
        } else {
            let pair = try LocalSocket.pair()
            let ours = pair.first
            linkEnd = consume ours
            given = pair.second
        }
        // The numbers are fixed, so something stands where there is no credential.
        let passed = memory == nil ? [credential] : [credential ?? "/dev/null", memory]
        let own = (passed + files).compactMap { $0.map { open($0, O_RDONLY | O_CLOEXEC) } }
        pid = try Spawner.spawn(
            program,
            arguments + ["--state", home.path + "/state"]
                + (credential == nil ? [] : ["--credential"])
                + (memory == nil ? [] : ["--memory"]),
            [controlPair.second.number, given.number, listener.number] + own, in: network)
        for number in own { close(number) }
        control = try Control(controlPair.first)
    }

    deinit {
        if !isReaped { _ = try? Kernel.killAndReap(pid) }
    }

    func takeLink() throws -> FileDescriptor {
        guard let end = linkEnd.take() else { throw Missing(what: "the link's end") }
        return end
    }

    /// Waits until it is ready, and gives it its orders.
    @discardableResult
    func begin(
        as role: ChildRole, chain: ChainName = .regtest, hasOneUser: Bool = true,
        networkUID: UInt32 = 0
    ) throws -> ControlReady {
        guard case .ready(let ready) = try nextReport() else { throw Missing(what: "ready") }
        let hello = ControlHello(
            role: role, chain: chain, hasOneUser: hasOneUser, networkUID: networkUID,
            signerDirectory: "/nowhere/signer", signerSocket: "/nowhere/signer.sock")
        try control.send(.hello(hello), at: Kernel.timeSinceBoot())
        return ready
    }

    func nextReport() throws -> ControlReport {
        if inbox.isEmpty { inbox = try control.wait() }
        return inbox.removeFirst()
    }

    /// The next report that is not a line for the log.
    func nextNews() throws -> ControlReport {
        while true {
            let report = try nextReport()
            if case .log = report { continue }
            return report
        }
    }

    func order(
        _ order: ControlOrder, passing descriptor: consuming FileDescriptor? = nil
    ) throws {
        try control.send(order, passing: descriptor, at: Kernel.timeSinceBoot())
    }

    /// How it ended, which must be soon.
    func ending() throws -> Kernel.Ending {
        let deadline = Kernel.timeSinceBoot() + .seconds(60)
        while Kernel.timeSinceBoot() < deadline {
            if let ending = try Kernel.reap(pid) {
                isReaped = true
                return ending
            }
            usleep(2000)
        }
        throw Missing(what: "the end of the process")
    }

    /// A new connection at its socket, greeted.
    func console() throws -> FrameChannel<ConsoleReply, ConsoleRequest> {
        let channel = try FrameChannel<ConsoleReply, ConsoleRequest>(
            LocalSocket.connect(to: socket))
        #expect(try channel.ask(.hello) == .welcome(.regtest))
        return channel
    }

    /// A new connection at its socket, greeted.
    func query(
        on chain: ChainName = .regtest
    ) throws -> FrameChannel<QueryReply, QueryRequest> {
        let channel = try FrameChannel<QueryReply, QueryRequest>(LocalSocket.connect(to: socket))
        #expect(try channel.ask(.hello) == .welcome(chain))
        return channel
    }

    /// A line of `/proc/PID/status`.
    static func status(_ pid: Int32, _ name: String) throws -> String {
        let text = try ProcessFile.text(of: pid, "status")
        let line = try #require(text.split(separator: "\n").first { $0.hasPrefix(name + ":") })
        return line.dropFirst(name.count + 1).trimmingCharacters(in: .whitespaces)
    }

    /// The processes that it has started.
    func children() throws -> [Int32] {
        try ProcessFile.text(of: pid, "task/\(pid)/children").split(separator: " ")
            .compactMap { Int32($0) }
    }
}

/// Something that did not come.
struct Missing: Error { let what: String }

extension FrameChannel {
    /// Waits for messages; fails after a while and at the end of the channel.
    func wait(_ time: Duration = .seconds(60)) throws -> [Incoming] {
        let (messages, end) = try waitForEnd(time)
        if messages.isEmpty, let end { throw end }
        return messages
    }

    /// Waits for messages or the end of the channel.
    func waitForEnd(_ time: Duration = .seconds(60)) throws -> ([Incoming], ChannelEnd?) {
        let deadline = Kernel.timeSinceBoot() + time
        var buffer = ReadBuffer()
        var set = PollSet()
        while Kernel.timeSinceBoot() < deadline {
            set.removeAll()
            let place = set.add(number, interest())
            try set.wait(until: deadline)
            let now = Kernel.timeSinceBoot()
            if set.canWrite(at: place) { try flush(at: now) }
            guard set.canRead(at: place) else { continue }
            let receipt = receive(at: now, through: &buffer)
            if !receipt.messages.isEmpty || receipt.end != nil {
                return (receipt.messages, receipt.end)
            }
        }
        throw Missing(what: "a message")
    }

    /// Writes all that waits.
    func flushAll() throws {
        var set = PollSet()
        while wantsToWrite {
            set.removeAll()
            set.add(number, .writing)
            try set.wait(until: Kernel.timeSinceBoot() + .seconds(60))
            try flush(at: Kernel.timeSinceBoot())
        }
    }

    /// Waits for a message of which `pick` makes something; others are dropped.
    @discardableResult
    func waitFor<Value>(_ pick: (Incoming) -> Value?) throws -> Value {
        while true {
            for message in try wait() {
                if let value = pick(message) { return value }
            }
        }
    }

    /// Sends one message and returns the one that comes back.
    func ask(_ message: Outgoing, passing descriptor: consuming FileDescriptor? = nil) throws
        -> Incoming
    {
        try send(message, passing: descriptor, at: Kernel.timeSinceBoot())
        return try wait()[0]
    }
}

/// A pipe with a password in it, its writing end closed.
func passwordPipe(_ password: String) throws -> FileDescriptor {
    let pipe = try LinuxIO.Pipe()
    let writing = pipe.writing
    if !password.isEmpty {
        _ = try Array(password.utf8).withUnsafeBytes { try Kernel.write(writing.number, $0) }
    }
    return pipe.reading
}

/// Starts programs from one thread that lives as long as the tests do, or as a network of a test: a
/// child's parent-death signal comes when the thread that started it ends.
enum Spawner {
    private static let thread = WorkThread()

    /// Starts a program with these descriptors from 3 on.
    static func spawn(
        _ program: String, _ arguments: [String], _ descriptors: [Int32],
        in network: PrivateNetwork? = nil
    ) throws -> Int32 {
        try (network?.thread ?? thread).run {
            try ProgramBeside.start(program, arguments, descriptors)
        }
    }
}
