import LinuxIO
import LocalSockets
import Messages

/// A person's end of a channel, for the drill.
final class Client<Reply: MessageSet, Request: MessageSet> {
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    private let channel: FrameChannel<Reply, Request>
    private var buffer = ReadBuffer()

    init(_ path: String, hello: Request) throws {
        channel = try FrameChannel(LocalSocket.connect(to: path))
        _ = try ask(hello)
    }

    /// Sends a request and waits for its reply; the reply and how long it took.
    func ask(
        _ request: Request, passing descriptor: consuming FileDescriptor? = nil,
        within time: Duration = .seconds(60)
    ) throws -> (Reply, Duration) {
        let start = Kernel.timeSinceBoot()
        try channel.send(request, passing: descriptor, at: start)
        var set = PollSet()
        while Kernel.timeSinceBoot() - start < time {
            set.removeAll()
            let place = set.add(channel.number, channel.interest())
            try set.wait(until: start + time)
            let now = Kernel.timeSinceBoot()
            if set.canWrite(at: place) { try channel.flush(at: now) }
            guard set.canRead(at: place) else { continue }
            let receipt = channel.receive(at: now, through: &buffer)
            if let reply = receipt.messages.first { return (reply, now - start) }
            if let end = receipt.end { throw Failure(description: "\(end)") }
        }
        throw Failure(description: "no reply within \(time)")
    }
}
