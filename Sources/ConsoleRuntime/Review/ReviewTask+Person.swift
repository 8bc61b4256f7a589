import Configuration
import ConsoleCore
import Messages
import Prompts
import Wire

/// A review and a decision at a terminal, on its other screen.
extension ReviewTask {
    /// What a person did with a report.
    private enum Decision {
        case approve, reject, leave
    }

    private enum Outcome {
        case signed(SigningAnswer)
        case finished(txid: Bytes32, digits: [UInt8])
        case rejected, left
    }

    mutating func decideAtTerminal(_ id: EntryID) throws(CommandEnd) -> ExitCode {
        session.prompter.enterScreen()
        let outcome: Outcome
        do throws(CommandEnd) { outcome = try review(id) } catch {
            session.prompter.leaveScreen()
            throw error
        }
        session.prompter.leaveScreen()
        switch outcome {
        case .signed(let answer): try give(answer)
        case .finished(let txid, let digits): try give(digits, txid, of: id)
        case .rejected: sayRejected(id)
        case .left:
            // Nothing became of a file; a request waits on.
            if case .sign = job.work {
                throw .problem(.cancelled, "left without signing; nothing was changed")
            }
        }
        return .success
    }

    /// Shows the report until it is signed, rejected or left.
    private mutating func review(_ id: EntryID) throws(CommandEnd) -> Outcome {
        var (summary, screen) = try open(id)
        while true {
            switch try decision(&screen) {
            case .leave: return .left
            case .reject: if try rejects(id, &screen) { return .rejected }
            case .approve:
                do throws(CommandEnd) {
                    try acceptWarnings(summary, screen.report)
                    if case .made(let txid, let digits) = final {
                        return .finished(txid: txid, digits: digits)
                    }
                    return .signed(try approveAtTerminal(id, summary))
                } catch {
                    switch error {
                    case .prompt(.cancelled): screen.message = "nothing was approved"
                    case .refused(.notSigned(.otherReport, _)):
                        // The wallets changed since: what it says now has to be read.
                        (summary, screen) = try open(id)
                        screen.message = "the review says something else now; read it again"
                    default: throw error
                    }
                }
            }
        }
    }

    private mutating func open(
        _ id: EntryID
    ) throws(CommandEnd) -> (ReviewSummary, ReviewScreen) {
        let columns = UInt8(clamping: max(40, min(Screen.size(of: job.terminal).columns, 100)))
        let (summary, bytes) = try report(of: id, as: .text(columns: columns))
        var choices: ReviewScreen.Choices = []
        if summary.verdict != .stopped, !summary.signers.isEmpty { choices.insert(.approve) }
        if case .approve = job.work { choices.insert(.reject) }
        if case .made = final { choices.insert(.finish) }
        var screen = ReviewScreen(
            title: job.title, report: ReportText(bytes), choices: choices)
        if case .notYet(let why) = final { screen.message = why }
        return (summary, screen)
    }

    private func decision(_ screen: inout ReviewScreen) throws(CommandEnd) -> Decision {
        var keys = ScreenKeyDecoder()
        while true {
            let size = Screen.size(of: job.terminal)
            session.prompter.paint(screen.lines(columns: size.columns, rows: size.rows))
            let key: Key?
            do throws(PromptEnd) {
                key = try session.prompter.key { Screen.size(of: job.terminal) != size }
            } catch {
                throw .prompt(error)
            }
            guard let key, let key = keys.take(key) else { continue }
            switch screen.take(key) {
            case .more: continue
            case .approve: return .approve
            case .reject: return .reject
            case .leave: return .leave
            }
        }
    }

    private mutating func rejects(
        _ id: EntryID, _ screen: inout ReviewScreen
    ) throws(CommandEnd) -> Bool {
        let columns = Screen.size(of: job.terminal).columns
        let told = "Whoever asked for it is told the reason. Control-C goes back to the review."
        session.prompter.paint(
            above: ["Reject request \(id)", ""] + TextWrap.lines(told, columns: columns) + [""])
        let reason: String
        do throws(PromptEnd) {
            reason = try session.prompter.visible("Reason: ", limit: Limit.rejection)
        } catch {
            guard error == .cancelled else { throw .prompt(error) }
            screen.message = "it was not rejected"
            return false
        }
        try reject(id, reason)
        return true
    }

    // MARK: Approving

    /// Has every warning accepted. What is typed wrong is asked for again: typed once more above a
    /// review, its letters would be keys.
    private func acceptWarnings(
        _ summary: ReviewSummary, _ report: ReportText
    ) throws(CommandEnd) {
        let prompter = session.prompter
        let columns = Screen.size(of: job.terminal).columns
        for (place, code) in summary.warnings.enumerated() {
            let screen = AcceptScreen(
                code: code, place: place, total: summary.warnings.count, report: report)
            prompter.paint(above: screen.lines(columns: columns))
            while !screen.isAccepted(by: try visible("Accept: ")) {
                prompter.paint(above: screen.lines(columns: columns, isMistyped: true))
            }
        }
    }

    /// One attempt after the other, until it is signed or a person goes back. A password that is typed
    /// again never meets the keys of a review, one of which asks for a reason that others are told.
    private mutating func approveAtTerminal(
        _ id: EntryID, _ summary: ReviewSummary
    ) throws(CommandEnd) -> SigningAnswer {
        let wallet = try signer(summary)
        while true {
            do throws(CommandEnd) { return try approve(id, summary, wallet) } catch {
                guard case .refused(let refusal) = error, refusal.isRepeatable else { throw error }
                paint(summary, after: refusal.sentence)
            }
        }
    }

    /// What is approved, above the place where the password is typed.
    private func paint(_ summary: ReviewSummary, after problem: String? = nil) {
        session.prompter.paint(
            above: EntryText.approval(
                of: summary, title: job.title, after: problem,
                columns: Screen.size(of: job.terminal).columns))
    }

    /// The wallet that signs, below what is signed.
    private mutating func signer(_ summary: ReviewSummary) throws(CommandEnd) -> VaultRow {
        let prompter = session.prompter
        paint(summary)
        return try chooseWallet(summary.signers) { titles throws(CommandEnd) in
            for (place, title) in titles.enumerated() {
                prompter.tell("\(place + 1)  \(title)\r")
            }
            let typed = try Self.visible("Number of the wallet that signs: ", prompter)
            guard let number = Int(typed), titles.indices.contains(number - 1) else {
                throw .prompt(.cancelled)
            }
            return number - 1
        }
    }

    private func visible(_ label: String) throws(CommandEnd) -> String {
        try Self.visible(label, session.prompter)
    }

    private static func visible(_ label: String, _ prompter: Prompter) throws(CommandEnd) -> String
    {
        do throws(PromptEnd) { return try prompter.visible(label) } catch { throw .prompt(error) }
    }
}

extension VaultRefusal {
    /// Whether the same approval can be tried again at once, or a little later.
    fileprivate var isRepeatable: Bool {
        switch self {
        case .wrongPassword, .mustWait, .busy, .workerFailed, .littleMemory: true
        default: false
        }
    }
}
