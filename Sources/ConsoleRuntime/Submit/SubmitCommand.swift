import Configuration
import ConsoleCore
import JSON
import LinuxIO
import Messages
import Wire

/// `bulkhead submit`: hands a PSBT to the signer through the network process, waits for a person to
/// decide at the console, and writes the signed file beside it.
///
/// It talks through a confined child. When the connection is lost it asks again by the request's id, over
/// a new one.
enum SubmitCommand {
    static func run(
        _ words: CommandLineWords, _ options: CommandOptions
    ) throws(CommandEnd) -> ExitCode {
        var wait = SubmitWait(try SubmitJob(words, options))
        return try wait.run()
    }
}

/// The time from the request to its end.
struct SubmitWait {
    private let job: SubmitJob
    /// Whether the signer said that it has the request.
    private var isKnown = false
    private var isSubmitting: Bool
    private var shown: RequestState?
    private var failures = 0

    /// What to do after one piece of news.
    private enum Step {
        case listen
        /// Over a new connection.
        case askAgain
        case end(ExitCode)
    }

    /// How long a network process that was never heard may be silent.
    private static let patience = 30

    init(_ job: SubmitJob) {
        self.job = job
        isSubmitting = !job.isCollecting
    }

    mutating func run() throws(CommandEnd) -> ExitCode {
        say("request \(job.id.text)")
        while true {
            let step: Step
            do throws(HelperFailure) {
                step = try converse()
            } catch {
                step = try recover(from: error)
            }
            if case .end(let code) = step { return code }
            guard rest() else { return giveUp() }
        }
    }

    /// One connection, until it is lost or nothing more comes of it.
    private mutating func converse() throws(HelperFailure) -> Step {
        let helper: Helper
        do throws(ClientFailure) {
            helper = try SubmitConversation.start(job, submitting: isSubmitting)
        } catch {
            throw HelperFailure(error.exitCode, error.sentence)
        }
        while true {
            guard isReady(helper.number) else { return .askAgain }
            let bytes = try helper.answer(within: .seconds(60), limit: SubmitConversation.limit)
            let step = take(try SubmitConversation.news(in: bytes))
            guard case .listen = step else { return step }
        }
    }

    /// Waits for the child; false when the time is over.
    private func isReady(_ number: Int32) -> Bool {
        var set = PollSet()
        let place = set.add(number, .reading)
        try? set.wait(until: job.deadline)
        return set.canRead(at: place)
    }

    /// A second before the next try; false when the time is over.
    private func rest() -> Bool {
        let until = Kernel.timeSinceBoot() + .seconds(1)
        var set = PollSet()
        try? set.wait(until: min(until, job.deadline ?? until))
        return job.deadline.map { Kernel.timeSinceBoot() < $0 } ?? true
    }

    private mutating func recover(from failure: HelperFailure) throws(CommandEnd) -> Step {
        failures += 1
        let isHopeless = failure.exitCode == .confinement || failure.exitCode == .system
        let isAbsent = failure.exitCode == .unreachable || failures > Self.patience
        guard isKnown || job.isCollecting, !isHopeless else {
            guard !isHopeless, !isAbsent else {
                throw .problem(failure.exitCode, failure.sentence)
            }
            return .askAgain
        }
        if failures == 1 { say("the network process does not answer; it is asked again") }
        return .askAgain
    }

    // MARK: News

    private mutating func take(_ news: SubmitConversation.News) -> Step {
        failures = 0
        switch news {
        case .state(let state): return take(state)
        case .signed(let file, let isComplete): return write(file, isComplete: isComplete)
        case .otherFile(let why) where job.isCollecting:
            // Who typed the id chose the file, too: that is the likelier slip.
            return end(
                .input, "other-file",
                "\(why): this id was used for another PSBT than this file. Nothing was written, and the "
                    + "signed file waits on: give the PSBT that was submitted under this id. If it is this "
                    + "one, do not use that network process")
        case .untrue(let why), .otherFile(let why):
            return end(
                .channel, "untrue",
                "\(why). Nothing was written, and the request is still there: do not use that network "
                    + "process")
        }
    }

    private mutating func take(_ state: RequestState) -> Step {
        switch state {
        case .reviewing, .pending:
            isKnown = true
            isSubmitting = false
            if shown != state { say(state.sentence) }
            shown = state
            guard state == .pending, job.endsWhenPending else { return .listen }
            return end(.success, state.name, nil)
        case .signed:
            isKnown = true
            isSubmitting = false
            return .listen
        case .tooFast:
            isSubmitting = !job.isCollecting
            return .askAgain
        case .unknown:
            guard isKnown || job.isCollecting else {
                // The network process went before the signer had it.
                isSubmitting = true
                return .askAgain
            }
            return end(
                state.exitCode, state.name,
                "\(state.sentence): it was restarted before anybody decided. Nothing was signed; submit "
                    + "the file again")
        case .collected, .refused, .expired, .full:
            return end(state.exitCode, state.name, state.sentence)
        }
    }

    private func write(_ file: [UInt8], isComplete: Bool) -> Step {
        do throws(CommandEnd) {
            let path = try job.write(file, isComplete: isComplete)
            SubmitConversation.collect(job)
            let shown = VisibleText(path, limit: 300).description
            say(
                isComplete
                    ? "signed: \(shown)" : "signed in part, other signatures are missing: \(shown)")
            return end(.success, isComplete ? "signed" : "part", nil, path: path)
        } catch {
            return .end(error.tell(asJSON: job.options.printsJSON))
        }
    }

    // MARK: Saying it

    private func giveUp() -> ExitCode {
        let later = "bulkhead submit FILE --id \(job.id.text) collects it later"
        _ = end(
            .waiting, shown?.name ?? "unheard",
            isKnown
                ? "nobody has decided yet; \(later)"
                : "the signer has not answered yet; \(later)")
        return .waiting
    }

    private func end(
        _ code: ExitCode, _ state: String, _ sentence: String?, path: String? = nil
    ) -> Step {
        if job.options.printsJSON {
            let object = JSONValue.object([
                .init("schema", .string("bulkhead-submit-1")),
                .init("id", .string(job.id.text)), .init("state", .string(state)),
                .init("file", path.map { .string($0) } ?? .null),
                .init("sentence", sentence.map { .string($0) } ?? .null),
            ])
            StandardStream.out(object.text + "\n")
        } else if let sentence {
            StandardStream.error("bulkhead: \(sentence)\n")
        }
        return .end(code)
    }

    private func say(_ line: String) {
        guard !job.options.printsJSON else { return }
        StandardStream.out(line + "\n")
    }
}

extension RequestState {
    /// What to leave a command with that ends in this state, the same as where the file is reviewed
    /// without the network process.
    var exitCode: ExitCode {
        switch self {
        case .reviewing, .pending, .signed: .success
        case .unknown: .forgotten
        case .collected, .refused(.unreadable, _): .input
        case .refused, .expired, .full, .tooFast: .refused
        }
    }
}
