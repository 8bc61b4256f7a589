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
    /// PSBTs of the link that wait.
    public var linkEntries = 32
    /// Their bytes.
    public var linkEntryBytes = 40 << 20
    /// PSBTs of all consoles that wait.
    public var consoleEntries = 8
    /// Their bytes.
    public var consoleEntryBytes = 40 << 20
    /// How long a PSBT of the link waits for a person, and its signed file to be collected.
    public var entryTime = Duration.seconds(24 * 3600)
    /// Final answers that are kept for the link to ask for again.
    public var keptAnswers = 1024
    /// Signed files that are kept until they are collected.
    public var keptFiles = 32
    /// Their bytes.
    public var keptFileBytes = 40 << 20
    /// How long a worker may review a PSBT.
    public var reviewTime = Duration.seconds(60)
    /// How long a worker may put signatures into one.
    public var mergeTime = Duration.seconds(60)
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
