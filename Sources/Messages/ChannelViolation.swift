public import Wire

/// What a peer did that ends its channel.
public enum ChannelViolation: Error, Hashable, Sendable {
    /// No message has this number.
    case unknownKind(UInt16)
    /// The message belongs on another channel.
    case wrongEdge(MessageKind, Edge)
    /// The message is only sent the other way.
    case wrongDirection(MessageKind)
    /// The message may not be sent now.
    case outOfPhase(MessageKind, Row.Phase)
    /// The message may be sent once and came again.
    case repeated(MessageKind)
    /// The body is announced longer than the message can be.
    case tooLong(MessageKind, found: UInt32, allowed: Int)
    /// The reserved field of the header is not zero.
    case reservedNotZero(UInt16)
    /// A frame was left out, sent again or sent out of turn.
    case wrongSequence(found: UInt32, expected: UInt32)
    /// The channel ended in the middle of a frame.
    case truncated
    /// A started frame was not finished in time.
    case tooSlow
    /// The peer does not read what it is sent.
    case notReading
    /// The body is not what the message says it is.
    case badBody(MessageKind, WireError)
    /// The peer was built from another catalogue.
    case differentBuild(theirs: Bytes32)
    /// A descriptor came that the message does not carry.
    case uninvitedDescriptor
    /// The message came without the descriptor it carries, or with one of another sort.
    case wrongDescriptor(MessageKind)
}

extension ChannelViolation: CustomStringConvertible {
    /// One sentence for a person.
    public var description: String {
        switch self {
        case .unknownKind(let number):
            "it sent a message with the unknown number \(number)"
        case .wrongEdge(let kind, let edge):
            "it sent \"\(kind.row.name)\" on the \(edge.name) channel"
        case .wrongDirection(let kind):
            "it sent \"\(kind.row.name)\", which only the other end may send"
        case .outOfPhase(let kind, let phase):
            "it sent \"\(kind.row.name)\" while the channel was \(phase)"
        case .repeated(let kind):
            "it sent \"\(kind.row.name)\" a second time"
        case .tooLong(let kind, let found, let allowed):
            "its \"\(kind.row.name)\" announced \(found) bytes, at most \(allowed) are allowed"
        case .reservedNotZero(let found):
            "it set the reserved field of a frame to \(found)"
        case .wrongSequence(let found, let expected):
            "its frame is number \(found), number \(expected) was due"
        case .truncated: "it ended in the middle of a frame"
        case .tooSlow: "it started a frame and did not finish it in time"
        case .notReading: "it does not read what it is sent"
        case .badBody(let kind, let error):
            "its \"\(kind.row.name)\" cannot be read: \(error)"
        case .differentBuild(let theirs):
            """
            it was built from another version of Bulkhead (its messages are \(prefix(theirs)), ours \
            \(prefix(Catalogue.digest))); install the same version of all programs and restart
            """
        case .uninvitedDescriptor: "it passed a descriptor that nobody asked for"
        case .wrongDescriptor(let kind):
            "its \"\(kind.row.name)\" came without the descriptor it must carry, or with another kind of one"
        }
    }

    private func prefix(_ digest: Bytes32) -> Substring { digest.description.prefix(16) }
}
