public import Wire

/// What became of a piece of work.
public enum WorkOutcome: UInt8, CaseIterable, Hashable, Sendable {
    /// Nobody knows of it.
    case unknown = 0
    /// It waits for its turn or is being worked on.
    case waiting = 1
    /// It is done; the digest is the answer.
    case done = 2
    /// The worker ended without an answer, was too slow or broke a rule.
    case failed = 3
    /// Too many requests wait, or too many bytes.
    case full = 4
    /// Requests come faster than they may.
    case tooFast = 5
    /// The descriptor that came is no pipe, or nothing came out of it in time.
    case noPassword = 6

    /// Whether more will come of it.
    public var isFinal: Bool { self != .waiting }
}

/// What became of a request.
public struct WorkAnswer: Hashable, Sendable {
    /// What became of it.
    public var outcome: WorkOutcome
    /// The answer when it is done, else zero.
    public var digest: Bytes32

    /// An answer.
    public init(_ outcome: WorkOutcome, digest: Bytes32 = .zero) {
        self.outcome = outcome
        self.digest = digest
    }

    init(from reader: inout Reader) throws(WireError) {
        outcome = try reader.readCase()
        digest = try reader.readBytes32()
    }

    func encode(into writer: inout Writer) {
        writer.write(outcome)
        writer.write(digest)
    }
}

/// What a worker says to the broker.
public enum WorkReport: MessageSet {
    case probe(ProbeRow.Outcome, number: Int32)
    case vault(VaultResult)
    case review(Result<ReviewSummary, EntryRefusal>)

    /// The channel.
    public static let edge = Edge.work
    /// The end that says these.
    public static let sender = Side.answering

    /// The number of this message.
    public var kind: MessageKind {
        switch self {
        case .probe: .workProbe
        case .vault: .workVault
        case .review: .workReview
        }
    }

    /// Appends the fields.
    public func encode(into writer: inout Writer) {
        switch self {
        case .probe(let outcome, let number):
            writer.write(outcome)
            writer.write(number)
        case .vault(let result): result.encode(into: &writer)
        case .review(.success(let summary)):
            writer.write(true)
            summary.encode(into: &writer)
        case .review(.failure(let refusal)):
            writer.write(false)
            refusal.encode(into: &writer)
        }
    }

    /// Reads the fields; nil for a kind of another set.
    public init?(_ kind: MessageKind, from reader: inout Reader) throws(WireError) {
        switch kind {
        case .workProbe: self = .probe(try reader.readCase(), number: try reader.readInt32())
        case .workVault: self = .vault(try VaultResult(from: &reader))
        case .workReview:
            self = .review(
                try reader.readFlag()
                    ? .success(try ReviewSummary(from: &reader))
                    : .failure(try EntryRefusal(from: &reader)))
        default: return nil
        }
    }
}
