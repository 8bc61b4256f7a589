import Configuration
import LinuxIO

/// Runs the confined child of a command, and sees to it that the terminal and the files are right
/// whatever becomes of it.
enum Launcher {
    /// How the child ended.
    struct Ended {
        let code: ExitCode
        /// What it wrote into its pipe: which files are whole, and names for them.
        let report: [UInt8]
    }

    /// What a child has of its launcher.
    struct Ties {
        /// Where it reports.
        let report: Int32
        /// Ends with the launcher.
        let leash: Int32
    }

    /// Forks a child that runs `work`, and waits for its end.
    ///
    /// - Parameter asJSON: Whether to say it as JSON, too, where the child ends before it has answered.
    static func run(
        at terminal: PersonTerminal?, asJSON: Bool, _ work: (Ties) -> ExitCode
    ) -> Ended {
        do throws(Errno) {
            let pipe = try Pipe()
            let leash = try Pipe().take()
            terminal?.hideTyping()
            defer { terminal?.restore() }
            let child = try Kernel.fork()
            if child == 0 {
                if terminal != nil { Screen.outliveLauncher() }
                _ = FileDescriptor(owning: leash.writing)
                let ties = Ties(report: pipe.onlyWriting().take(), leash: leash.reading)
                StandardStream.announceAnswer(to: ties.report)
                let code = StandardStream.status(work(ties))
                StandardStream.reportLoss(to: ties.report)
                Kernel.exit(Int32(code.rawValue))
            }
            defer { for end in [leash.reading, leash.writing] { _ = FileDescriptor(owning: end) } }
            let (ending, report) = try wait(for: child, at: pipe.onlyReading())
            StandardStream.note(report)
            if case .exited(let status) = ending, let code = ExitCode(rawValue: UInt8(status)) {
                return Ended(code: code, report: report)
            }
            terminal?.leaveOtherScreen()
            return Ended(code: tellEarlyEnd(ending, asJSON: asJSON), report: report)
        } catch {
            let code = CommandEnd.problem(.system, "\(error)").tell(asJSON: asJSON)
            return Ended(code: code, report: [])
        }
    }

    private static func tellEarlyEnd(_ ending: Kernel.Ending?, asJSON: Bool) -> ExitCode {
        guard !Interruption.hasCome else {
            // A person knows what was pressed.
            guard asJSON else { return .cancelled }
            return CommandEnd.problem(
                .cancelled, "given up; bulkhead ledger list says what the signer did, if anything"
            ).tell(asJSON: true)
        }
        let how =
            if case .killed(let signal) = ending { "was ended by signal \(signal)" } else {
                "ended"
            }
        return CommandEnd.problem(
            .confinement,
            "this command's confined process \(how) before it was done: what was asked was done whole or "
                + "not at all, and bulkhead ledger list says which"
        ).tell(asJSON: asJSON)
    }

    /// Bytes of what a child may report: an answer that is printed once its files are there, too.
    private static let longestReport = 256 << 10

    private static func wait(
        for child: Int32, at pipe: consuming FileDescriptor
    ) throws(Errno) -> (Kernel.Ending?, [UInt8]) {
        var report: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4096)
        while !Interruption.hasCome, report.count < longestReport {
            var set = PollSet()
            set.add(pipe.number, .reading)
            // A signal between the look and the wait would be missed without a limit.
            try set.wait(until: Kernel.timeSinceBoot() + .milliseconds(250))
            guard set.canRead(at: 0) else { continue }
            let transfer = buffer.withUnsafeMutableBytes { bytes in
                try? Kernel.read(pipe.number, into: bytes)
            }
            // The end of the pipe comes when the child is ending: its status stands by then.
            guard case .moved(let count) = transfer else { break }
            report += buffer.prefix(count)
        }
        return (try Kernel.killAndReap(child), report)
    }
}
