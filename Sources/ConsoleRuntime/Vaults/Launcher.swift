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

    /// Forks a child that runs `work` with the writing end of the report's pipe, and waits for its end.
    static func run(
        at terminal: PersonTerminal?, _ work: (_ report: Int32) -> ExitCode
    ) -> Ended {
        Interruption.note()
        do throws(Errno) {
            let pipe = try Pipe()
            terminal?.hideTyping()
            defer { terminal?.restore() }
            let child = try Kernel.fork()
            if child == 0 {
                Kernel.exit(Int32(work(pipe.onlyWriting().take()).rawValue))
            }
            let (ending, report) = try wait(for: child, at: pipe.onlyReading())
            if case .exited(let status) = ending, let code = ExitCode(rawValue: UInt8(status)) {
                return Ended(code: code, report: report)
            }
            terminal?.leaveOtherScreen()
            if !Interruption.hasCome {
                StandardStream.error("bulkhead: its confined process ended early\n")
            }
            return Ended(code: Interruption.hasCome ? .cancelled : .confinement, report: report)
        } catch {
            StandardStream.error("bulkhead: \(error)\n")
            return Ended(code: .system, report: [])
        }
    }

    private static func wait(
        for child: Int32, at pipe: consuming FileDescriptor
    ) throws(Errno) -> (Kernel.Ending?, [UInt8]) {
        var report: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 256)
        while !Interruption.hasCome, report.count < 4096 {
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
