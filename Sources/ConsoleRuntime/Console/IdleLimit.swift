import ConsoleCore
import LinuxIO

/// After how long without a key everything typed is dropped.
enum IdleLimit {
    /// Two minutes, or what `--idle` says, which is never more.
    static func of(_ words: CommandLineWords) throws(CommandEnd) -> Duration {
        do throws(CommandLineWords.Problem) {
            return .seconds(try words.number(.idle, in: 1...120) ?? 120)
        } catch {
            throw .problem(.usage, "\(error)")
        }
    }
}
