import ChildRuntime
package import Confinement
import LinuxIO
import Messages
import SignerCore
import SignerWork

/// A forked process that does one job, says one thing and is gone.
///
/// Its request needs no channel: it is forked with it. It keeps the pipe for its answer and the
/// descriptors of its one operation, and loads its own filter on top of the broker's.
final class Worker {
    private let pid: Int32
    private let answers: FileDescriptor
    private var input = FrameInput<WorkReport>()
    private var report: WorkReport?
    private var isReaped = false

    /// The number to poll: readable when the worker says something or ends.
    var number: Int32 { answers.number }

    /// Forks. The descriptors go to the worker; the broker's own copies are closed unread.
    ///
    /// No `Worker` exists before the fork: Swift 6.0 would end the child's copy, which kills what it
    /// names, before the child does its work.
    static func start(
        _ request: WorkerRequest, ends: WorkerEnds = WorkerEnds(), filter: SeccompFilter,
        limits: WorkerLimits
    ) throws(Errno) -> Worker {
        defer { ends.close() }
        let pipe = try Pipe()
        let pid = try Kernel.fork()
        if pid == 0 {
            // By number: an owner would close its descriptor after its last use, before `run` ends.
            let answer = pipe.onlyWriting().take()
            WorkerTask(request, ends, answer: answer, filter, limits).run()
        }
        return Worker(pid: pid, answers: pipe.onlyReading())
    }

    private init(pid: Int32, answers: consuming FileDescriptor) {
        self.pid = pid
        self.answers = answers
    }

    deinit { if !isReaped { _ = try? Kernel.killAndReap(pid) } }

    func kill() { _ = try? Kernel.kill(pid) }

    /// Reads once; how the worker ended, when it has.
    func receive(at now: Duration, through buffer: inout ReadBuffer) -> WorkerEnd? {
        let receipt = input.receive(from: number, at: now, through: &buffer)
        if let said = receipt.messages.last { report = said }
        guard let end = receipt.end else { return nil }
        isReaped = true
        return WorkerEnd(report: report, channel: end, ending: reap())
    }

    /// The end of the pipe comes just before the end of the process; one that only closed the pipe
    /// has no business to live on and is given 20 ms.
    private func reap() -> Kernel.Ending? {
        var nothing = PollSet()
        for _ in 0..<20 {
            if let ending = try? Kernel.reap(pid) { return ending }
            try? nothing.wait(until: Kernel.timeSinceBoot() + .milliseconds(1))
        }
        return try? Kernel.killAndReap(pid)
    }
}

/// What a worker is forked for.
enum WorkerRequest {
    /// To review a PSBT.
    case review(ReviewOrder)
    /// To do a part of an operation.
    case order(WorkOrder)
    /// To try something forbidden.
    case attempt(ProbeKind, index: Int, ProbeTargets)
}

/// How a worker ended.
struct WorkerEnd {
    let report: WorkReport?
    let channel: ChannelEnd
    let ending: Kernel.Ending?

    /// The result of a job: an answer counts only if the worker then ended well.
    var result: WorkerResult {
        guard channel == .closed else { return .failed("\(channel)") }
        switch ending {
        case .exited(0):
            switch report {
            case .review(let result): return .reviewed(result)
            case .vault(let result): return .said(result)
            case .probe, nil: return .failed("it ended without an answer")
            }
        case .exited(let status): return .failed("it ended with status \(status)")
        case .killed(let signal): return .failed("signal \(signal) ended it")
        case nil: return .failed("it is not known how it ended")
        }
    }

    /// The outcome of an attempt.
    var attempt: ProbeOutcome {
        if case .probe(let outcome, let number) = report {
            return ProbeOutcome(outcome, number: number)
        }
        if case .killed(let signal) = ending { return .killed(signal: signal) }
        return .unclear(nil)
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
    /// Bytes of a file that it may write: none, unless its operation writes to one.
    var fileSize: UInt64

    package init(time: Duration, passwordTime: Duration, memory: UInt64, fileSize: UInt64 = 0) {
        self.time = time
        self.passwordTime = passwordTime
        self.memory = memory
        self.fileSize = fileSize
    }

    /// The seconds after which the kernel ends it.
    var seconds: UInt64 { UInt64(time.components.seconds) + 1 }

    /// What a worker gives up, besides what its broker has given up already.
    package func plan(_ filter: SeccompFilter, keeping descriptors: Set<Int32>) -> ConfinementPlan {
        ConfinementPlan(
            filter: filter, landlock: nil,
            limits: ResourceLimits([
                .openFiles: 16, .processes: 0, .fileSize: fileSize, .data: memory,
                .processorTime: seconds,
            ]),
            descriptors: descriptors)
    }
}
