import LinuxIO
import LocalSockets
import Messages

/// Figures of the channels between processes, and of a running instance.
enum KeelBench {
    typealias Network = FrameChannel<LinkReply, LinkRequest>
    typealias Signer = FrameChannel<LinkRequest, LinkReply>
    typealias Console = FrameChannel<ConsoleReply, ConsoleRequest>

    static func run(instance: String?) throws {
        try raw()
        try link()
        try fork()
        if let instance { try running(instance + "/signer.sock") }
    }

    /// What the kernel takes for the same bytes without frames: the cost below all others.
    private static func raw() throws {
        let ends = try LocalSocket.pair().take()
        let ours = FileDescriptor(owning: ends.first)
        let theirs = FileDescriptor(owning: ends.second)
        let child = try Kernel.fork()
        if child == 0 {
            var buffer = [UInt8](repeating: 0, count: 65536)
            while case .moved(let count)? = try? buffer.withUnsafeMutableBytes({
                try Kernel.read(theirs.number, into: $0)
            }) {
                _ = buffer[..<count].withUnsafeBytes { try? Kernel.write(theirs.number, $0) }
            }
            Kernel.exit(0)
        }
        let message = [UInt8](repeating: 1, count: 76)
        var answer = message
        try measure("raw socket, 76 bytes and back", times: 2000) {
            _ = try message.withUnsafeBytes { try Kernel.write(ours.number, $0) }
            _ = try answer.withUnsafeMutableBytes { try Kernel.read(ours.number, into: $0) }
        }
        let large = [UInt8](repeating: 1, count: 16 << 20)
        var piece = [UInt8](repeating: 0, count: 65536)
        try ours.setNonblocking()
        try measure("raw socket, 16 MiB and back", times: 20) {
            var (sent, received) = (0, 0)
            while received < large.count {
                if sent < large.count {
                    let moved = try large[sent...].withUnsafeBytes {
                        try Kernel.write(ours.number, $0)
                    }
                    if case .moved(let count) = moved { sent += count }
                }
                let moved = try piece.withUnsafeMutableBytes {
                    try Kernel.read(ours.number, into: $0)
                }
                if case .moved(let count) = moved { received += count }
            }
        }
        _ = try Kernel.killAndReap(child)
    }

    /// A peer that answers every request of the link at once.
    private static func link() throws {
        let ends = try LocalSocket.pair().take()
        let ours = FileDescriptor(owning: ends.first)
        let theirs = FileDescriptor(owning: ends.second)
        let child = try Kernel.fork()
        if child == 0 {
            try? answer(on: Signer(theirs))
            Kernel.exit(0)
        }
        let channel = try Network(ours, limits: .init(waitingBytes: 32 << 20))
        _ = try channel.ask(.hello)
        try measure("link, ping and pong", times: 2000) { _ = try channel.ask(.ping(nonce: 1)) }
        for (name, size) in [
            ("link, 64 bytes and an answer", 64), ("link, 16 MiB and an answer", 16 << 20),
        ] {
            let request = LinkRequest.request(
                RequestID(high: 1, low: 1), payload: [UInt8](repeating: 1, count: size))
            try measure(name, times: size > 1000 ? 20 : 2000) { _ = try channel.ask(request) }
        }
        _ = try Kernel.killAndReap(child)
    }

    private static func answer(on channel: Signer) throws {
        while true {
            for request in try channel.wait() {
                let reply: LinkReply =
                    switch request {
                    case .hello: .welcome
                    case .ping(let nonce): .pong(nonce: nonce)
                    case .request(let id, _), .inquiry(let id), .collected(let id):
                        .answer(id, .pending)
                    case .witnessed: .pong(nonce: 0)
                    }
                try channel.send(reply, at: Kernel.timeSinceBoot())
            }
        }
    }

    private static func fork() throws {
        try measure("raw fork, exit and wait", times: 300) {
            let child = try Kernel.fork()
            if child == 0 { Kernel.exit(0) }
            while try Kernel.reap(child) == nil {}
        }
    }

    private static func running(_ path: String) throws {
        let channel = try Console(
            try LocalSocket.connect(to: path), limits: .init(waitingBytes: 32 << 20))
        // Before anything is asked of it.
        try memory(keeper: Kernel.peer(of: channel.number).pid)
        _ = try channel.ask(.hello)
        try measure("signer, ping and pong", times: 1000) { _ = try channel.ask(.ping(nonce: 1)) }
        for (name, size) in [
            ("review, 64 bytes that are none", 64), ("review, 16 MiB that are none", 16 << 20),
        ] {
            let payload = [UInt8](repeating: 1, count: size)
            try measure(name, times: size > 1000 ? 10 : 200) {
                let answer = try channel.ask(.submit(file: payload))
                guard case .entry(.failure(.unreadable)) = answer else {
                    throw ChildProgram.Failure(what: "another answer: \(answer)")
                }
            }
        }
    }

    /// What the three processes have resident: the keeper, who listens at the sockets, and its two
    /// children.
    private static func memory(keeper pid: Int32) throws {
        let keeper = ProcessFacts(pid)
        for process in [keeper] + (try keeper.children()) {
            let name = "resident memory of " + (try process.name())
            print(LibraryBench.pad(name, 44) + "\(try process.kibibytes("VmRSS")) KiB")
        }
    }
}
