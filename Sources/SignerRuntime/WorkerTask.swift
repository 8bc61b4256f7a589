import ChildRuntime
import Confinement
import Hashing
import LinuxIO
import Messages
import SecretMemory
import SignerWork
import Wire

/// What happens inside a worker, from the fork to its end.
struct WorkerTask: ~Copyable {
    private let request: WorkerRequest
    private let ends: WorkerEnds
    private let answer: Int32
    private let filter: SeccompFilter
    private let limits: WorkerLimits

    /// The longest password in bytes.
    static let longestPassword = 256

    init(
        _ request: WorkerRequest, _ ends: WorkerEnds, answer: Int32, _ filter: SeccompFilter,
        _ limits: WorkerLimits
    ) {
        self.request = request
        self.ends = ends
        self.answer = answer
        self.filter = filter
        self.limits = limits
    }

    consuming func run() -> Never {
        do {
            try confine()
            var output = FrameOutput<WorkReport>(limit: 0)
            try output.enqueue(report())
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
            limits.plan(filter, keeping: Set([answer] + ends.all)))
    }

    private borrowing func report() -> WorkReport {
        switch request {
        case .job(let payload): return .answer(hash(payload))
        case .order(let order):
            let ports = DescriptorPorts(ends, secretTime: limits.passwordTime)
            return .vault(SignerWork.perform(order, through: ports))
        case .attempt(let kind, let index, let targets):
            let row = ProbeRow(
                .worker, kind, ProbeAttempt.make(kind, index: index, at: targets))
            return .probe(row.outcome, number: row.number)
        }
    }

    private borrowing func hash(_ payload: [UInt8]) -> WorkAnswer {
        guard let password = ends.secrets else {
            let none = UnsafeRawBufferPointer(start: nil, count: 0)
            return WorkAnswer(.done, digest: digest(none, payload))
        }
        do throws(PasswordMissing) {
            let secret = try readPassword(from: password)
            return WorkAnswer(.done, digest: secret.withUnsafeBytes { digest($0, payload) })
        } catch {
            return WorkAnswer(.noPassword)
        }
    }

    /// SHA-256 of the password's length (4 bytes, little-endian), the password and the payload.
    private borrowing func digest(
        _ password: UnsafeRawBufferPointer, _ payload: [UInt8]
    ) -> Bytes32 {
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
