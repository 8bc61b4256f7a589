import Configuration
import ConsoleCore
import LinuxIO
import Messages

/// `bulkhead sync --until-tip`: asks every second how far it is, until every block is searched.
enum SyncWait {
    static func run(_ options: CommandOptions) throws(CommandEnd) -> ExitCode {
        var shown = ""
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
            let line = progress.line
            if line != shown { StandardStream.error(line + "\n") }
            shown = line
            var set = PollSet()
            try? set.wait(until: Kernel.timeSinceBoot() + .seconds(1))
        }
    }
}

extension ChainProgress {
    /// Whether all that anybody knows of is searched.
    fileprivate var isDone: Bool {
        phase == .current && peers > 0 && (wallets == 0 || scannedHeight >= height)
    }
}
