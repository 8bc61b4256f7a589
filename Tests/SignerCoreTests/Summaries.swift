import Messages
import SignerCore
import Wire

/// What a review of a file of these tests finds: the file is told by its first byte.
func summary(_ file: [UInt8], _ verdict: ReviewVerdict = .ready) -> ReviewSummary {
    let digest = Bytes32(repeatElement(file.first ?? 0, count: 32)) ?? .zero
    return ReviewSummary(
        file: digest, report: digest, verdict: verdict,
        stops: verdict == .stopped ? ["claim-false"] : [])
}

/// The worker and the job of a review that is to be started.
func startedReview(_ actions: [SignerAction]) -> (worker: WorkerID, job: Job)? {
    for case .start(let worker, let job) in actions { return (worker, job) }
    return nil
}
