import Configuration
import ConsoleCore
import LinuxIO
import Messages
import Wire

/// Commands to the light client. This process reads and writes the files; a confined helper asks.
enum ChainCommand {
    static func run(
        _ words: CommandLineWords, _ options: CommandOptions
    ) throws(CommandEnd) -> ExitCode {
        guard words.has(.untilTip) || !words.has(.wait) else {
            throw .problem(.usage, "--wait goes with --until-tip")
        }
        if words.row.command == .sync, words.has(.untilTip) {
            return try SyncWait.run(words, options)
        }
        if words.row.command == .labelsExport { return try export(words, options) }
        if words.row.command == .labelsImport { return try importLabels(words, options) }
        let request = try ChainInput.request(words)
        if case .putLabels = request { return try put([request], options, isTyped: true) }
        let answers: [ChainAnswer]
        do throws(CommandEnd) { answers = try ask(request, options.runtimeDirectory) } catch {
            // What the network process finds wrong in a file.
            guard error.exitCode == .input, words.row.arguments.first == "FILE" else {
                throw error
            }
            throw error.of(words.arguments[0])
        }
        guard let report = report(answers, words) else {
            throw .problem(.channel, "the network process answered something else")
        }
        print(report, options)
        return .success
    }

    static func print(_ report: ChainReport, _ options: CommandOptions) {
        StandardStream.out(
            (options.printsJSON ? report.json.text : report.lines.joined(separator: "\n")) + "\n")
    }

    // MARK: Asking

    /// Bytes of all pages together: some 100,000 payments.
    private static let mostBytes = 64 << 20

    /// Asks, and asks on for as long as there are more rows.
    static func ask(
        _ request: ChainRequest, _ runtimeDirectory: String
    ) throws(CommandEnd) -> [ChainAnswer] {
        try ask(request, runtimeDirectory, within: .seconds(300)) { $0.following($1) }
    }

    /// Asks in one connection.
    ///
    /// - Parameter next: what to ask after a request and its answer; nil if that was all.
    private static func ask(
        _ request: ChainRequest, _ runtimeDirectory: String, within time: Duration,
        _ next: (ChainRequest, ChainAnswer) -> ChainRequest?
    ) throws(CommandEnd) -> [ChainAnswer] {
        let answers: [ChainAnswer]
        do {
            let bytes = try Helper.start { pipe throws(ClientFailure) in
                try converse(request, runtimeDirectory, pipe, next)
            }.answer(within: time, limit: mostBytes)
            answers = try Conversation.replies(in: bytes, as: QueryReply.self).compactMap { reply in
                if case .chain(let answer) = reply { answer } else { nil }
            }
        } catch let failure as HelperFailure {
            // Its own words do not say which process, nor what to do.
            let sentence =
                failure.exitCode == .channel
                ? "the network process gave no answer (\(failure.sentence)): what was asked may be done "
                    + "or not, so look before you ask again"
                : failure.sentence
            throw .problem(failure.exitCode, sentence)
        } catch let failure as ClientFailure {
            throw .client(failure)
        } catch {
            throw .problem(.system, "\(error)")
        }
        if case .refused(let refusal, let sentence)? = answers.last {
            throw .problem(refusal.exitCode, VisibleText(sentence, limit: 1000).description)
        }
        return answers
    }

    private static func converse(
        _ request: ChainRequest, _ runtimeDirectory: String, _ pipe: Int32,
        _ following: (ChainRequest, ChainAnswer) -> ChainRequest?
    ) throws(ClientFailure) -> [UInt8] {
        var client = try NetworkClient(connectingTo: World.network.enter(runtimeDirectory))
        _ = try ConsoleConfinement.enter(keeping: [pipe, client.number])
        // One that searches blocks answers between two of them.
        _ = try client.ask(.hello, within: .seconds(60))
        var writer = Writer()
        var next: ChainRequest? = request
        while let request = next {
            let reply = try client.ask(.chain(request), within: .seconds(120))
            Conversation.write(reply, to: &writer)
            next = nil
            if case .chain(let answer) = reply, writer.bytes.count < mostBytes - (1 << 20) {
                next = following(request, answer)
            }
        }
        return writer.bytes
    }

    private static func report(
        _ answers: [ChainAnswer], _ words: CommandLineWords
    ) -> ChainReport? {
        var rows: [HistoryRow] = []
        var coins: [CoinRow] = []
        for answer in answers {
            switch answer {
            case .done(let remarks): return .done(remarks)
            case .progress(let progress): return .progress(progress)
            case .peers(let rows): return .peers(rows)
            case .wallets(let rows, let tip):
                return words.row.command == .balance
                    ? .balance(rows, tip: tip) : .wallets(rows, tip: tip)
            case .address(let text, let index): return .address(text, index: index)
            case .broadcasts(let rows, let total): return .broadcasts(rows, total: Int(total))
            case .history(let page, _, _): rows += page
            case .coins(let page, _, _): coins += page
            case .labels, .labelsPut, .refused: return nil
            }
        }
        switch answers.last {
        case .history(_, _, let tip):
            return .history(rows, tip: tip, isOne: words.has(.txid))
        case .coins(_, _, let tip): return .coins(coins, tip: tip)
        default: return nil
        }
    }

    // MARK: Labels

    private static func export(
        _ words: CommandLineWords, _ options: CommandOptions
    ) throws(CommandEnd) -> ExitCode {
        let answers = try ask(.labels(afterType: "", ref: ""), options.runtimeDirectory)
        var lines: [UInt8] = []
        for case .labels(let page) in answers { lines += page }
        let count = lines.count { $0 == UInt8(ascii: "\n") }
        guard let path = words.arguments.first, path != "-" else {
            StandardStream.out(String(decoding: lines, as: UTF8.self))
            return .success
        }
        var isWritten = false
        do throws(OutputFile.Problem) {
            let file = try OutputFile(path, overwrites: words.has(.force))
            isWritten = (try? StandardStream.send(lines[...], to: file.descriptor)) != nil
            if isWritten { try file.commit() } else { file.discard() }
        } catch {
            throw .problem(.input, "\(error)")
        }
        guard isWritten else { throw .problem(.system, "\(path) could not be written") }
        print(.done(["\(counted(count, "label is", "labels are")) in \(path)"]), options)
        return .success
    }

    private static func importLabels(
        _ words: CommandLineWords, _ options: CommandOptions
    ) throws(CommandEnd) -> ExitCode {
        let bytes = try InputBytes.read(words.arguments[0], limit: 64 << 20)
        return try put(ChainInput.puts(of: bytes), options)
    }

    /// Hands over one part of a file after the other.
    private static func put(
        _ parts: [ChainRequest], _ options: CommandOptions, isTyped: Bool = false
    ) throws(CommandEnd) -> ExitCode {
        var sum = LabelsPut()
        if let first = parts.first {
            var rest = parts.dropFirst()
            // A slow disk may take seconds for a part.
            let time = Duration.seconds(300 + 10 * parts.count)
            let answers: [ChainAnswer]
            do throws(CommandEnd) {
                answers = try ask(first, options.runtimeDirectory, within: time) { _, answer in
                    if case .labelsPut = answer { rest.popFirst() } else { nil }
                }
            } catch {
                guard !isTyped else { throw error }
                throw .problem(
                    error.exitCode, error.sentence + ". Of a file all labels are taken or none")
            }
            for case .labelsPut(let kept, let leftOut, let reasons) in answers {
                sum.add(kept: kept, leftOut: leftOut, reasons)
            }
        }
        return try end(sum, options, isTyped: isTyped)
    }

    private static func end(
        _ sum: LabelsPut, _ options: CommandOptions, isTyped: Bool
    ) throws(CommandEnd) -> ExitCode {
        guard sum.kept > 0 else {
            var reasons = sum.leftOut == 0 ? ["there are none"] : Array(sum.sentences.dropFirst())
            // Of what was typed there was no file whose line could be named.
            if isTyped, let reason = reasons.first, let start = reason.firstIndex(of: ":") {
                reasons = [String(reason[reason.index(start, offsetBy: 2)...])]
            }
            throw .problem(.input, "no label is kept: " + reasons.joined(separator: "; "))
        }
        print(.labels(sum), options)
        return sum.leftOut == 0 ? .success : .finding
    }
}

extension ChainRequest {
    /// What to ask next if the answer was not all.
    fileprivate func following(_ answer: ChainAnswer) -> ChainRequest? {
        switch (self, answer) {
        case (.history(let name, let from), .history(let rows, let total, _)):
            let next = from + UInt32(rows.count)
            return rows.isEmpty || next >= total ? nil : .history(name, from: next)
        case (.coins(let name, let from), .coins(let rows, let total, _)):
            let next = from + UInt32(rows.count)
            return rows.isEmpty || next >= total ? nil : .coins(name, from: next)
        case (.labels, .labels(let lines)): return ChainInput.labels(after: lines)
        default: return nil
        }
    }
}

extension ChainRefusal {
    /// What to leave a command with.
    var exitCode: ExitCode {
        switch self {
        case .wallet, .input: .input
        case .full, .notAllowed: .refused
        case .store: .system
        case .notRunning: .unreachable
        }
    }
}
