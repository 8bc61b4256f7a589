public import Messages

/// The home screen of `bulkhead console`: what the signer says, the network's numbers, and the keys
/// at the bottom. A pure function of what is known to lines of text.
public struct HomeScreen: Sendable {
    /// What the signer last said.
    public var signer: Answer<SignerStatus>
    /// The numbers that the network helper last sent; nil while there are none.
    public var network: NetworkNumbers?

    /// A screen over these answers.
    public init(signer: Answer<SignerStatus>, network: NetworkNumbers?) {
        self.signer = signer
        self.network = network
    }

    /// What a key does.
    public enum Command: Hashable, Sendable {
        /// Ask again now.
        case refresh
        /// Leave.
        case quit
    }

    /// The command of a typed byte; nil for a key without one.
    public static func command(for byte: UInt8) -> Command? {
        switch byte {
        case UInt8(ascii: "r"), UInt8(ascii: "R"), 0x0C: .refresh
        case UInt8(ascii: "q"), UInt8(ascii: "Q"), 0x03, 0x04: .quit
        default: nil
        }
    }

    /// Exactly `rows` lines of at most `columns` characters each.
    public func lines(columns: Int, rows: Int) -> [String] {
        let columns = max(20, columns)
        let rows = max(4, rows)
        var lines = [title, String(repeating: "-", count: columns), ""]
        lines += signerLines
        lines.append("")
        lines.append(networkLine)
        lines += weaknessLines
        let keys = "r refresh   q leave"
        lines = Array(lines.prefix(rows - 2))
        while lines.count < rows - 2 { lines.append("") }
        lines += [String(repeating: "-", count: columns), keys]
        return lines.map { String($0.prefix(columns)) }
    }

    private var title: String {
        guard let status = signer.value else { return "Bulkhead" }
        let isMainnet = status.chain == .mainnet
        return "Bulkhead" + (isMainnet ? "" : "   *** \(status.chain.name): coins of no value ***")
    }

    private var signerLines: [String] {
        switch signer {
        case .problem(let reason):
            return ["Signer    " + VisibleText(reason, limit: 300).description]
        case .value(let status):
            return [
                "Signer    running for \(duration(status.uptimeSeconds))"
                    + restarts(status.facts.signerRestarts).uppercased(),
                "Requests  \(status.waiting) waiting, \(status.done) done, \(status.failed) failed",
            ]
        }
    }

    private var networkLine: String {
        if signer.value?.facts.role == .offline {
            return "Network   none: this appliance is offline"
        }
        guard let network else { return "Network   not connected" }
        return "Network   running for \(duration(network.uptimeSeconds)), link "
            + (network.linkIsUp ? "up, round trip \(network.roundTripMicroseconds) us" : "down")
    }

    private var weaknessLines: [String] {
        guard let weaknesses = signer.value?.weaknesses, !weaknesses.isEmpty else { return [] }
        return ["", "Walls that are weaker than they could be (bulkhead audit shows all):"]
            + weaknesses.map { "  - " + VisibleText($0, limit: 300).description }
    }
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
