import JSON
public import Wire

/// The ledger as text that another program can verify: one JSON object a line.
///
/// The first line names the ledger and its public key, then each entry follows with its bytes and,
/// where this machine can open it, the entry's own key and what it says; the last line is the head.
/// The keys of an export open the entries of that export and nothing else.
public enum LedgerExport {
    /// The first line.
    public static func firstLine(
        of key: borrowing some LogEntryKeys & ~Copyable, publicKey: Bytes32
    )
        -> String
    {
        line([
            .init("bulkheadLedger", .integer(1)),
            .init("ledger", .string(Hex.encode(key.name.bytes.dropFirst()))),
            .init("publicKey", .string(publicKey.description)),
        ])
    }

    /// The line of one entry.
    public static func line(
        of entry: LogEntry, record: [UInt8]?, keys: borrowing some LogEntryKeys & ~Copyable
    ) -> String {
        var members: [JSONValue.Member] = [
            .init("entry", .integer(Int(clamping: entry.counter))),
            .init("time", .integer(Int(clamping: entry.time))),
            .init("scope", .string(Hex.encode(entry.scope.bytes))),
            .init("bytes", .string(Hex.encode(entry.bytes))),
        ]
        if let record {
            // DECLASSIFY: the key of one entry; with it the export proves what the entry says.
            let entryKey = keys.entryKey(entry.scope, nonce: entry.nonce).publicCopy()
            members.append(.init("key", .string(Hex.encode(entryKey))))
            members.append(.init("text", .string(text(of: record, scope: entry.scope))))
        }
        return line(members)
    }

    /// The last line.
    public static func lastLine(of head: LogHead) -> String {
        line([.init("head", .string(Hex.encode(head.bytes)))])
    }

    /// What an entry says, for a person.
    public static func text(of record: [UInt8], scope: LogScope) -> String {
        guard let read = try? LedgerRecord(record, scope: scope) else {
            return "an entry that this release cannot read"
        }
        guard let actor = read.actor else { return read.event.description }
        let terminal = actor.terminal.isEmpty ? "" : " at \(actor.terminal)"
        return "\(read.event) (user \(actor.user)\(terminal))"
    }

    private static func line(_ members: [JSONValue.Member]) -> String {
        JSONValue.object(members).line + "\n"
    }
}
