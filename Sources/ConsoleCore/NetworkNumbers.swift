public import Messages

/// What the console knows of the network process.
public enum NetworkAnswer: Hashable, Sendable {
    /// It was asked, and has not answered yet.
    case asking
    /// It does not answer.
    case silent
    /// It answered.
    case numbers(NetworkNumbers)

    /// What a record says; nil unless it has exactly `NetworkNumbers.size` bytes.
    public init?(record: [UInt8]) {
        guard record.count == NetworkNumbers.size else { return nil }
        self =
            record.allSatisfy { $0 == 0xFF }
            ? .silent : NetworkNumbers(record: record).map(NetworkAnswer.numbers) ?? .silent
    }

    /// The record of a process that does not answer.
    public static let silence = [UInt8](repeating: 0xFF, count: NetworkNumbers.size)
}

/// What the network helper tells the console: numbers of fixed size, so that nothing that a peer
/// wrote can reach the screen.
public struct NetworkNumbers: Hashable, Sendable {
    /// Since the network process started.
    public let uptimeSeconds: UInt64
    /// Whether its link to the signer is up.
    public let linkIsUp: Bool
    /// The last ping over the link.
    public let roundTripMicroseconds: UInt64

    /// Bytes of a record: three big-endian integers of 8 bytes.
    public static let size = 24

    /// The numbers of a status.
    public init(_ status: NetworkStatus) {
        uptimeSeconds = status.uptimeSeconds
        linkIsUp = status.linkIsUp
        roundTripMicroseconds = status.roundTripNanoseconds / 1000
    }

    /// Reads a record; nil unless it has exactly `size` bytes.
    public init?(record: [UInt8]) {
        guard record.count == Self.size else { return nil }
        func number(_ place: Int) -> UInt64 {
            record[place * 8..<place * 8 + 8].reduce(0) { $0 << 8 | UInt64($1) }
        }
        uptimeSeconds = number(0)
        linkIsUp = number(1) == 1
        roundTripMicroseconds = number(2)
    }

    /// The record.
    public var record: [UInt8] {
        [uptimeSeconds, linkIsUp ? 1 : 0, roundTripMicroseconds].flatMap { number in
            (0..<8).map { UInt8(truncatingIfNeeded: number >> (56 - 8 * UInt64($0))) }
        }
    }
}
