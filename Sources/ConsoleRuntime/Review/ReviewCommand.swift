import Configuration
import ConsoleCore
import LinuxIO
import Messages
import Wire

/// Runs a command on PSBTs: the launcher reads files and makes new ones, a confined child talks to the
/// signer and to the person, the launcher puts files under their names.
enum ReviewCommand {
    static func run(
        _ words: CommandLineWords, _ options: CommandOptions
    ) throws(CommandEnd) -> ExitCode {
        // From the first temporary file on, no signal may leave one behind.
        Interruption.note()
        guard words.row.command == .sign else { return run(try job(words, options)) }
        // One review, one decision and one answer for each file; the first that failed gives the status.
        var first = ExitCode.success
        for path in words.arguments {
            StandardStream.beginAnswer()
            let code: ExitCode
            do throws(CommandEnd) { code = run(try signing(path, words, options)) } catch {
                code = error.of(path).tell(asJSON: options.printsJSON)
            }
            if first == .success { first = code }
            if code == .cancelled { break }
        }
        return first
    }

    // MARK: Jobs

    private static func job(
        _ words: CommandLineWords, _ options: CommandOptions
    ) throws(CommandEnd) -> ReviewJob {
        let argument = words.arguments.first ?? ""
        switch words.row.command {
        case .review:
            let file = try PSBTSource.content(argument).bytes
            return ReviewJob(words, options, .review(file: file), title: argument)
        case .approve:
            let id = try entry(argument)
            var job = ReviewJob(
                words, options, .approve(id), title: "Request \(id) from the network process")
            try job.openPerson()
            return job
        case .reject:
            let reason = words.value(.reason) ?? ""
            guard reason.utf8.count <= Limit.rejection else {
                throw .problem(.usage, "--reason: at most \(Limit.rejection) bytes")
            }
            return ReviewJob(
                words, options, .reject(try entry(argument), reason: reason), title: "")
        default: return ReviewJob(words, options, .pending, title: "")
        }
    }

    private static func entry(_ text: String) throws(CommandEnd) -> EntryID {
        guard let number = UInt32(text), number > 0 else {
            throw .problem(
                .usage,
                "\(VisibleText(text, limit: 60)) is no number of what waits; bulkhead pending lists "
                    + "them")
        }
        return EntryID(number)
    }

    private static func signing(
        _ path: String, _ words: CommandLineWords, _ options: CommandOptions
    ) throws(CommandEnd) -> ReviewJob {
        let content = try PSBTSource.content(path)
        var job = ReviewJob(words, options, .sign(file: content.bytes), title: path)
        try job.openPerson()
        do throws(CommandEnd) {
            job.files = try SignedFiles(
                SignedFileNames(path, folder: words.value(.out)), withFinal: words.has(.final),
                writtenAs: content.text)
        } catch {
            job.terminal?.close()
            throw error
        }
        return job
    }

    // MARK: The child

    private static func run(_ job: ReviewJob) -> ExitCode {
        defer { job.terminal?.close() }
        let ended = Launcher.run(at: job.terminal, asJSON: job.options.printsJSON) { ties in
            ReviewTask.run(job, ties)
        }
        guard let files = job.files else { return ended.code }
        let (paths, problem) = files.commit(ended.report)
        if !job.options.printsJSON {
            for path in paths { StandardStream.out("written: \(VisibleText(path, limit: 300))\n") }
        }
        guard problem == nil else {
            let there = paths.map { VisibleText($0, limit: 300).description }
            let rest = there.isEmpty ? "" : "; written: " + there.joined(separator: ", ")
            let sentence = "signed, but not written: \(problem.map { "\($0)" } ?? "")\(rest)"
            return job.end(.problem(.system, sentence)).tell(asJSON: job.options.printsJSON)
        }
        // Nothing stands there, unless the child was ended behind its answer.
        if let answer = SignedFiles.answer(in: ended.report), !StandardStream.hasOutput {
            StandardStream.out(answer + "\n")
        }
        return ended.code
    }
}
