/// A channel between two kinds of process. There is none between a person's network commands and
/// the signer, and none between the keeper and a person.
public enum Edge: UInt8, CaseIterable, Hashable, Sendable {
    /// The keeper and one of its two children.
    case control = 1
    /// The network process and the signer.
    case link = 2
    /// A person and the signer, at `signer.sock`.
    case console = 3
    /// A person and the network process, at `network.sock`.
    case query = 4
    /// The signer's broker and one of its workers.
    case work = 5

    /// The name in documents.
    public var name: String {
        switch self {
        case .control: "control"
        case .link: "link"
        case .console: "console"
        case .query: "query"
        case .work: "work"
        }
    }

    /// The process at one end, in words.
    public func end(_ side: Side) -> String {
        switch (self, side) {
        case (.control, .asking): "keeper"
        case (.control, .answering): "child"
        case (.link, .asking), (.query, .answering): "network"
        case (.link, .answering), (.console, .answering): "signer"
        case (.console, .asking), (.query, .asking): "command"
        case (.work, .asking): "broker"
        case (.work, .answering): "worker"
        }
    }
}

/// One of the two ends of a channel.
public enum Side: Hashable, Sendable {
    /// The end that asks.
    case asking
    /// The end that answers, and reports.
    case answering

    /// The end across.
    public var other: Side { self == .asking ? .answering : .asking }
}
