public import PeerMessages

/// What makes one peer's word another voice than another's, where filters have to be believed: where it
/// is reached, and who named it. Neither proves that two peers belong to different people; whoever would
/// speak with all voices has to hold addresses in several netblocks and stand in several sources.
public struct PeerKind: Hashable, Sendable {
    /// Addresses that one operator is likely to hold together.
    public let group: PeerGroup
    /// Where the address comes from.
    public let source: PeerSource

    /// A kind by its parts.
    public init(group: PeerGroup, source: PeerSource) {
        self.group = group
        self.source = source
    }
}

extension Collection<PeerKind> {
    /// How many of them are reached in different places.
    var groups: Int { Set(map(\.group)).count }

    /// The source that named all of them; nil if there are several, or nobody.
    var onlySource: PeerSource? {
        guard let first, allSatisfy({ $0.source == first.source }) else { return nil }
        return first.source
    }
}
