public import Configuration

/// What one instance consists of, and the times it goes by.
public struct KeeperPlan: Equatable, Sendable {
    /// The children, in the order of their start.
    public var children: [Child]
    /// The first wait before a restart; doubles with each failure.
    public var restartDelay = Duration.milliseconds(250)
    /// The longest wait before a restart.
    public var restartDelayLimit = Duration.seconds(30)
    /// How long a child must be ready before its earlier failures are forgotten.
    public var stableAfter = Duration.seconds(60)
    /// How long a child may take from its start until it is ready.
    public var readyTimeout = Duration.seconds(10)
    /// How long after a stop was asked for a child is killed.
    public var stopTimeout = Duration.seconds(5)
    /// How often a ready child is asked for a sign of life.
    public var pingInterval = Duration.seconds(10)
    /// How long a sign of life may take.
    public var pingTimeout = Duration.seconds(30)
    /// How long a child may take to end after it closed its control channel.
    public var closeTimeout = Duration.milliseconds(500)
    /// How long the link may be gone while both children run.
    public var linkTimeout = Duration.milliseconds(500)
    /// How often a child may end before the appliance was ever ready.
    public var startAttempts = 5

    /// The plan of a role, with the default times.
    public init(role: Role) {
        children =
            switch role {
            case .home: [.signer, .network]
            case .offline: [.signer]
            case .watch: [.network]
            }
    }

    /// Whether the children have a link between them.
    var hasLink: Bool { children.count == 2 }

    /// The wait after so many failures in a row, from 1.
    func delay(afterFailures failures: Int) -> Duration {
        var delay = restartDelay
        for _ in 1..<max(1, failures) where delay < restartDelayLimit { delay = delay * 2 }
        return min(delay, restartDelayLimit)
    }
}
