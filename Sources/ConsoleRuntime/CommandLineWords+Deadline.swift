import ConsoleCore
import LinuxIO

extension CommandLineWords {
    /// When a wait of as many seconds as a flag gives is over, by the clock since boot; nil without it.
    func deadline(_ flag: CommandFlag) throws(CommandEnd) -> Duration? {
        do throws(Problem) {
            return try number(flag, in: 0...31_536_000)
                .map { Kernel.timeSinceBoot() + .seconds(Int64($0)) }
        } catch {
            throw .problem(.usage, "\(error)")
        }
    }
}
