import ChildRuntime
import Confinement
import LinuxIO
import Messages

/// The attempts that are made from inside workers: one worker each, for the first may end it.
final class WorkerProbes {
    private let targets: ProbeTargets
    private let filter: SeccompFilter
    private var left: [(kind: ProbeKind, index: Int)]
    private var outcomes: [ProbeKind: [ProbeOutcome]] = [:]
    private var worker: Worker?

    init(at targets: ProbeTargets, filter: SeccompFilter) {
        self.targets = targets
        self.filter = filter
        left = ProbeKind.allCases.filter { $0.mustFail(in: .worker) }.flatMap { kind in
            (0..<ProbeAttempt.count(of: kind, at: targets)).map { (kind, $0) }
        }
        startNext()
    }

    /// The number to poll; nil when all is tried.
    var number: Int32? { worker?.number }

    /// The rows, when all is tried.
    var rows: [ProbeRow]? {
        guard worker == nil else { return nil }
        return ProbeKind.allCases.compactMap { kind in
            outcomes[kind].map { ProbeRow(.worker, kind, .worst($0)) }
        }
    }

    /// Reads once, and goes on to the next attempt when one is over.
    func receive(at now: Duration, through buffer: inout ReadBuffer) {
        guard let end = worker?.receive(at: now, through: &buffer) else { return }
        worker = nil
        note(end.attempt)
        startNext()
    }

    private func startNext() {
        while let (kind, index) = left.first, worker == nil {
            do throws(Errno) {
                worker = try Worker.start(
                    .attempt(kind, index: index, targets), filter: filter, limits: .attempt)
            } catch {
                note(.unclear(error))
            }
        }
    }

    private func note(_ outcome: ProbeOutcome) {
        let (kind, _) = left.removeFirst()
        outcomes[kind, default: []].append(outcome)
    }
}

extension WorkerLimits {
    /// An attempt ends itself after a second.
    fileprivate static let attempt = WorkerLimits(
        time: .zero, passwordTime: .zero, memory: 512 << 20)
}
