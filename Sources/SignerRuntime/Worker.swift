package import Confinement
import Hashing
import LinuxIO
import Messages
import SecretMemory
import SignerCore
import Wire

/// A forked process that does one job, says one thing and is gone.
///
/// Its request needs no channel: it is forked with it. It keeps two descriptors, the pipe for its
/// answer and the one with the password, and loads its own filter on top of the broker's.
final class Worker {
    private let pid: Int32
    private let answers: FileDescriptor
    private var input = FrameInput<WorkReport>()
    private var answer: WorkAnswer?
    private var isReaped = false

    /// The number to poll: readable when the worker says something or ends.
    var number: Int32 { answers.number }

    /// Forks. The password goes to the worker; the broker's own copy is closed unread.
    init(
        _ job: Job, password: consuming FileDescriptor?, filter: SeccompFilter,
        limits: WorkerLimits
    ) throws(Errno) {
        let pipe = try Pipe()
        let passwordNumber: Int32? =
            switch password {
            case .some(let password): password.number
            case .none: nil
            }
        pid = try Kernel.fork()
        if pid == 0 {
            WorkerTask(job.payload, passwordNumber, answer: pipe.writing.number, filter, limits)
                .run()
        }
        answers = pipe.onlyReading()
    }

    deinit { if !isReaped { _ = try? Kernel.killAndReap(pid) } }

    func kill() { _ = try? Kernel.kill(pid) }

    /// Reads once. The result when the worker has ended; its answer counts only if it ended well.
    func receive(at now: Duration, through buffer: inout ReadBuffer) -> WorkerResult? {
        let receipt = input.receive(from: number, at: now, through: &buffer)
        for case .answer(let given) in receipt.messages { answer = given }
        guard let end = receipt.end else { return nil }
        isReaped = true
        // The end of the pipe comes just before the end of the process; one that only closed it has
        // no business to live on. A process that is ending already is not changed by the signal.
        let ending = try? Kernel.killAndReap(pid)
        guard end == .closed else { return .failed("\(end)") }
        switch ending {
        case .exited(0):
            return answer.map { .answered($0) } ?? .failed("it ended without an answer")
        case .exited(let status): return .failed("it ended with status \(status)")
        case .killed(let signal): return .failed("signal \(signal) ended it")
        case nil: return .failed("it is not known how it ended")
        }
    }
}

/// What a worker may use.
package struct WorkerLimits {
    /// How long it may take; the broker kills it then, and it ends itself a second later.
    var time: Duration
    /// How long its password may take to come.
    var passwordTime: Duration
    /// Bytes of private memory, the broker's own included, which it is forked with.
    var memory: UInt64

    package init(time: Duration, passwordTime: Duration, memory: UInt64) {
        self.time = time
        self.passwordTime = passwordTime
        self.memory = memory
    }

    /// The seconds after which the kernel ends it.
    var seconds: UInt64 { UInt64(time.components.seconds) + 1 }

    /// What a worker gives up, besides what its broker has given up already.
    package func plan(_ filter: SeccompFilter, keeping descriptors: Set<Int32>) -> ConfinementPlan {
        ConfinementPlan(
            filter: filter, landlock: nil,
            limits: ResourceLimits([
                .openFiles: 8, .processes: 0, .fileSize: 0, .data: memory,
                .processorTime: seconds,
            ]),
            descriptors: descriptors)
    }
}

/// What happens inside a worker, from the fork to its end.
struct WorkerTask: ~Copyable {
    private let payload: [UInt8]
    private let password: Int32?
    private let answer: Int32
    private let filter: SeccompFilter
    private let limits: WorkerLimits

    /// The longest password in bytes.
    static let longestPassword = 256

    init(
        _ payload: [UInt8], _ password: Int32?, answer: Int32, _ filter: SeccompFilter,
        _ limits: WorkerLimits
    ) {
        self.payload = payload
        self.password = password
        self.answer = answer
        self.filter = filter
        self.limits = limits
    }

    consuming func run() -> Never {
        do {
            try confine()
            var output = FrameOutput<WorkReport>(limit: 0)
            try output.enqueue(.answer(work()))
            try output.flush(to: answer)
        } catch {
            Kernel.exit(1)
        }
        Kernel.exit(0)
    }

    private borrowing func confine() throws {
        try Kernel.endLatest(after: .seconds(Int64(limits.seconds)))
        // A lock is not inherited by fork, and the filter allows no new one.
        try SecretMemory.prepare()
        try Confinement.narrow(
            limits.plan(filter, keeping: Set([answer] + (password.map { [$0] } ?? []))))
    }

    private borrowing func work() -> WorkAnswer {
        guard let password else {
            return WorkAnswer(.done, digest: digest(UnsafeRawBufferPointer(start: nil, count: 0)))
        }
        do throws(PasswordMissing) {
            let secret = try readPassword(from: password)
            return WorkAnswer(.done, digest: secret.withUnsafeBytes { digest($0) })
        } catch {
            return WorkAnswer(.noPassword)
        }
    }

    /// SHA-256 of the password's length (4 bytes, little-endian), the password and the payload.
    private borrowing func digest(_ password: UnsafeRawBufferPointer) -> Bytes32 {
        var hash = SHA256()
        withUnsafeBytes(of: UInt32(password.count).littleEndian) { hash.update($0) }
        hash.update(password)
        hash.update(payload)
        return hash.finalize()
    }

    private struct PasswordMissing: Error {}

    /// Reads the pipe to its end, which must come in time and within the limit.
    private borrowing func readPassword(from pipe: Int32) throws(PasswordMissing) -> SecretBytes {
        let deadline = Kernel.timeSinceBoot() + limits.passwordTime
        return try SecretBytes(capacity: Self.longestPassword + 1) {
            buffer throws(PasswordMissing) in
            var count = 0
            var set = PollSet()
            while count < buffer.count {
                set.removeAll()
                let place = set.add(pipe, .reading)
                guard (try? set.wait(until: deadline)) != nil, set.canRead(at: place) else {
                    throw PasswordMissing()
                }
                let rest = UnsafeMutableRawBufferPointer(rebasing: buffer[count...])
                switch try? Kernel.read(pipe, into: rest) {
                case .moved(let more): count += more
                case .ended where count > 0: return count
                default: throw PasswordMissing()
                }
            }
            throw PasswordMissing()
        }
    }
}
