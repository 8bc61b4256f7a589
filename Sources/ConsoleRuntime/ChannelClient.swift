import Configuration
import LinuxIO
import LocalSockets
import Messages

/// Why a question got no answer.
enum ClientFailure: Error {
    /// There is no such socket, or it may not be opened.
    case unreachable(path: String, Errno)
    /// The channel ended before the answer.
    case ended(ChannelEnd)
    /// No answer in time.
    case late(Duration)
    /// An answer to another question.
    case unexpected
    /// The process could not confine itself.
    case confinement(String)

    /// What to leave the command with.
    var exitCode: ExitCode {
        switch self {
        case .unreachable: .unreachable
        case .ended, .late, .unexpected: .channel
        case .confinement: .confinement
        }
    }

    /// One sentence, with what to do where that is known.
    var sentence: String {
        switch self {
        case .unreachable(let path, .accessDenied):
            "\(path) may not be opened by you: join the group that owns it, then log in again"
        case .unreachable(let path, let error) where error == .noSuchFile:
            "\(path) does not exist: the appliance does not run, or uses another --runtime-directory"
        case .unreachable(let path, let error) where error == .connectionRefused:
            "nobody listens at \(path): the appliance does not run"
        case .unreachable(let path, let error): "\(path): \(error)"
        case .ended(let end): "\(end)"
        case .late(let time): "no answer within \(time.components.seconds) seconds"
        case .unexpected: "it answered something else than was asked"
        case .confinement(let reason): "this command could not confine itself: \(reason)"
        }
    }
}

/// One side of a conversation in which each question has one answer.
struct ChannelClient<Request: MessageSet, Reply: MessageSet>: ~Copyable {
    private let channel: FrameChannel<Reply, Request>
    private var buffer = ReadBuffer()
    private var waiting: [Reply] = []

    /// Connects to the socket at `path`.
    init(connectingTo path: String) throws(ClientFailure) {
        self.init(channel: try Self.connect(to: path))
    }

    private init(channel: FrameChannel<Reply, Request>) { self.channel = channel }

    private static func connect(
        to path: String
    ) throws(ClientFailure) -> FrameChannel<Reply, Request> {
        do throws(Errno) {
            return try FrameChannel(LocalSocket.connect(to: path))
        } catch {
            throw .unreachable(path: path, error)
        }
    }

    /// The socket's number.
    var number: Int32 { channel.number }

    /// Sends a question and waits for its answer.
    mutating func ask(
        _ request: Request, within limit: Duration = .seconds(5)
    ) throws(ClientFailure) -> Reply {
        try send(request)
        let deadline = Kernel.timeSinceBoot() + limit
        while true {
            if let reply = try received() { return reply }
            try wait(until: deadline, limit)
        }
    }

    /// Sends a message, with the descriptor that belongs to it if its row says so.
    func send(
        _ request: Request, passing descriptor: consuming FileDescriptor? = nil
    ) throws(ClientFailure) {
        do throws(ChannelEnd) {
            try channel.send(request, passing: consume descriptor, at: Kernel.timeSinceBoot())
        } catch {
            throw .ended(error)
        }
    }

    /// The next message that has arrived, if there is one.
    mutating func received() throws(ClientFailure) -> Reply? {
        if waiting.isEmpty {
            var receipt = channel.receive(at: Kernel.timeSinceBoot(), through: &buffer)
            waiting = receipt.messages
            if waiting.isEmpty, let end = receipt.end.take() { throw .ended(end) }
        }
        return waiting.isEmpty ? nil : waiting.removeFirst()
    }

    /// What to wait for at the socket.
    var interest: PollSet.Interest { channel.interest() }

    /// Writes what waits for room.
    func flush() throws(ClientFailure) {
        guard channel.wantsToWrite else { return }
        do throws(ChannelEnd) {
            try channel.flush(at: Kernel.timeSinceBoot())
        } catch {
            throw .ended(error)
        }
    }

    private func wait(until deadline: Duration, _ limit: Duration) throws(ClientFailure) {
        var set = PollSet()
        let place = set.add(channel.number, interest)
        do throws(Errno) {
            try set.wait(until: deadline)
        } catch {
            throw .ended(.failed(error))
        }
        if set.canWrite(at: place) { try flush() }
        guard Kernel.timeSinceBoot() < deadline else { throw .late(limit) }
    }
}

typealias SignerClient = ChannelClient<ConsoleRequest, ConsoleReply>
typealias NetworkClient = ChannelClient<QueryRequest, QueryReply>
