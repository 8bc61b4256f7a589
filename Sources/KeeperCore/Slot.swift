/// The place of one child: what its process is doing now, and how its starts went so far.
struct Slot: Equatable {
    /// What the process is doing.
    enum Phase: Equatable {
        /// There is none; it is started at this time.
        case waiting(until: Duration)
        /// It runs and is not confined yet.
        case starting(since: Duration)
        /// It serves; it is to be asked for a sign of life at this time.
        case ready(nextPing: Duration)
        /// It serves; it was asked at this time and did not answer yet.
        case asked(at: Duration)
        /// It closed its control channel and is expected to end.
        case closing(since: Duration)
        /// It was asked to stop.
        case stopping(deadline: Duration)
        /// It was killed and is not reaped yet.
        case killed
        /// There is none and there will be none.
        case gone
    }

    var phase: Phase
    var starts = 0
    /// Ends in a row, as long as none came after a stable time.
    var failures = 0
    /// When the newest process became ready.
    var readySince: Duration?

    var isReady: Bool {
        switch phase {
        case .ready, .asked: true
        case .waiting, .starting, .closing, .stopping, .killed, .gone: false
        }
    }

    /// Whether it runs and will go on.
    var isServing: Bool {
        if case .starting = phase { return true }
        return isReady
    }

    var isRunning: Bool {
        switch phase {
        case .waiting, .gone: false
        case .starting, .ready, .asked, .closing, .stopping, .killed: true
        }
    }

    func deadline(_ plan: KeeperPlan) -> Duration? {
        switch phase {
        case .waiting(let time): time
        case .starting(let since): since + plan.readyTimeout
        case .ready(let nextPing): nextPing
        case .asked(let time): time + plan.pingTimeout
        case .closing(let since): since + plan.closeTimeout
        case .stopping(let deadline): deadline
        case .killed, .gone: nil
        }
    }
}
