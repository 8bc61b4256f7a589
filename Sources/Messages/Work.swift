public import Wire

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
