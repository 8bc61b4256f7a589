import Glibc
import LinuxIO
import LocalSockets
import Testing

@Suite("Calls to the kernel")
struct KernelTests {
    init() { Kernel.ignoreBrokenPipes() }

    private func write(_ text: String, to descriptor: Int32) throws -> Kernel.Transfer {
        try Array(text.utf8).withUnsafeBytes { try Kernel.write(descriptor, $0) }
    }

    private func read(_ descriptor: Int32) throws -> (Kernel.Transfer, String) {
        var buffer = [UInt8](repeating: 0, count: 64)
        let moved = try buffer.withUnsafeMutableBytes { try Kernel.read(descriptor, into: $0) }
        guard case .moved(let count) = moved else { return (moved, "") }
        return (moved, String(decoding: buffer[..<count], as: UTF8.self))
    }

    @Test("Bytes pass through a pipe, and its end is a value, not an error")
    func pipe() throws {
        let pipe = try Pipe()
        let reading = pipe.reading
        var writing: FileDescriptor? = consume pipe.writing
        try reading.setNonblocking()
        #expect(try read(reading.number).0 == .wouldBlock)
        if let number = writing?.number { #expect(try write("abc", to: number) == .moved(3)) }
        #expect(try read(reading.number).1 == "abc")
        writing = nil
        #expect(try read(reading.number).0 == .ended)
    }

    @Test("A write to a closed end is reported as ended and does not kill the process")
    func brokenPipe() throws {
        let pair = try LocalSocket.pair()
        let first = pair.first
        var second: FileDescriptor? = consume pair.second
        _ = second?.number
        second = nil
        #expect(try write("abc", to: first.number) == .ended)
    }

    @Test("A descriptor closes with its owner and not when it is given away")
    func ownership() throws {
        let pipe = try Pipe()
        let reading = pipe.reading
        var owner: FileDescriptor? = FileDescriptor(inherited: pipe.writing.take())
        _ = try write("x", to: owner?.number ?? -1)
        #expect(try read(reading.number).1 == "x")
        owner = nil
        #expect(try read(reading.number).0 == .ended)
    }

    @Test("A descriptor can be received beside bytes")
    func descriptorPassing() throws {
        let pair = try LocalSocket.pair()
        let pipe = try Pipe()
        let sent = try [UInt8(7)].withUnsafeBytes {
            try Kernel.send(pair.first.number, $0, passing: pipe.reading.number)
        }
        #expect(sent == .moved(1))
        let got = try receive(pair.second.number)
        #expect(got.transfer == .moved(1))
        guard case .descriptor(let number) = got.arrival else {
            Issue.record("no descriptor came")
            return
        }
        let passed = FileDescriptor(owning: number)
        #expect(try Kernel.isPipe(passed.number))
        #expect(try !Kernel.isPipe(pair.first.number))
        _ = try write("through", to: pipe.writing.number)
        #expect(try read(passed.number).1 == "through")
    }

    @Test("Two descriptors at once are unwelcome, and both are closed")
    func twoDescriptors() throws {
        let pair = try LocalSocket.pair()
        let pipe = try Pipe()
        let reading = pipe.reading
        let writing = pipe.writing.take()
        sendTwo(pair.first.number, writing, writing)
        #expect(try receive(pair.second.number).arrival == .unwelcome)
        close(writing)
        // The stream can only have ended if no copy of the writing end is left open.
        #expect(try read(reading.number).0 == .ended)
    }

    @Test("A descriptor sent to a plain read is dropped by the kernel")
    func plainReadTakesNoDescriptor() throws {
        let pair = try LocalSocket.pair()
        let pipe = try Pipe()
        let reading = pipe.reading
        let writing = pipe.writing.take()
        _ = try [UInt8(7)].withUnsafeBytes {
            try Kernel.send(pair.first.number, $0, passing: writing)
        }
        close(writing)
        #expect(try read(pair.second.number).0 == .moved(1))
        #expect(try read(reading.number).0 == .ended)
    }

    @Test("A poll reports what is ready and returns at its deadline")
    func polling() throws {
        let pipe = try Pipe()
        var set = PollSet()
        let reading = set.add(pipe.reading.number, .reading)
        let writing = set.add(pipe.writing.number, .writing)
        try set.wait(until: Kernel.timeSinceBoot() + .seconds(5))
        #expect(!set.canRead(at: reading))
        #expect(set.canWrite(at: writing))

        set.removeAll()
        set.add(pipe.reading.number, .reading)
        let start = Kernel.timeSinceBoot()
        try set.wait(until: start + .milliseconds(20))
        #expect(Kernel.timeSinceBoot() - start >= .milliseconds(20))
    }

    @Test("A local socket tells who connected")
    func credentials() throws {
        let pair = try LocalSocket.pair()
        let peer = try Kernel.peer(of: pair.first.number)
        #expect(peer == Peer(pid: getpid(), uid: getuid(), gid: getgid()))
    }

    @Test("A path that does not fit an address is refused before any call")
    func longPath() {
        let path = String(repeating: "a", count: 108)
        #expect(throws: Errno.nameTooLong) { _ = try LocalSocket.connect(to: path) }
        #expect(throws: Errno.nameTooLong) { _ = try LocalSocket.listen(at: path) }
    }

    @Test("Errors of the kernel have a name and a sentence")
    func errnoTexts() {
        #expect(Errno.accessDenied.description == "access denied (EACCES)")
        #expect(Errno(4095).description == "error 4095 of the kernel")
        #expect(Errno(4095).name == "E4095")
    }

    @Test("A span of time becomes whole nanoseconds without overflow")
    func nanoseconds() {
        #expect(Duration.milliseconds(1500).wholeNanoseconds == 1_500_000_000)
        #expect(Duration.seconds(Int64.max).wholeNanoseconds == .max)
        #expect(Duration.seconds(-Int64.max).wholeNanoseconds == .min)
    }

    private func receive(
        _ socket: Int32
    ) throws -> (transfer: Kernel.Transfer, arrival: Kernel.Arrival) {
        var buffer = [UInt8](repeating: 0, count: 8)
        return try buffer.withUnsafeMutableBytes { try Kernel.receive(socket, into: $0) }
    }

    private func sendTwo(_ socket: Int32, _ one: Int32, _ two: Int32) {
        var byte: UInt8 = 1
        // cmsghdr by hand: length, level, type, then the numbers.
        var control = [UInt64](repeating: 0, count: 3)
        control[0] = 24
        control[1] = UInt64(SOL_SOCKET) | 1 << 32
        control[2] = UInt64(one) | UInt64(two) << 32
        withUnsafeMutableBytes(of: &byte) { bytes in
            control.withUnsafeMutableBytes { header in
                var part = iovec(iov_base: bytes.baseAddress, iov_len: 1)
                withUnsafeMutablePointer(to: &part) { parts in
                    var message = msghdr()
                    message.msg_iov = parts
                    message.msg_iovlen = 1
                    message.msg_control = header.baseAddress
                    message.msg_controllen = 24
                    #expect(sendmsg(socket, &message, 0) == 1)
                }
            }
        }
    }
}
