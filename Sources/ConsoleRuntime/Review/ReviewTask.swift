import Configuration
import ConsoleCore
import LinuxIO
import Messages
import Prompts
import SecretMemory
import StateFiles
import Vault
import Wire

/// What the confined child of a command on PSBTs does.
struct ReviewTask: ~Copyable {
    let job: ReviewJob
    let ties: Launcher.Ties
    var session: VaultSession
    /// What `--final` makes of a file that nobody here can sign.
    var final: Final

    /// The transaction of a file that lacks no signature.
    enum Final {
        /// It was not asked for, or the file is signed first.
        case none
        /// It is made of the signatures that came with the file.
        case made(txid: Bytes32, digits: [UInt8])
        /// The file lacks something; a sentence.
        case notYet(String)
    }

    /// The child's whole life.
    static func run(_ job: ReviewJob, _ ties: Launcher.Ties) -> ExitCode {
        do throws(CommandEnd) {
            var task = try ReviewTask(job, ties)
            return try task.run()
        } catch {
            if error.isWithoutLauncher { job.terminal?.restoreForLauncher() }
            return job.end(error).tell(asJSON: job.options.printsJSON)
        }
    }

    private init(_ job: ReviewJob, _ ties: Launcher.Ties) throws(CommandEnd) {
        // All at once: Swift 6.0.3 mends a noncopyable value badly that is half made when this throws.
        let session = try VaultSession.begin(
            job.options.runtimeDirectory, pipes: 14, terminal: job.terminal?.number,
            leash: ties.leash, answers: job.answers, idleLimit: job.idleLimit,
            keeping: job.descriptors.union([ties.report]), drawsBar: false)
        self.job = job
        self.ties = ties
        self.session = session
        final = .none
    }

    private mutating func run() throws(CommandEnd) -> ExitCode {
        switch job.work {
        case .review(let file): return try printReport(of: try submit(file))
        case .sign(let file):
            let entry = try submit(file)
            if job.words.has(.final), entry.summary.signers.isEmpty { try finalise(entry.id) }
            return try decide(entry.id, found: entry.summary)
        case .approve(let id): return try decide(id, found: nil)
        case .reject(let id, let reason):
            try reject(id, reason)
            sayRejected(id)
            return .success
        case .pending: return try listPending()
        }
    }

    // MARK: Questions

    /// Has a file reviewed; it waits then as long as this process is connected.
    private mutating func submit(_ file: [UInt8]) throws(CommandEnd) -> ReviewedEntry {
        guard case .entry(let result) = try session.converse(.submit(file: file)) else {
            throw .client(.unexpected)
        }
        switch result {
        case .success(let entry): return entry
        case .failure(let refusal): throw .entry(refusal)
        }
    }

    /// The report of what waits, and what its review found this time.
    mutating func report(
        of id: EntryID, as form: ReviewForm
    ) throws(CommandEnd) -> (summary: ReviewSummary, report: [UInt8]) {
        try session.handOutputPipe(collecting: true)
        guard case .entry(let result) = try session.converse(.review(id, form)) else {
            throw .client(.unexpected)
        }
        switch result {
        case .success(let entry): return (entry.summary, session.collected())
        case .failure(let refusal): throw .entry(refusal)
        }
    }

    /// Has the transaction made of a file that nobody here can sign, if it lacks no signature.
    private mutating func finalise(_ id: EntryID) throws(CommandEnd) {
        let bytes: [UInt8]
        do throws(CommandEnd) { bytes = try report(of: id, as: .transaction).report } catch {
            guard case .entry(.notComplete) = error else { throw error }
            final = .notYet(error.sentence)
            return
        }
        let parts = bytes.split(separator: 0x0A).map(Array.init)
        guard parts.count == 2, let hash = try? Hex.decode(utf8: parts[0]),
            let txid = Bytes32(hash.reversed())
        else { throw .client(.unexpected) }
        final = .made(txid: txid, digits: parts[1])
    }

    mutating func reject(_ id: EntryID, _ reason: String) throws(CommandEnd) {
        guard case .entryGone(let refusal) = try session.converse(.reject(id, reason: reason))
        else { throw .client(.unexpected) }
        if let refusal { throw .entry(refusal) }
    }

    func sayRejected(_ id: EntryID) {
        StandardStream.out(
            job.options.printsJSON
                ? EntryText.rejected(id).text + "\n" : "rejected: request \(id)\n")
    }

    private mutating func listPending() throws(CommandEnd) -> ExitCode {
        guard case .pending(let rows) = try session.converse(.pending) else {
            throw .client(.unexpected)
        }
        let text =
            job.options.printsJSON
            ? EntryText.json(of: rows).text : EntryText.lines(of: rows).joined(separator: "\n")
        StandardStream.out(text + "\n")
        return .success
    }

    private mutating func printReport(of entry: ReviewedEntry) throws(CommandEnd) -> ExitCode {
        let form: ReviewForm = job.options.printsJSON ? .json : .text(columns: 80)
        let (summary, bytes) = try report(of: entry.id, as: form)
        StandardStream.out(ReportText(bytes).lines.joined(separator: "\n") + "\n")
        return summary.verdict == .ready ? .success : .finding
    }

    // MARK: Decisions

    private mutating func decide(
        _ id: EntryID, found: ReviewSummary?
    ) throws(CommandEnd) -> ExitCode {
        guard job.words.has(.yesIfNoWarnings) else { return try decideAtTerminal(id) }
        if let found { return try signIfClean(id, found) }
        return try signIfClean(id, try report(of: id, as: .text(columns: 80)).summary)
    }

    /// Without a look at the report: whatever has a warning refuses.
    private mutating func signIfClean(
        _ id: EntryID, _ summary: ReviewSummary
    ) throws(CommandEnd) -> ExitCode {
        if case .made(let txid, let digits) = final, summary.warnings.isEmpty {
            try give(digits, txid, of: id)
            return .success
        }
        guard summary.verdict == .ready else {
            let codes = (summary.stops + summary.warnings).joined(separator: ", ")
            var sentence = "not signed, as the review found: \(VisibleText(codes, limit: 400)); "
            if case .notYet(let why) = final { sentence += why + " " }
            throw .problem(
                .refused,
                sentence + "bulkhead review FILE shows it, or bulkhead approve ID at a terminal")
        }
        let wallet = try chooseWallet(summary.signers) { _ in nil }
        let answer = try approve(id, summary, wallet)
        try give(answer)
        return .success
    }

    /// The wallet that signs: the named one, or the only one that can.
    ///
    /// - Parameter ask: Asks a person for the place of one of these titles; nil where there is nobody to ask.
    mutating func chooseWallet(
        _ signers: [VaultID], ask: ([String]) throws(CommandEnd) -> Int?
    ) throws(CommandEnd) -> VaultRow {
        let rows = try session.vaults().filter { signers.contains($0.id) }
        guard !rows.isEmpty else {
            throw .problem(.refused, "no wallet here can sign anything in it")
        }
        if let name = job.words.value(.wallet) {
            do throws(VaultChoice.Problem) {
                return try VaultChoice.find(name, kind: .wallet, in: rows)
            } catch {
                throw .problem(.input, "--wallet: \(error)")
            }
        }
        if rows.count == 1 { return rows[0] }
        let titles = rows.map { session.title(of: $0) }
        if let place = try ask(titles) { return rows[place] }
        throw .problem(
            .usage,
            "several wallets can sign; name one with --wallet: "
                + titles.joined(separator: ", "))
    }

    /// One attempt: asks for the password, and has it signed.
    mutating func approve(
        _ id: EntryID, _ summary: ReviewSummary, _ wallet: VaultRow
    ) throws(CommandEnd) -> SigningAnswer {
        guard session.hasPipes(2) else {
            throw .problem(.refused, "that was tried too often; begin anew")
        }
        let what = "password of \(session.title(of: wallet))"
        var fields = SecretFieldsWriter()
        do throws(PromptEnd) { fields.write(.password, try session.prompter.hidden(what)) } catch {
            throw .prompt(error)
        }
        try session.hand(fields)
        try session.handOutputPipe(collecting: true)
        let approval = PSBTApproval(
            file: summary.file, report: summary.report, wallet: wallet.id,
            accepted: Set(summary.warnings))
        let request = VaultRequest.approve(
            id, approval, wantsTransaction: job.words.has(.final))
        guard case .signed(let answer) = try session.ask(request) else {
            throw .client(.unexpected)
        }
        return answer
    }

    /// Writes what came out, and says what was signed.
    mutating func give(_ answer: SigningAnswer) throws(CommandEnd) {
        try give(answer, session.collected())
    }

    /// Writes a transaction for which nothing was signed here.
    func give(_ digits: [UInt8], _ txid: Bytes32, of id: EntryID) throws(CommandEnd) {
        let answer = SigningAnswer(
            entry: id, signatures: 0, txid: txid, fileBytes: 0,
            transactionBytes: UInt32(clamping: digits.count))
        try give(answer, digits)
    }

    private func give(_ answer: SigningAnswer, _ bytes: [UInt8]) throws(CommandEnd) {
        if let files = job.files {
            let count = Int(answer.fileBytes)
            guard bytes.count == count + Int(answer.transactionBytes), !bytes.isEmpty else {
                throw .problem(.channel, "signed, but the signed file did not come out whole")
            }
            do throws(Errno) {
                try files.write(bytes[..<count], transaction: bytes[count...])
            } catch {
                let names = files.names
                let name =
                    count > 0
                    ? names.path(isComplete: answer.isComplete) : names.folder + names.final
                throw .problem(
                    .system,
                    "\(count > 0 ? "signed, but " : "")\(name) did not take everything: \(error); "
                        + "choose another place with --out and sign it again")
            }
            if count > 0 {
                StandardStream.write(answer.isComplete ? "s\n" : "p\n", to: ties.report)
            }
            if answer.transactionBytes > 0 { StandardStream.write("t\n", to: ties.report) }
        }
        guard job.options.printsJSON else {
            let lines = EntryText.lines(of: answer, title: job.files == nil ? nil : job.title)
            return StandardStream.out(lines.joined(separator: "\n") + "\n")
        }
        let line = EntryText.json(of: answer, file: job.title, names: job.files?.names).line
        // It names the files, which are not under their names before the launcher has put them there.
        guard job.files != nil else { return StandardStream.out(line + "\n") }
        StandardStream.write("\(SignedFiles.answerMark)\(line)\n", to: ties.report)
    }
}
