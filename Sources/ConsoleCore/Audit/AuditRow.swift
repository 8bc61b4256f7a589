public import JSON
import Wire

/// The processes that an audit looks at.
public enum AuditedProcess: String, CaseIterable, Sendable {
    /// `bulkheadd`.
    case keeper
    /// `bulkhead-signer`, the broker.
    case signer
    /// A child of the signer that does one operation.
    case worker
    /// `bulkhead-network`.
    case network
    /// The confined screen of `bulkhead console`.
    case console
}

/// One line of an audit: what was looked at, what was found, and who saw it.
public struct AuditRow: Hashable, Sendable {
    /// What the finding means.
    public enum Verdict: String, Sendable {
        /// The wall stands here.
        case good = "ok"
        /// As good as this machine allows; another wall carries the load. Not a failure.
        case weaker
        /// Something required is not there.
        case missing = "MISSING"
        /// An attack reached its goal, or two witnesses contradict each other.
        case hole = "HOLE"
        /// Nobody could look; never counted as good.
        case notVerified = "not verified"
    }

    /// Who saw it.
    public enum Witness: String, Sendable {
        /// The kernel, through /proc.
        case kernel
        /// The process said it of itself.
        case process
        /// A probe tried it from inside.
        case probe
        /// No one.
        case nobody = "-"
    }

    /// The process in question.
    public let process: AuditedProcess
    /// What was checked, in a few words.
    public let check: String
    /// What was found, in a few words.
    public let finding: String
    /// What that means.
    public let verdict: Verdict
    /// Who saw it.
    public let witness: Witness

    /// A finding.
    public init(
        _ process: AuditedProcess, _ check: String, _ finding: String, _ verdict: Verdict,
        _ witness: Witness
    ) {
        self.process = process
        self.check = check
        self.finding = finding
        self.verdict = verdict
        self.witness = witness
    }
}

/// All rows of an audit and what they come to.
public struct AuditReport: Hashable, Sendable {
    /// The rows, grouped by process.
    public let rows: [AuditRow]

    /// A report of these rows.
    public init(_ rows: [AuditRow]) { self.rows = rows }

    /// Whether something required is missing or a hole was found: exit status 1.
    public var failed: Bool { rows.contains { $0.verdict == .missing || $0.verdict == .hole } }

    /// How many rows have this verdict.
    public func count(_ verdict: AuditRow.Verdict) -> Int {
        rows.count { $0.verdict == verdict }
    }

    /// The table that a person reads, and a last line that sums it up.
    public var lines: [String] {
        var table = TextTable(["process", "check", "finding", "verdict", "seen by"])
        for row in rows {
            table.append([
                row.process.rawValue, row.check, VisibleText(row.finding).description,
                row.verdict.rawValue, row.witness.rawValue,
            ])
        }
        return table.lines + ["", summary]
    }

    /// One sentence: holes, missing, weaker, not verified, good.
    public var summary: String {
        let counts: [(AuditRow.Verdict, String)] = [
            (.hole, "holes"), (.missing, "missing"), (.weaker, "weaker"),
            (.notVerified, "not verified"), (.good, "ok"),
        ]
        let parts = counts.map { "\(count($0.0)) \($0.1)" }.joined(separator: ", ")
        return (failed ? "The wall does NOT stand: " : "The wall stands: ") + parts + "."
    }

    /// The same for `--json`.
    public var json: JSONValue {
        .object([
            .init("schema", .string("bulkhead-audit-1")),
            .init("failed", .bool(failed)),
            .init("summary", .string(summary)),
            .init(
                "rows",
                .array(
                    rows.map { row in
                        .object([
                            .init("process", .string(row.process.rawValue)),
                            .init("check", .string(row.check)),
                            .init("finding", .string(row.finding)),
                            .init("verdict", .string(row.verdict.rawValue)),
                            .init("seenBy", .string(row.witness.rawValue)),
                        ])
                    })),
        ])
    }
}
