import Configuration
import LinuxIO
import Wire

/// A child of the command that learns something on its behalf and writes it, as bounded bytes, into
/// a pipe. The command itself opens no socket, and a helper opens one at most.
struct Helper: ~Copyable {
    /// The process.
    let pid: Int32
    private let answers: FileDescriptor

    /// The longest answer, where nothing else is said.
    static let limit = 1 << 20

    /// Forks a child that runs `work` with the writing end of the pipe and then ends.
    ///
    /// - Parameter work: Returns the answer. A failure becomes the answer's problem.
    static func start(
        _ work: (_ pipe: Int32) throws(ClientFailure) -> [UInt8]
    ) throws(ClientFailure) -> Helper {
        do throws(Errno) {
            let pipe = try Pipe()
            let pid = try Kernel.fork()
            if pid == 0 { run(work, pipe.onlyWriting().take()) }
            return Helper(pid: pid, answers: pipe.onlyReading())
        } catch {
            throw .ended(.failed(error))
        }
    }

    private init(pid: Int32, answers: consuming FileDescriptor) {
        self.pid = pid
        self.answers = answers
    }

    deinit { _ = try? Kernel.killAndReap(pid) }

    /// The number to poll, and to keep open in a process that confines itself.
    var number: Int32 { answers.number }

    private static func run(
        _ work: (Int32) throws(ClientFailure) -> [UInt8], _ pipe: Int32
    ) -> Never {
        do throws(ClientFailure) {
            writeAnswer(try work(pipe), to: pipe)
        } catch {
            write(isAnswer: false, [error.exitCode.rawValue] + Array(error.sentence.utf8), to: pipe)
        }
        Kernel.exit(0)
    }

    /// Writes the answer; a child that has more to do than to return it calls this itself.
    static func writeAnswer(_ bytes: [UInt8], to pipe: Int32) {
        write(isAnswer: true, bytes, to: pipe)
    }

    private static func write(isAnswer: Bool, _ bytes: [UInt8], to pipe: Int32) {
        var writer = Writer(capacity: bytes.count + 5)
        writer.write(UInt8(isAnswer ? 1 : 0))
        writer.writeBigEndian(UInt32(bytes.count))
        writer.write(bytes)
        writeAll(writer.bytes, to: pipe)
    }

    /// Writes all bytes to a pipe that blocks; stops when nobody reads.
    static func writeAll(_ bytes: [UInt8], to pipe: Int32) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let transfer = try? rest.withUnsafeBytes { try Kernel.write(pipe, $0) }
            guard case .moved(let count) = transfer else { return }
            rest = rest.dropFirst(count)
        }
    }

    /// Waits until the child has written its answer.
    func answer(
        within time: Duration, limit: Int = Helper.limit
    ) throws(HelperFailure) -> [UInt8] {
        let deadline = Kernel.timeSinceBoot() + time
        let head = try read(5, until: deadline)
        let count = head[1...].reduce(0) { $0 << 8 | Int($1) }
        guard count <= limit else {
            throw HelperFailure(.channel, "its helper's answer is too long")
        }
        let bytes = count == 0 ? [] : try read(count, until: deadline)
        if head[0] == 1 { return bytes }
        let code = bytes.first.flatMap { ExitCode(rawValue: $0) } ?? .system
        throw HelperFailure(code, String(decoding: bytes.dropFirst(), as: UTF8.self))
    }

    private func read(_ count: Int, until deadline: Duration) throws(HelperFailure) -> [UInt8] {
        var all: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: min(count, 65536))
        while all.count < count {
            var set = PollSet()
            set.add(number, .reading)
            guard Kernel.timeSinceBoot() < deadline, (try? set.wait(until: deadline)) != nil else {
                throw HelperFailure(.channel, "no answer in time")
            }
            guard set.canRead(at: 0) else { continue }
            let wanted = min(chunk.count, count - all.count)
            let transfer = try? chunk.withUnsafeMutableBytes {
                try Kernel.read(number, into: .init(rebasing: $0[..<wanted]))
            }
            guard case .moved(let more) = transfer else {
                throw HelperFailure(.channel, "its helper ended without an answer")
            }
            all += chunk.prefix(more)
        }
        return all
    }
}

/// Why a helper has no answer.
struct HelperFailure: Error {
    /// What to leave the command with.
    let exitCode: ExitCode
    /// One sentence.
    let sentence: String

    init(_ exitCode: ExitCode, _ sentence: String) {
        self.exitCode = exitCode
        self.sentence = sentence
    }
}
