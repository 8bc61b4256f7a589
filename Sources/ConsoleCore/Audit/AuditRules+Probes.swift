public import Messages

/// What a probe tried, by the number that its row carries.
public struct ProbeMeaning: Hashable, Sendable {
    /// What was tried, in a few words.
    public let title: String
    /// Whether it must fail where it was tried.
    public let mustFail: Bool
    /// The name of the errno or signal in the row, for a table.
    public let summary: String

    /// The meaning of one row.
    public init(title: String, mustFail: Bool, summary: String) {
        self.title = title
        self.mustFail = mustFail
        self.summary = summary
    }
}

extension AuditRules {
    /// A row a probe. A process that does not answer gets one row that fails the audit: of a wall
    /// that nobody could try it must not be said that it stands.
    ///
    /// - Parameters:
    ///   - asked: The process whose probe child tried; rows of a worker are told apart by their place.
    ///   - rows: What became of the attempts; nil if the process did not answer.
    ///   - meaning: What each row stands for; nil for a number that no table knows.
    public static func probes(
        asked: AuditedProcess, _ rows: [ProbeRow]?,
        meaning: (AuditedProcess, ProbeRow) -> ProbeMeaning?
    ) -> [AuditRow] {
        guard let rows, !rows.isEmpty else {
            return [AuditRow(asked, "probes", "it does not answer", .missing, .nobody)]
        }
        return rows.map { row in
            let process = row.place == .worker ? AuditedProcess.worker : asked
            guard let meaning = meaning(process, row) else {
                let text = "unknown probe \(row.probe)"
                return AuditRow(process, text, "of another build", .notVerified, .probe)
            }
            let check = "probe: " + meaning.title
            return AuditRow(
                process, check, meaning.summary, verdict(row, mustFail: meaning.mustFail), .probe)
        }
    }

    private static func verdict(_ row: ProbeRow, mustFail: Bool) -> AuditRow.Verdict {
        let badSystemCall: Int32 = 31
        switch row.outcome {
        case .refused, .absent: return .good
        case .killed: return row.number == badSystemCall ? .good : .notVerified
        case .reached: return mustFail ? .hole : .good
        case .unclear: return .notVerified
        }
    }
}
