/// How much each side may ask of the signer; the two sides share none of it.
public struct SignerLimits: Hashable, Sendable {
    /// Open consoles.
    public var consoles = 8
    /// How long the socket is left alone after nobody could be let in.
    public var acceptPause = Duration.seconds(1)
    /// Open consoles of one user, so that others still find room.
    public var consolesOfOneUser = 6
    /// How long a console that waits for no answer may say nothing. An open screen asks much more often.
    public var consoleIdleTime = Duration.seconds(600)
    /// Frames a second of one channel, and how many at once; 64 KiB of payload count as one.
    public var framesPerSecond = 2000
    /// See `framesPerSecond`.
    public var framesAtOnce = 4000
    /// New requests a second of the link, and how many at once.
    public var requestsPerSecond = 50
    /// See `requestsPerSecond`.
    public var requestsAtOnce = 100
    /// Jobs of one side that wait or run.
    public var jobs = 32
    /// Bytes of the jobs of one side.
    public var jobBytes = 40 << 20
    /// Final answers that are kept for the link to ask for again.
    public var keptAnswers = 1024
    /// How long a worker may take.
    public var workTime = Duration.seconds(10)
    /// Operations that wait, of all consoles.
    public var operations = 8
    /// How long a worker of an operation may take.
    public var operationTime = Duration.seconds(120)
    /// How long one may take that moves files of any size; what hardly moves is ended before.
    public var transferTime = Duration.seconds(6 * 3600)
    /// The time between two tellings of how far an operation is.
    public var progressInterval = Duration.milliseconds(250)
    /// Lines for the log a second, and how many at once; what is left out is counted.
    public var linesPerSecond = 2
    /// See `linesPerSecond`.
    public var linesAtOnce = 20

    /// The limits of the product.
    public init() {}
}
