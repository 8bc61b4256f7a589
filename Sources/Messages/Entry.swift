public import StateFiles
public import Wire

/// The number of a PSBT that waits in the signer, short enough to be typed. Counted from 1 and never
/// used twice while the signer runs.
public struct EntryID: Hashable, Sendable, Comparable, CustomStringConvertible {
    /// The number.
    public let number: UInt32

    /// An id by its number.
    public init(_ number: UInt32) { self.number = number }

    init(from reader: inout Reader) throws(WireError) { number = try reader.readUInt32() }

    func encode(into writer: inout Writer) { writer.write(number) }

    /// Orders by age, the oldest first.
    public static func < (left: Self, right: Self) -> Bool { left.number < right.number }

    /// The number in decimal digits.
    public var description: String { "\(number)" }
}

/// What the findings of a review together mean.
public enum ReviewVerdict: UInt8, CaseIterable, Hashable, Sendable {
    /// It may be signed.
    case ready = 1
    /// It may be signed by a person who accepts the warnings.
    case warned = 2
    /// It must not be signed, whoever approves.
    case stopped = 3
}

/// What the broker keeps of a review, and what an approval is made from. The report itself can be
/// large and is made again whenever somebody reads it.
public struct ReviewSummary: Hashable, Sendable {
    /// SHA-256 of the file, as it came.
    public var file: Bytes32
    /// SHA-256 of the canonical report.
    public var report: Bytes32
    /// What the findings together mean.
    public var verdict: ReviewVerdict
    /// The codes of the warnings, each once, at most 96 of 32 bytes.
    public var warnings: [String]
    /// The codes of what stops, each once, at most 96 of 32 bytes.
    public var stops: [String]
    /// The fee in satoshis; nil where it cannot be proven.
    public var fee: UInt64?
    /// What leaves to others in satoshis, without the fee; nil where the file describes no
    /// transaction.
    public var sent: UInt64?
    /// Inputs.
    public var inputs: UInt32
    /// Outputs that leave to others.
    public var payments: UInt32
    /// Outputs that come back to own wallets.
    public var returns: UInt32
    /// The wallets that can sign an input, at most 16; none where the review stops.
    public var signers: [VaultID]

    /// A summary by its fields.
    public init(
        file: Bytes32, report: Bytes32, verdict: ReviewVerdict, warnings: [String] = [],
        stops: [String] = [], fee: UInt64? = nil, sent: UInt64? = nil, inputs: UInt32 = 0,
        payments: UInt32 = 0, returns: UInt32 = 0, signers: [VaultID] = []
    ) {
        self.file = file
        self.report = report
        self.verdict = verdict
        self.warnings = warnings
        self.stops = stops
        self.fee = fee
        self.sent = sent
        self.inputs = inputs
        self.payments = payments
        self.returns = returns
        self.signers = signers
    }

    init(from reader: inout Reader) throws(WireError) {
        file = try reader.readBytes32()
        report = try reader.readBytes32()
        verdict = try reader.readCase()
        warnings = try reader.readCheckCodes()
        stops = try reader.readCheckCodes()
        fee = try reader.readFlag() ? reader.readUInt64() : nil
        sent = try reader.readFlag() ? reader.readUInt64() : nil
        inputs = try reader.readUInt32()
        payments = try reader.readUInt32()
        returns = try reader.readUInt32()
        signers = try reader.readList(limit: Limit.signers) { reader throws(WireError) in
            try VaultID(from: &reader)
        }
    }

    func encode(into writer: inout Writer) {
        writer.write(file)
        writer.write(report)
        writer.write(verdict)
        writer.write(checkCodes: warnings)
        writer.write(checkCodes: stops)
        for amount in [fee, sent] {
            writer.write(amount != nil)
            if let amount { writer.write(amount) }
        }
        writer.write(inputs)
        writer.write(payments)
        writer.write(returns)
        writer.write(signers, limit: Limit.signers) { $1.encode(into: &$0) }
    }
}

/// An entry and what its review found.
public struct ReviewedEntry: Hashable, Sendable {
    /// Its number.
    public var id: EntryID
    /// What its review found.
    public var summary: ReviewSummary

    /// An entry by its parts.
    public init(id: EntryID, summary: ReviewSummary) {
        self.id = id
        self.summary = summary
    }

    init(from reader: inout Reader) throws(WireError) {
        id = try EntryID(from: &reader)
        summary = try ReviewSummary(from: &reader)
    }
}

/// One PSBT that waits, as a console lists it.
public struct PendingEntry: Hashable, Sendable {
    /// Where a PSBT came from.
    public enum Origin: Hashable, Sendable {
        /// Through the network process.
        case link
        /// From this console, whose user has this number; it goes with the connection.
        case console(uid: UInt32)
    }

    /// Its number.
    public var id: EntryID
    /// Where it came from.
    public var origin: Origin
    /// Bytes of the file.
    public var size: UInt32
    /// Seconds since it came.
    public var age: UInt32
    /// Seconds until it is given up; nil for one that goes with its console.
    public var left: UInt32?
    /// What its review found; nil while that is under way.
    public var summary: ReviewSummary?

    /// An entry by its fields.
    public init(
        id: EntryID, origin: Origin, size: UInt32, age: UInt32, left: UInt32?,
        summary: ReviewSummary?
    ) {
        self.id = id
        self.origin = origin
        self.size = size
        self.age = age
        self.left = left
        self.summary = summary
    }

    init(from reader: inout Reader) throws(WireError) {
        id = try EntryID(from: &reader)
        origin = try reader.readFlag() ? .console(uid: reader.readUInt32()) : .link
        size = try reader.readUInt32()
        age = try reader.readUInt32()
        left = try reader.readFlag() ? reader.readUInt32() : nil
        summary = try reader.readFlag() ? ReviewSummary(from: &reader) : nil
    }

    func encode(into writer: inout Writer) {
        id.encode(into: &writer)
        if case .console(let uid) = origin {
            writer.write(true)
            writer.write(uid)
        } else {
            writer.write(false)
        }
        writer.write(size)
        writer.write(age)
        writer.write(left != nil)
        if let left { writer.write(left) }
        writer.write(summary != nil)
        summary?.encode(into: &writer)
    }
}

/// How a report is written.
public enum ReviewForm: Hashable, Sendable {
    /// For a person: lines of so many columns at most, 40 to 255, in blocks that an empty line parts.
    case text(columns: UInt8)
    /// The canonical report.
    case json
    /// No report, but the transaction of a file that lacks no signature: its txid, a line feed, and its
    /// bytes, in hexadecimal digits both.
    case transaction

    /// The fewest columns that a report fits into.
    public static let fewestColumns: UInt8 = 40

    init(from reader: inout Reader) throws(WireError) {
        let start = reader.position
        let columns = try reader.readUInt8()
        switch columns {
        case 0: self = .json
        case 1: self = .transaction
        case Self.fewestColumns...: self = .text(columns: columns)
        default: throw .unknownValue(position: start, found: UInt64(columns))
        }
    }

    func encode(into writer: inout Writer) {
        switch self {
        case .text(let columns): writer.write(max(columns, Self.fewestColumns))
        case .json: writer.write(UInt8(0))
        case .transaction: writer.write(UInt8(1))
        }
    }
}

extension Reader {
    /// Reads the codes of checks.
    mutating func readCheckCodes() throws(WireError) -> [String] {
        try readList(limit: Limit.checkCodes) { reader throws(WireError) in
            try reader.readText(limit: Limit.checkCode)
        }
    }
}

extension Writer {
    /// Appends the codes of checks.
    mutating func write(checkCodes codes: [String]) {
        write(codes, limit: Limit.checkCodes) { writer, code in
            writer.write(code, limit: Limit.checkCode)
        }
    }
}
