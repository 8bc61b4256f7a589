import Configuration
import ConsoleCore
import LinuxIO
import Messages

/// `bulkhead sync --until-tip`: asks every second how far it is, until every block is searched.
enum SyncWait {
    /// How long a phase goes on between two lines about it.
    private static let interval = Duration.seconds(10)

    static func run(
        _ words: CommandLineWords, _ options: CommandOptions
    ) throws(CommandEnd) -> ExitCode {
        let deadline = try words.deadline(.wait)
        var narration = SyncNarration(interval: interval)
        while true {
            let answers = try ChainCommand.ask(.progress, options.runtimeDirectory)
            guard case .progress(let progress)? = answers.last else {
                throw .problem(.channel, "the network process answered something else")
            }
            if progress.isDone {
                ChainCommand.print(.progress(progress), options)
                return .success
            }
            if progress.phase == .storeUnusable {
                ChainCommand.print(.progress(progress), options)
                return .finding
            }
            let now = Kernel.timeSinceBoot()
            switch narration.words(on: progress, at: now) {
            case .line(let text), .advice(let text): StandardStream.error(text + "\n")
            case nil: break
            }
            guard deadline.map({ now < $0 }) ?? true else {
                throw .problem(.waiting, "not every block is searched yet: \(progress.advice)")
            }
            var set = PollSet()
            try? set.wait(until: min(now + .seconds(1), deadline ?? now + .seconds(1)))
        }
    }
}

extension ChainProgress {
    /// Whether all that anybody knows of is searched.
    fileprivate var isDone: Bool {
        phase == .current && peers > 0 && (wallets == 0 || scannedHeight >= height)
    }
}
