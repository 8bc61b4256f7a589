import Bitcoin
import PSBT
import Wire

extension ReviewReport {
    /// What a person reads before deciding: what leaves and to whom, what comes back, the fee, what
    /// stops or warns, then the coins that are spent and the names of the file.
    ///
    /// Printable ASCII, at most `columns` wide. Blocks belong together: a page should not end within
    /// one.
    ///
    /// - Precondition: there are at least 40 columns.
    public func textBlocks(columns: Int = 80) -> [[String]] {
        precondition(columns >= 40)
        let writer = ReportText(report: self, layout: TextLayout(columns: columns))
        return writer.blocks
    }

    /// The blocks on pages of at most `rows` lines. A block is cut only where it is longer than a page.
    ///
    /// - Precondition: there are at least 40 columns and one row.
    public func textPages(columns: Int = 80, rows: Int) -> [[String]] {
        precondition(rows >= 1)
        var pages: [[String]] = []
        var page: [String] = []
        for block in textBlocks(columns: columns) {
            if !page.isEmpty, page.count + block.count > rows {
                pages.append(page)
                page = []
            }
            page += block
            while page.count > rows {
                pages.append(Array(page.prefix(rows)))
                page.removeFirst(rows)
            }
        }
        return page.isEmpty ? pages : pages + [page]
    }
}

extension ReviewReport {
    /// Whether that there is nothing to sign is all that stops it.
    fileprivate var hasNothingToSign: Bool {
        findings.allSatisfy { $0.check.severity != .stop || $0.check == .nothingToSign }
    }
}

/// Writes a report for a person.
private struct ReportText {
    let report: ReviewReport
    let layout: TextLayout

    var blocks: [[String]] {
        var blocks = [headline]
        if let fact = report.transaction {
            blocks += outputBlocks
            blocks.append(fee(fact))
        }
        blocks += findingBlocks
        if report.transaction != nil {
            let spent = report.inputs.indices.map(input)
            blocks += section("WHAT IS SPENT", spent, empty: "Nothing.")
        }
        blocks.append(names)
        return blocks
    }

    private var outputBlocks: [[String]] {
        var leaving: [[String]] = []
        var returning: [[String]] = []
        for index in report.outputs.indices {
            if report.outputs[index].role.isOwn {
                returning.append(output(index))
            } else {
                leaving.append(output(index))
            }
        }
        let blocks = section("WHAT LEAVES", leaving, empty: "Nothing but the fee.")
        return blocks + section("WHAT COMES BACK", returning, empty: "Nothing.")
    }

    // MARK: Head and foot

    private var headline: [String] {
        let warnings = report.findings.count { $0.check.severity == .warn }
        let text =
            switch report.verdict {
            case .ready: "This payment on \(report.network) can be signed."
            case .warned:
                "This payment on \(report.network) can be signed if you accept "
                    + (warnings == 1 ? "the warning." : "all \(warnings) warnings.")
            case .stopped where report.hasNothingToSign:
                "There is nothing to sign in this file. The reason is below."
            case .stopped: "This file is not signed. The reasons are below."
            }
        return layout.wrapped(text) + [""]
    }

    private var names: [String] {
        var lines = ["NAMES"]
        if let txid = report.transaction?.unsignedTxid {
            lines += layout.wrapped("txid without signatures \(txid)", first: "  ", rest: "    ")
        }
        lines += layout.wrapped("SHA-256 of the PSBT \(report.psbtHash)", first: "  ", rest: "    ")
        return lines
            + layout.wrapped(
                "SHA-256 of this report \(report.digest)", first: "  ", rest: "    ")
    }

    /// A section whose title stays with its first entry.
    private func section(_ title: String, _ entries: [[String]], empty: String) -> [[String]] {
        guard var first = entries.first else { return [[title, "  " + empty, ""]] }
        first.insert(title, at: 0)
        return [first] + entries.dropFirst()
    }

    // MARK: Outputs and inputs

    private func output(_ index: Int) -> [String] {
        let output = report.outputs[index]
        var lines = layout.wrapped(
            TextLayout.amount(output.value), first: "  \(index)  ", rest: "     ")
        if let owner = output.owner, output.role.isOwn {
            let what =
                switch output.role {
                case .change: "change"
                case .receive: "own address for receiving"
                default: "another own account"
                }
            lines += indented("\(what), \(owner.path)")
        }
        lines += destination(output)
        return lines + [""]
    }

    private func destination(_ output: OutputFact) -> [String] {
        if output.role == .data {
            let data = output.scriptPubKey.bytes.dropFirst()
            let shown = data.prefix(ReportText.shownBytes)
            let more = ReportText.more(data.count - shown.count)
            return indented("data that everybody can read: \(TextLayout.visible(shown))\(more)")
                + indented("in hexadecimal: \(TextLayout.groups(Hex.encode(shown)))\(more)")
        }
        if let address = Address(scriptPubKey: output.scriptPubKey, network: report.network) {
            return indented(TextLayout.groups(address.text))
        }
        let shown = output.scriptPubKey.bytes.prefix(ReportText.shownBytes)
        let more = ReportText.more(output.scriptPubKey.bytes.count - shown.count)
        return indented("script without an address: \(TextLayout.groups(Hex.encode(shown)))\(more)")
    }

    private static func more(_ count: Int) -> String {
        count > 0 ? " and \(counted(count, "byte")) more" : ""
    }

    /// More bytes of data or of an unknown script say nothing to a person.
    private static let shownBytes = 160

    private func input(_ index: Int) -> [String] {
        let input = report.inputs[index]
        let amount = input.spent.map { TextLayout.amount($0.value) } ?? "unknown amount"
        let whose = input.owner.map { "own, \($0.path)" } ?? "not ours"
        var lines = layout.wrapped(
            "\(amount), \(input.proof.rawValue)", first: "  \(index)  ", rest: "     ")
        lines += indented(input.isSignable ? whose : whose + ", gets no signature of ours")
        lines += indented("\(input.outpoint)")
        return lines + [""]
    }

    // MARK: Fee and findings

    private func fee(_ fact: TransactionFact) -> [String] {
        var lines = ["FEE"]
        switch fact.fee {
        case .proven(let fee):
            lines += indented(TextLayout.amount(fee))
            if let feerate = fact.feerate {
                let tenths = feerate / 100
                lines += indented("\(tenths / 10).\(tenths % 10) sat/vB at least")
            }
        case .notProvable(let inputs):
            lines += indented(
                "Not known: the amount of \(inputs) of \(counted(report.inputs.count, "input")) is not proven."
            )
        case .negative: lines += indented("Impossible: more is paid than is spent.")
        }
        if report.inputs.contains(where: { $0.owner == nil }) {
            lines += indented(net(fact))
        }
        return lines + [""]
    }

    /// Says no more of other coins than that they are not known: an own one may be named wrongly.
    private func net(_ fact: TransactionFact) -> String {
        let gain = fact.ownReceived.subtracting(fact.ownSpent) ?? .zero
        guard report.inputs.contains(where: { $0.owner != nil }) else {
            return "No coin that is spent is known as yours."
                + (gain == .zero ? "" : " You get \(TextLayout.amount(gain)).")
        }
        if let loss = fact.ownSpent.subtracting(fact.ownReceived) {
            return "Not every coin that is spent is known as yours. Of yours you give "
                + "\(TextLayout.amount(loss)), fee included."
        }
        return
            "Not every coin that is spent is known as yours. You get \(TextLayout.amount(gain)) more "
            + "than you give."
    }

    private var findingBlocks: [[String]] {
        let titles: [ReviewCheck.Severity: String] = [
            .stop: "WHY IT IS NOT SIGNED", .warn: "WARNINGS", .note: "NOTES",
        ]
        return ReviewCheck.Severity.allCases.reversed().flatMap { severity -> [[String]] in
            let found = report.findings.filter { $0.check.severity == severity }
            guard !found.isEmpty, let title = titles[severity] else { return [] }
            let entries = found.map { finding in
                layout.wrapped(
                    "\(finding.sentence) [\(finding.check.code)]", first: "  ", rest: "    ") + [""]
            }
            return section(title, entries + unlisted(severity), empty: "")
        }
    }

    /// Says of checks with very many findings how many are not listed.
    private func unlisted(_ severity: ReviewCheck.Severity) -> [[String]] {
        zip(ReviewCheck.allCases, report.outcomes).compactMap { check, outcome in
            guard case .failed(let count) = outcome, check.severity == severity,
                count > Finding.maximumListed
            else { return nil }
            let more = TextLayout.number(UInt64(count - Finding.maximumListed))
            return layout.wrapped(
                "\(more) more such findings are not listed. [\(check.code)]", first: "  ",
                rest: "    ") + [""]
        }
    }

    private func indented(_ text: String) -> [String] {
        layout.wrapped(text, first: "     ", rest: "     ")
    }
}
