/// A connection to a peer, numbered by whoever dials. A number is never used again, so that nothing
/// said of a connection that is gone falls on the next one to the same address.
public struct PeerID: Hashable, Sendable, Comparable {
    /// Counted from the start of the process.
    public let number: UInt64
    /// A connection by its number.
    public init(_ number: UInt64) { self.number = number }

    /// Orders by age.
    public static func < (left: PeerID, right: PeerID) -> Bool { left.number < right.number }
}
