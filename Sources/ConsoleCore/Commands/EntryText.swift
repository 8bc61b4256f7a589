public import JSON
public import Messages
import StateFiles
import Wire

/// What waits to be signed and what became of it, for people and for programs.
public enum EntryText {
    // MARK: What waits

    /// What a person reads.
    public static func lines(of rows: [PendingEntry]) -> [String] {
        guard !rows.isEmpty else { return ["nothing waits"] }
        var table = TextTable(["ID", "AGE", "FROM", "SENDS BTC", "FEE BTC", "REVIEW"])
        for row in rows {
            table.append([
                row.id.description, duration(UInt64(row.age)), origin(row.origin),
                row.summary?.sent.map(bitcoins) ?? "?",
                row.summary.map { $0.fee.map(bitcoins) ?? "not provable" } ?? "?", verdict(row),
            ])
        }
        return table.lines
    }

    /// The same for `--json`.
    public static func json(of rows: [PendingEntry]) -> JSONValue {
        .object([
            .init("schema", .string("bulkhead-pending-1")),
            .init("entries", .array(rows.map(json))),
        ])
    }

    /// One line of the home screen.
    public static func line(of row: PendingEntry) -> String {
        guard let summary = row.summary else { return "under review, \(duration(UInt64(row.age)))" }
        let sent = summary.sent.map { "sends \(amount($0))" } ?? "no transaction"
        return "\(sent), fee \(fee(summary)), \(verdict(row)), \(duration(UInt64(row.age)))"
    }

    private static func origin(_ origin: PendingEntry.Origin) -> String {
        switch origin {
        case .link: "network"
        case .console(let uid): "user \(uid)"
        }
    }

    private static func verdict(_ row: PendingEntry) -> String {
        guard let summary = row.summary else { return "under way" }
        switch summary.verdict {
        case .ready: return "no warnings"
        case .warned: return counted(summary.warnings.count, "warning")
        case .stopped: return "is not signed"
        }
    }

    private static func fee(_ summary: ReviewSummary) -> String {
        summary.fee.map(amount) ?? "not provable"
    }

    private static func amount(_ sats: UInt64) -> String { bitcoins(sats) + " BTC" }

    /// Satoshis as `0.00300000`.
    private static func bitcoins(_ sats: UInt64) -> String {
        let rest = String(sats % 100_000_000)
        return "\(sats / 100_000_000)." + String(repeating: "0", count: 8 - rest.count) + rest
    }

    private static func json(of row: PendingEntry) -> JSONValue {
        var members: [JSONValue.Member] = [.init("id", .integer(Int(row.id.number)))]
        switch row.origin {
        case .link: members.append(.init("origin", .string("network")))
        case .console(let uid):
            members.append(.init("origin", .string("console")))
            members.append(.init("user", .integer(Int(uid))))
        }
        members.append(.init("bytes", .integer(Int(row.size))))
        members.append(.init("ageSeconds", .integer(Int(row.age))))
        members.append(.init("leftSeconds", row.left.map { .integer(Int($0)) } ?? .null))
        members.append(.init("review", row.summary.map(json) ?? .null))
        return .object(members)
    }

    private static func json(of summary: ReviewSummary) -> JSONValue {
        .object([
            .init("fileSHA256", .string(Hex.encode(summary.file.array))),
            .init("reportSHA256", .string(Hex.encode(summary.report.array))),
            .init("verdict", .string("\(summary.verdict)")),
            .init("stops", .array(summary.stops.map { .string($0) })),
            .init("warnings", .array(summary.warnings.map { .string($0) })),
            .init("feeSats", number(summary.fee)), .init("sentSats", number(summary.sent)),
            .init("inputs", .integer(Int(summary.inputs))),
            .init("payments", .integer(Int(summary.payments))),
            .init("returns", .integer(Int(summary.returns))),
            .init("wallets", .array(summary.signers.map { .string($0.description) })),
        ])
    }

    private static func number(_ value: UInt64?) -> JSONValue {
        value.map { .integer(Int(clamping: $0)) } ?? .null
    }

    // MARK: What became of it

    /// What a person reads before typing the password.
    public static func approval(
        of summary: ReviewSummary, title: String, after problem: String? = nil, columns: Int
    ) -> [String] {
        let sent = summary.sent.map(amount) ?? "nothing"
        let lines = [
            "Approve \(VisibleText(title, limit: 60))", "",
            "  leaves to others  \(sent) in \(counted(Int(summary.payments), "output"))",
            "  fee               \(fee(summary))", "",
        ]
        let problemLines = problem.map { [VisibleText($0, limit: 300).description, ""] } ?? []
        let question = [
            "The password signs it. Control-C goes back to the review.", "",
        ]
        return (lines + problemLines + question).flatMap { TextWrap.lines($0, columns: columns) }
    }

    /// What a person reads once it is signed.
    public static func lines(of answer: SigningAnswer, title: String? = nil) -> [String] {
        let what = VisibleText(title ?? "request \(answer.entry)", limit: 200)
        var lines = ["complete: \(what) has all signatures, and none was made"]
        if answer.signatures > 0 {
            let made = counted(Int(answer.signatures), "signature")
            let state = answer.isComplete ? "complete" : "signatures of others are missing"
            lines = ["signed: \(what), \(made), \(state)"]
        }
        if let txid = answer.txid { lines.append("txid \(txid.reversed)") }
        for remark in answer.remarks { lines.append(VisibleText(remark, limit: 300).description) }
        return lines
    }

    /// The same for `--json`, with the files that are written.
    public static func json(
        of answer: SigningAnswer, file: String? = nil, names: SignedFileNames? = nil
    ) -> JSONValue {
        let output = answer.fileBytes > 0 ? names?.path(isComplete: answer.isComplete) : nil
        let final = answer.transactionBytes > 0 ? names.map { $0.folder + $0.final } : nil
        return .object([
            .init("schema", .string("bulkhead-signed-1")),
            .init("entry", .integer(Int(answer.entry.number))),
            .init("file", file.map { .string($0) } ?? .null),
            .init("signatures", .integer(Int(answer.signatures))),
            .init("complete", .bool(answer.isComplete)),
            .init("txid", answer.txid.map { .string($0.reversed.description) } ?? .null),
            .init("output", output.map { .string($0) } ?? .null),
            .init("transaction", final.map { .string($0) } ?? .null),
            .init("remarks", .array(answer.remarks.map { .string($0) })),
        ])
    }

    /// That something was rejected, for `--json`.
    public static func rejected(_ id: EntryID) -> JSONValue {
        .object([
            .init("schema", .string("bulkhead-rejected-1")),
            .init("id", .integer(Int(id.number))),
        ])
    }
}

extension HomeScreen.WaitingRequest {
    /// What waits, as the home screen lists it.
    public init(_ row: PendingEntry) {
        self.init(id: row.id.number, text: EntryText.line(of: row))
    }
}

extension EntryRefusal {
    /// The case's name: stable, for programs.
    public var code: String {
        switch self {
        case .unreadable: "unreadable"
        case .alreadyWaiting: "already-waiting"
        case .full: "full"
        case .noSuchEntry: "no-such-entry"
        case .decided: "decided"
        case .underReview: "under-review"
        case .beingSigned: "being-signed"
        case .noOutput: "no-output"
        case .outputFailed: "output-failed"
        case .busy: "busy"
        case .reviewFailed: "review-failed"
        case .notComplete: "not-complete"
        }
    }
}
