import ConsoleCore
import StateFiles

extension CommandLineWords {
    /// The day that `--birthday` names, in seconds since 1970; nil without the flag.
    ///
    /// - Parameter now: seconds since 1970.
    func birthday(now: UInt64) throws(CommandEnd) -> UInt64? {
        guard let text = value(.birthday) else { return nil }
        guard let day = UTCTime(date: text)?.secondsSince1970 else {
            throw .problem(.usage, "--birthday: a day is written as 2024-05-31")
        }
        guard day <= now else {
            throw .problem(
                .usage,
                "--birthday: this day is still to come, by this machine's clock; payments before it "
                    + "would not be looked for")
        }
        return day
    }
}
