import Glibc
import LinuxIO
import LocalSockets
import Messages
import Testing

/// Both ends of a link, a console and a control channel in one process.
@Suite("Framed channels")
struct FrameChannelTests {
    typealias Network = FrameChannel<LinkReply, LinkRequest>
    typealias SignerLink = FrameChannel<LinkRequest, LinkReply>
    typealias Command = FrameChannel<ConsoleReply, ConsoleRequest>
    typealias SignerConsole = FrameChannel<ConsoleRequest, ConsoleReply>

    private let now = Duration.seconds(100)

    init() { Kernel.ignoreBrokenPipes() }

    private func link() throws -> (Network, SignerLink) {
        let pair = try LocalSocket.pair()
        return (try Network(pair.first), try SignerLink(pair.second))
    }

    private func console() throws -> (Command, SignerConsole) {
        let pair = try LocalSocket.pair()
        return (try Command(pair.first), try SignerConsole(pair.second))
    }

    /// Reads until nothing more comes; the messages and why it ended, if it did.
    private func drain<In: MessageSet, Out: MessageSet>(
        _ channel: FrameChannel<In, Out>
    ) -> ([In], ChannelEnd?) {
        var buffer = ReadBuffer()
        var messages: [In] = []
        var idle = 0
        while idle < 3 {
            let receipt = channel.receive(at: now, through: &buffer)
            messages += receipt.messages
            if let end = receipt.end { return (messages, end) }
            idle = receipt.messages.isEmpty ? idle + 1 : 0
        }
        return (messages, nil)
    }

    private func write(_ bytes: [UInt8], to number: Int32) throws {
        _ = try bytes.withUnsafeBytes { try Kernel.write(number, $0) }
    }

    @Test("Messages pass both ways, and the end of the channel is seen")
    func bothWays() throws {
        var (network, signer): (Network?, SignerLink) = try link()
        try network?.send(.hello, at: now)
        try network?.send(.ping(nonce: 3), at: now)
        #expect(drain(signer).0 == [.hello, .ping(nonce: 3)])
        try signer.send(.welcome, at: now)
        #expect(network.map { drain($0).0 } == [.welcome])
        network = nil
        #expect(drain(signer).1 == .closed)
    }

    @Test("A frame of 16 MiB passes in pieces as both sides become ready")
    func large() throws {
        let (network, signer) = try link()
        let id = RequestID(high: 1, low: 2)
        var payload = [UInt8](repeating: 7, count: 16 << 20)
        for place in stride(from: 0, to: payload.count, by: 65_521) {
            payload[place] = UInt8(place & 63)
        }
        try network.send(.hello, at: now)
        try network.send(.request(id, payload: payload), at: now)
        #expect(network.wantsToWrite)
        var buffer = ReadBuffer()
        var messages: [LinkRequest] = []
        for _ in 0..<100_000 where messages.count < 2 {
            try network.flush(at: now)
            let receipt = signer.receive(at: now, through: &buffer)
            #expect(receipt.end == nil)
            messages += receipt.messages
        }
        #expect(messages == [.hello, .request(id, payload: payload)])
        #expect(!network.wantsToWrite)
    }

    @Test("A frame that is started and not finished has a deadline, and a finished one has none")
    func slowFrame() throws {
        let pair = try LocalSocket.pair()
        let signer = try SignerLink(pair.second, limits: .init(patience: .seconds(5)))
        let hello = LinkRequest.hello.frame
        let bytes: [UInt8] = [0, 0, 0, 32, 2, 1, 0, 0, 0, 0, 0, 0] + hello.body
        #expect(signer.deadline == nil)
        try write([bytes[0]], to: pair.first.number)
        #expect(drain(signer).0 == [])
        #expect(signer.deadline == .seconds(105))
        #expect(signer.overdue(at: .milliseconds(104_999)) == nil)
        // One more byte does not buy more time.
        try write([bytes[1]], to: pair.first.number)
        var buffer = ReadBuffer()
        _ = signer.receive(at: .seconds(104), through: &buffer)
        #expect(signer.overdue(at: .seconds(105)) == .violation(.tooSlow))
        try write(Array(bytes[2...]), to: pair.first.number)
        #expect(drain(signer).0 == [.hello])
        #expect(signer.deadline == nil)
        #expect(signer.overdue(at: .seconds(1000)) == nil)
    }

    @Test("A stranger who says nothing, or not all of the first frame, loses the place")
    func silentStranger() throws {
        let pair = try LocalSocket.pair()
        let signer = try SignerLink(
            pair.second, limits: .init(patience: .seconds(5)), opened: now)
        #expect(signer.deadline == now + .seconds(5))
        let hello = LinkRequest.hello.frame
        let bytes: [UInt8] = [0, 0, 0, 32, 2, 1, 0, 0, 0, 0, 0, 0] + hello.body
        try write([bytes[0]], to: pair.first.number)
        #expect(drain(signer).0 == [])
        #expect(signer.overdue(at: now + .milliseconds(4_999)) == nil)
        #expect(signer.overdue(at: now + .seconds(5)) == .violation(.tooSlow))
        try write(Array(bytes[1...]), to: pair.first.number)
        #expect(drain(signer).0 == [.hello])
        #expect(signer.deadline == nil)
    }

    @Test("A peer that does not read is given up when too much waits, or after a while")
    func notReading() throws {
        let pair = try LocalSocket.pair()
        let signer = try SignerLink(
            pair.second, limits: .init(patience: .seconds(5), waitingBytes: 4096))
        try signer.send(.welcome, at: now)
        #expect(throws: ChannelEnd.violation(.notReading)) {
            for nonce in UInt64(0)..<1_000_000 { try signer.send(.pong(nonce: nonce), at: now) }
        }
        #expect(signer.overdue(at: now + .seconds(4)) == nil)
        #expect(signer.overdue(at: now + .seconds(5)) == .violation(.notReading))
    }

    @Test("A pipe with secrets arrives with its message and only with it")
    func passwordPipe() throws {
        let (command, signer) = try console()
        let pipe = try Pipe()
        let writing = pipe.writing
        try command.send(.hello, at: now)
        try command.send(.ping(nonce: 1), at: now)
        try command.send(.secretInput, passing: pipe.reading, at: now)
        try command.send(.status, at: now)
        var buffer = ReadBuffer()
        var messages: [ConsoleRequest] = []
        var passed: FileDescriptor?
        for _ in 0..<10 where messages.count < 4 {
            var receipt = signer.receive(at: now, through: &buffer)
            #expect(receipt.end == nil)
            messages += receipt.messages
            if let descriptor = receipt.descriptor.take() { passed = consume descriptor }
        }
        #expect(messages == [.hello, .ping(nonce: 1), .secretInput, .status])
        try write([42], to: writing.number)
        let reading = passed?.number ?? -1
        var byte: [UInt8] = [0]
        let moved = try byte.withUnsafeMutableBytes { try Kernel.read(reading, into: $0) }
        #expect(moved == .moved(1))
        #expect(byte == [42])
    }

    @Test("A pipe comes through before a large payload, and once")
    func largeWithPipe() throws {
        let (command, signer) = try console()
        let pipe = try Pipe()
        try command.send(.hello, at: now)
        let payload = [UInt8](repeating: 7, count: 2 << 20)
        try command.send(.secretInput, passing: pipe.reading, at: now)
        try command.send(.submit(file: payload), at: now)
        var buffer = ReadBuffer()
        var messages: [ConsoleRequest] = []
        var descriptors = 0
        for _ in 0..<10_000 where messages.count < 3 {
            try command.flush(at: now)
            let receipt = signer.receive(at: now, through: &buffer)
            #expect(receipt.end == nil)
            messages += receipt.messages
            if receipt.descriptor != nil { descriptors += 1 }
        }
        #expect(messages == [.hello, .secretInput, .submit(file: payload)])
        #expect(descriptors == 1)
    }

    @Test(
        "A descriptor that nobody asked for, a missing one and one that is no pipe end the channel")
    func wrongDescriptors() throws {
        let hello: [UInt8] = frame(0x0301, 0, ConsoleRequest.hello.frame.body)
        let work: [UInt8] = frame(0x030D, 1, [])
        let ping: [UInt8] = frame(0x0303, 1, ConsoleRequest.ping(nonce: 1).frame.body)
        #expect(try end(hello, ping, passing: .pipe) == .violation(.uninvitedDescriptor))
        #expect(
            try end(hello, work, passing: .none)
                == .violation(.wrongDescriptor(.consoleSecretInput)))
        #expect(
            try end(hello, work, passing: .socket)
                == .violation(.wrongDescriptor(.consoleSecretInput)))
        #expect(try end(hello, work, passing: .pipe) == nil)
        #expect(try end(hello, [], passing: .pipe) == .violation(.uninvitedDescriptor))
    }

    @Test("A descriptor of the wrong direction, or of none, ends the channel")
    func wrongDirections() throws {
        let path = "/tmp/bulkhead-direction-\(getpid())"
        close(open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600))
        defer { unlink(path) }
        // O_PATH, which the library shows to GNU programs alone.
        let opensNothing: Int32 = 0o10_000_000
        let cases: [(Int32, fitsOutput: Bool, fitsInput: Bool)] = [
            (O_RDONLY, false, true), (O_WRONLY, true, false), (O_RDWR, true, true),
            (opensNothing, false, false),
        ]
        for (flags, fitsOutput, fitsInput) in cases {
            let file = FileDescriptor(owning: open(path, flags | O_CLOEXEC))
            for (request, kind, fits) in [
                (ConsoleRequest.output, MessageKind.consoleOutput, fitsOutput),
                (.input, .consoleInput, fitsInput),
            ] {
                let end = try handingOver(file.number, with: request)
                #expect(end == (fits ? nil : .violation(.wrongDescriptor(kind))), "\(flags)")
            }
        }
        let pipe = try Pipe()
        #expect(try handingOver(pipe.reading.number, with: .secretInput) == nil)
        #expect(
            try handingOver(pipe.writing.number, with: .secretInput)
                == .violation(.wrongDescriptor(.consoleSecretInput)))
        #expect(try handingOver(pipe.writing.number, with: .output) == nil)
        #expect(
            try handingOver(pipe.reading.number, with: .output)
                == .violation(.wrongDescriptor(.consoleOutput)))
    }

    /// How a console channel takes a descriptor with a request.
    private func handingOver(_ number: Int32, with request: ConsoleRequest) throws -> ChannelEnd? {
        let pair = try LocalSocket.pair()
        let socket = pair.first
        let signer = try SignerConsole(pair.second)
        let hello = frame(0x0301, 0, ConsoleRequest.hello.frame.body)
        try write(hello, to: socket.number)
        let handing = frame(request.frame.kind.rawValue, 1, request.frame.body)
        _ = try handing.withUnsafeBytes {
            try Kernel.send(socket.number, $0, passing: number)
        }
        return drain(signer).1
    }

    private enum Passed { case none, pipe, socket }

    /// How a console channel takes `first` and then `second`, the latter with a descriptor (if
    /// `second` is empty, the former).
    private func end(
        _ first: [UInt8], _ second: [UInt8], passing passed: Passed
    ) throws -> ChannelEnd? {
        let pair = try LocalSocket.pair()
        let socket = pair.first
        let signer = try SignerConsole(pair.second)
        let pipe = try Pipe()
        let number: Int32 =
            switch passed {
            case .none: -1
            case .pipe: pipe.reading.number
            case .socket: socket.number
            }
        if !second.isEmpty { try write(first, to: socket.number) }
        let last = second.isEmpty ? first : second
        if passed == .none {
            try write(last, to: socket.number)
        } else {
            _ = try last.withUnsafeBytes {
                try Kernel.send(socket.number, $0, passing: number)
            }
        }
        return drain(signer).1
    }

    private func frame(_ kind: UInt16, _ sequence: UInt8, _ body: [UInt8]) -> [UInt8] {
        [0, 0, 0, UInt8(body.count), UInt8(kind >> 8), UInt8(kind & 255), 0, 0, 0, 0, 0, sequence]
            + body
    }

    @Test("A violation ends the channel after the messages before it were delivered")
    func violation() throws {
        let pair = try LocalSocket.pair()
        let signer = try SignerLink(pair.second)
        let ping = frame(0x0203, 1, [UInt8](repeating: 0, count: 8))
        try write(
            frame(0x0201, 0, LinkRequest.hello.frame.body) + ping + ping, to: pair.first.number)
        let (messages, end) = drain(signer)
        #expect(messages == [.hello, .ping(nonce: 0)])
        #expect(end == .violation(.wrongSequence(found: 1, expected: 2)))
    }

    @Test("Two builds tell each other apart with a clear sentence on both sides")
    func otherBuild() throws {
        let pair = try LocalSocket.pair()
        let signer = try SignerLink(pair.second)
        let digest = [UInt8](repeating: 0xAB, count: 32)
        try write(frame(0x0201, 0, digest), to: pair.first.number)
        let end = try #require(drain(signer).1)
        #expect(end.description.contains("another version of Bulkhead"))

        let other = try LocalSocket.pair()
        let network = try Network(other.second)
        try write(frame(0x0202, 0, digest), to: other.first.number)
        let theirs = try #require(drain(network).1)
        #expect(theirs.description.contains("another version of Bulkhead"))
        #expect(theirs.description.contains("abababababababab"))
    }

    @Test("A flood of small frames is read in small pieces, and a large frame in large ones")
    func pieces() throws {
        let (network, signer) = try link()
        var buffer = ReadBuffer()
        try network.send(.hello, at: now)
        _ = drain(signer)
        for nonce in 0..<1000 as Range<UInt64> { try network.send(.ping(nonce: nonce), at: now) }
        // Else one busy channel would keep all others waiting for thousands of frames at a time.
        let most = ReadBuffer.sizeBetweenFrames / 20 + 1
        var count = 0
        while count < 1000 {
            let receipt = signer.receive(at: now, through: &buffer)
            #expect(!receipt.messages.isEmpty && receipt.messages.count <= most)
            count += max(1, receipt.messages.count)
            try network.flush(at: now)
        }
        #expect(count == 1000)

        let payload = [UInt8](repeating: 5, count: 1 << 20)
        try network.send(.request(RequestID(high: 1, low: 2), payload: payload), at: now)
        var reads = 0
        while reads < 200 {
            reads += 1
            if !signer.receive(at: now, through: &buffer).messages.isEmpty { break }
            try network.flush(at: now)
        }
        #expect(reads < 60)
    }

    @Test("Death in the middle of a frame is named as such")
    func deathMidFrame() throws {
        let pair = try LocalSocket.pair()
        let first = pair.first
        let signer = try SignerLink(pair.second)
        try write([0, 0, 0], to: first.number)
        _ = shutdown(first.number, Int32(SHUT_WR))
        #expect(drain(signer).1 == .violation(.truncated))
    }
}
