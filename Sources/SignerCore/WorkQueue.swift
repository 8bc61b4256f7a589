public import Messages

/// One review for one worker.
public struct Job: Hashable, Sendable {
    /// What is reviewed.
    public let entry: EntryID
    /// The console that waits for what it finds; nil where the network process does.
    public let asker: ConsoleID?
    /// How the report is written to the output; nil where only the summary is wanted.
    public let form: ReviewForm?
    /// The PSBT as it came.
    public let file: [UInt8]
    /// Where the report goes.
    public let output: PipeID?
    /// How often the wallets had changed when it was asked for.
    let walletChanges: UInt64
}

/// The reviews of one side, in the order they were asked for; at most one of them runs.
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

    init(limits: SignerLimits) { self.limits = limits }

    /// Whether a job of this console waits or runs.
    func holds(_ console: ConsoleID) -> Bool {
        running?.job.asker == console || waiting.contains { $0.asker == console }
    }

    mutating func take(_ job: Job) { waiting.append(job) }

    /// The next job to start, if none runs.
    mutating func startNext(as worker: WorkerID, at now: Duration) -> Job? {
        guard running == nil, !waiting.isEmpty else { return nil }
        let job = waiting.removeFirst()
        running = Running(worker: worker, job: job, deadline: now + limits.reviewTime)
        return job
    }

    /// The job of a worker that is gone, and whether it was killed by the broker for being late.
    mutating func finish(_ worker: WorkerID) -> Running? {
        guard let done = running, done.worker == worker else { return nil }
        running = nil
        return done
    }

    /// Takes out a job of a console that has not started.
    mutating func withdraw(_ console: ConsoleID) -> Job? {
        waiting.firstIndex { $0.asker == console }.map { waiting.remove(at: $0) }
    }

    /// Takes out the first review of an entry that is gone.
    mutating func withdraw(_ entry: EntryID) {
        waiting.removeAll { $0.entry == entry && $0.form == nil }
    }

    /// The worker to kill because nobody wants its answer any more.
    mutating func abandon(_ console: ConsoleID) -> WorkerID? {
        guard let current = running, current.job.asker == console else { return nil }
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
