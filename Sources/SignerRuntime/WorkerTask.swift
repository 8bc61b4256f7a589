import ChildRuntime
import Confinement
import LinuxIO
import Messages
import SecretMemory
import SignerWork

/// What happens inside a worker, from the fork to its end.
struct WorkerTask: ~Copyable {
    private let request: WorkerRequest
    private let ends: WorkerEnds
    private let answer: Int32
    private let filter: SeccompFilter
    private let limits: WorkerLimits

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
        case .review(let order):
            let ports = DescriptorPorts(ends, secretTime: limits.passwordTime)
            return .review(ReviewWork.perform(order, through: ports))
        case .order(let order):
            let ports = DescriptorPorts(ends, secretTime: limits.passwordTime)
            return .vault(SignerWork.perform(order, through: ports))
        case .attempt(let kind, let index, let targets):
            let row = ProbeRow(
                .worker, kind, ProbeAttempt.make(kind, index: index, at: targets))
            return .probe(row.outcome, number: row.number)
        }
    }
}
