import Configuration
import ConsoleCore
import Glibc
import KitDocument
import LinuxIO

/// Runs a command on vaults: the launcher opens, a confined child asks, the launcher puts files under
/// their names.
enum VaultCommand {
    static func run(
        _ words: CommandLineWords, _ options: CommandOptions
    ) throws(CommandEnd) -> ExitCode {
        // From the first temporary file on, no signal may leave one behind.
        Interruption.note()
        if let folder = words.value(.everyChange) {
            options.print(.done(remarks: [try AutomaticBackup.set(folder)]))
            return .success
        }
        if words.row.command == .backup, words.arguments.isEmpty {
            throw .problem(.usage, "bulkhead backup needs the name of a file")
        }
        var job = try VaultJob(words, options)
        // Behind everything: whether an original goes is asked after the child's end.
        let terminal = job.terminal
        defer { terminal?.close() }
        if words.row.command == .itemsAdd { return try ItemAddition.run(&job) }
        if job.command == .walletDelete {
            job.typedName = words.value(.name)
            guard job.typedName != nil || job.terminal != nil else {
                throw .problem(.usage, "a script says which wallet it means by --name NAME")
            }
        }
        return try run(job)
    }

    /// Runs the child of a job whose files are open.
    static func run(_ job: VaultJob) throws(CommandEnd) -> ExitCode {
        if job.kit?.isPDF == true {
            do throws(KitDocumentError) { try KitPage.prepare() } catch {
                job.discard()
                throw .problem(.system, "\(error)")
            }
        }
        let ended = Launcher.run(at: job.terminal, asJSON: job.options.printsJSON) { ties in
            VaultTask.run(job, ties)
        }
        let failed = job.commit(ended.report)
        let code = failed ?? ended.code
        if code == .success { job.sayWhatIsNext(ended.report) }
        guard code != .success, let sentence = job.whatWasMade(ended.report, losing: failed != nil)
        else { return code }
        StandardStream.error("bulkhead: \(sentence)\n")
        return .incomplete
    }
}
