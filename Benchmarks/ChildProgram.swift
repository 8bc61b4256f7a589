import Glibc
import LinuxIO
import LocalSockets
import Messages
import TestSupport

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
        pid = try ProgramBeside.start(
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
