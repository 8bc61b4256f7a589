/// The jobs of one side, in the order they came; at most one of them runs.
///
/// Each side has a queue and a worker of its own, so neither can keep the other waiting.
struct WorkQueue: Sendable {
    /// The job that runs.
    struct Running: Sendable {
        let worker: WorkerID
        let job: Job
        let deadline: Duration
        /// Set when its end is only waited for.
        var isKilled = false
    }

    private let limits: SignerLimits
    private(set) var waiting: [Job] = []
    private(set) var running: Running?
    private(set) var bytes = 0

    init(limits: SignerLimits) { self.limits = limits }

    /// Jobs that wait or run.
    var count: Int { waiting.count + (running == nil ? 0 : 1) }

    /// Whether a job of this origin waits or runs.
    func holds(_ origin: Job.Origin) -> Bool {
        running?.job.origin == origin || waiting.contains { $0.origin == origin }
    }

    /// Takes a job unless there are too many, or too many bytes.
    mutating func take(_ job: Job) -> Bool {
        guard count < limits.jobs, bytes + job.payload.count <= limits.jobBytes else {
            return false
        }
        waiting.append(job)
        bytes += job.payload.count
        return true
    }

    /// The next job to start, if none runs.
    mutating func startNext(as worker: WorkerID, at now: Duration) -> Job? {
        guard running == nil, !waiting.isEmpty else { return nil }
        let job = waiting.removeFirst()
        running = Running(worker: worker, job: job, deadline: now + limits.workTime)
        return job
    }

    /// The job of a worker that is gone.
    mutating func finish(_ worker: WorkerID) -> Job? {
        guard let done = running, done.worker == worker else { return nil }
        running = nil
        bytes -= done.job.payload.count
        return done.job
    }

    /// Takes out a job that has not started.
    mutating func withdraw(_ origin: Job.Origin) -> Job? {
        guard let place = waiting.firstIndex(where: { $0.origin == origin }) else { return nil }
        let job = waiting.remove(at: place)
        bytes -= job.payload.count
        return job
    }

    /// The worker to kill because nobody wants its answer any more.
    mutating func abandon(_ origin: Job.Origin) -> WorkerID? {
        guard let current = running, current.job.origin == origin else { return nil }
        return markKilled()
    }

    /// The worker to kill because it is late.
    mutating func late(at now: Duration) -> WorkerID? {
        guard let current = running, now >= current.deadline else { return nil }
        return markKilled()
    }

    private mutating func markKilled() -> WorkerID? {
        guard let current = running, !current.isKilled else { return nil }
        running?.isKilled = true
        return current.worker
    }

    /// When the running job is late.
    var deadline: Duration? { running.flatMap { $0.isKilled ? nil : $0.deadline } }
}
