import Wire

/// A record to be put into a log.
public struct LogRecord: Hashable, Sendable {
    /// Whom it is about.
    public let scope: LogScope
    /// What happened, encoded.
    public let bytes: [UInt8]

    /// A record of at most `LogEntry.maximumRecord` bytes.
    public init(_ scope: LogScope, _ bytes: [UInt8]) {
        self.scope = scope
        self.bytes = bytes
    }
}

/// New entries, where they go, and the head that is true with them. Both are written in one step.
public struct LogAppend: Hashable, Sendable {
    /// Where the entries go: behind the last one.
    public let offset: UInt64
    /// The new entries, one behind the other.
    public let entries: [UInt8]
    /// The new head.
    public let head: LogHead
}

extension LogKey {
    /// Appends records behind `head`, or as the first ones of a new log.
    ///
    /// - Throws: `headDamaged` or `anotherLog` when the head is not this key's.
    public borrowing func append(
        _ records: [LogRecord], time: UInt64, after head: LogHead?,
        using random: RandomSource = .kernel
    ) throws(LogProblem) -> LogAppend {
        if let head { try check(head) }
        var counter = head?.counter ?? 0
        var hash = head?.lastHash ?? .zero
        var entries: [UInt8] = []
        for record in records {
            counter += 1
            let entry = LogEntry(
                record.bytes, counter: counter, time: time, scope: record.scope, previous: hash,
                key: self, using: random)
            hash = entry.hash
            entries += entry.bytes
        }
        let offset = head?.entriesLength ?? 0
        return LogAppend(
            offset: offset, entries: entries,
            head: LogHead(
                counter: counter, entriesLength: offset + UInt64(entries.count), lastHash: hash,
                key: self))
    }

    /// Whether the head is this log's.
    ///
    /// - Throws: `anotherLog`, `headDamaged`.
    public borrowing func check(_ head: LogHead) throws(LogProblem) {
        guard head.name == name else { throw .anotherLog }
        guard head.publicKey == publicKey else { throw .headDamaged }
    }
}
