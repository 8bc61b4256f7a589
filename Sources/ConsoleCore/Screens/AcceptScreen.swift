import Wire

/// A warning that a person accepts by typing what it says: its code, which stands behind its sentence.
public struct AcceptScreen: Sendable {
    /// The code of the warning.
    public let code: String
    private let place: Int
    private let total: Int
    private let finding: (lines: [String], count: Int)

    /// The warning at `place`, counted from 0, of so many.
    public init(code: String, place: Int, total: Int, report: ReportText) {
        self.code = VisibleText(code, limit: 64).description
        self.place = place
        self.total = total
        finding = report.finding(code)
    }

    /// Whether what was typed accepts it: the code, with hyphens or spaces between its words.
    public func isAccepted(by typed: String) -> Bool {
        let words = typed.lowercased().split { $0 == "-" || $0.isWhitespace }
        return words.joined(separator: "-") == code
    }

    /// The lines above the place where it is typed.
    public func lines(columns: Int, isMistyped: Bool = false) -> [String] {
        var lines = ["Warning \(place + 1) of \(total)", ""]
        lines += finding.lines.isEmpty ? ["  \(code)"] : finding.lines
        if finding.count > 1 { lines.append("  and \(finding.count - 1) more of the same kind") }
        if isMistyped { lines += ["", "That was not \(code)."] }
        lines += [
            "", "To accept it, type \(code) and Enter. Control-C goes back to the review.", "",
        ]
        return lines.flatMap { TextWrap.lines($0, columns: max(20, columns)) }
    }
}
