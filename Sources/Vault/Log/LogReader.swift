public import Wire

/// Reads a log from its first entry on, piece by piece, and finds what does not agree.
public struct LogReader: Sendable {
    /// How many problems are told; after that many, more say nothing new.
    public static let maximumProblems = 16

    private let name: LogName
    private let publicKey: Bytes32?
    private let witness: LogHead?
    /// The head's counter and the witness's, and the hashes of the entries there.
    private var hashAtWitness: Bytes32?
    private var pending: [UInt8] = []
    private var lastCounter: UInt64 = 0
    private var lastHash = Bytes32.zero
    private var isUnreadable = false
    /// How many bytes of entries were read.
    private var length: UInt64 = 0
    /// What does not agree so far.
    public private(set) var problems: [LogProblem] = []

    /// A reader of one log. `publicKey` is the log's own where it is known; `witness` is a head
    /// that was kept elsewhere.
    public init(_ name: LogName, publicKey: Bytes32?, witness: LogHead? = nil) {
        self.name = name
        self.publicKey = publicKey
        self.witness = witness
    }

    /// Takes bytes of the file; gives each entry, in the order they stand, with its record where
    /// `keys` opens it.
    public mutating func append(
        _ bytes: UnsafeRawBufferPointer, keys: borrowing some LogEntryKeys & ~Copyable,
        each: (LogEntry, _ record: [UInt8]?) throws -> Void
    ) rethrows {
        length += UInt64(bytes.count)
        guard !isUnreadable else { return }
        pending += bytes
        var start = 0
        while let count = nextLength(at: start) {
            guard let entry = LogEntry(Array(pending[start..<start + count])) else {
                return stop()
            }
            start += count
            let covered = keys.covers(entry.scope)
            let record = covered ? entry.open(with: keys) : nil
            if covered, record == nil {
                report(.edited(entry.counter))
            }
            follow(entry)
            try each(entry, record)
        }
        pending.removeFirst(start)
        if pending.count >= 4, frameLength(at: 0) == nil { stop() }
    }

    /// The file ended. `head` is the one that stands beside it. Everything that does not agree.
    public mutating func finish(head: LogHead?) -> [LogProblem] {
        if !pending.isEmpty, !isUnreadable { report(.unreadable(after: lastCounter)) }
        if let head {
            compare(with: head)
            // Never without another problem, but the last word is not left to that.
            if problems.isEmpty, length != head.entriesLength { report(.headDamaged) }
        } else if length > 0 || witness != nil {
            report(.headMissing)
        }
        guard let witness else { return problems }
        if witness.name != name {
            report(.anotherLog)
        } else if (head?.counter ?? 0) < witness.counter {
            report(.rolledBack(counter: head?.counter ?? 0, witness: witness.counter))
        } else if hashAtWitness != witness.lastHash {
            report(.rewritten(upTo: witness.counter))
        }
        return problems
    }

    private mutating func compare(with head: LogHead) {
        guard head.name == name else { return report(.anotherLog) }
        if let publicKey, head.publicKey != publicKey { return report(.headDamaged) }
        if lastCounter < head.counter {
            report(.cutOff(last: lastCounter, head: head.counter))
        } else if lastCounter > head.counter {
            report(.beyondHead(last: lastCounter, head: head.counter))
        } else if lastHash != head.lastHash {
            report(.headOfAnotherEntry(lastCounter))
        }
    }

    /// Whether the entry is the one that must come here.
    private mutating func follow(_ entry: LogEntry) {
        let expected = lastCounter + 1
        if entry.counter > expected {
            report(.missing(expected...(entry.counter - 1)))
        } else if entry.counter < expected {
            report(.outOfOrder(found: entry.counter, after: lastCounter))
        } else if entry.previous != lastHash {
            report(.spliced(entry.counter))
        }
        lastCounter = entry.counter
        lastHash = entry.hash
        if entry.counter == witness?.counter { hashAtWitness = lastHash }
    }

    /// The length of the whole entry at `start`; nil if it is not all there.
    private func nextLength(at start: Int) -> Int? {
        guard let count = frameLength(at: start), pending.count - start >= count else { return nil }
        return count
    }

    private func frameLength(at start: Int) -> Int? {
        guard pending.count - start >= 4 else { return nil }
        let count = (0..<4).reversed().reduce(0) { $0 << 8 | Int(pending[start + $1]) }
        return LogEntry.lengths.contains(count) ? count : nil
    }

    private mutating func stop() {
        isUnreadable = true
        pending = []
        report(.unreadable(after: lastCounter))
    }

    private mutating func report(_ problem: LogProblem) {
        if problems.count < Self.maximumProblems { problems.append(problem) }
    }
}
