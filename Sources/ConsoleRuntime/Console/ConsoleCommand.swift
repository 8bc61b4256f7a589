import Configuration
import ConsoleCore
import Glibc
import LinuxIO

/// `bulkhead console`. This process takes over the terminal and watches; a confined child draws
/// the screens and talks to the signer, another brings the network's numbers. What a person chooses on
/// the screens runs as the command that does it, on the terminal as it was.
enum ConsoleCommand {
    static func run(
        _ words: CommandLineWords, _ options: CommandOptions
    ) throws(CommandEnd) -> ExitCode {
        try run(options, idleLimit: try IdleLimit.of(words))
    }

    private static func run(
        _ options: CommandOptions, idleLimit: Duration
    ) throws(CommandEnd) -> ExitCode {
        // The keeper keeps both sockets while a process is down, so this one is missing by its role.
        guard !isWatching(options.runtimeDirectory) else {
            throw .problem(
                .unreachable,
                "there is no signer here, as the role of this appliance is watch: "
                    + "use the console of the machine that has the signer, and bulkhead status here"
            )
        }
        var feed: FileDescriptor?
        while true {
            guard let terminal = Terminal.takeOver() else {
                throw .problem(.usage, "standard input and output must be a terminal")
            }
            if feed == nil { feed = startFeed(options.runtimeDirectory) }
            guard let number = feed?.number else { return .system }
            let ended = showScreens(options.runtimeDirectory, terminal, number, idleLimit)
            terminal.end()
            switch ended {
            case .status(.confinement):
                throw .problem(
                    .confinement,
                    "the screens' confined process ended early; bulkhead ledger list says what the signer "
                        + "did, if anything")
            case .status(let code): return code
            case .task(let task):
                if let code = run(task, options, idleLimit) { return code }
            }
        }
    }

    private static func isWatching(_ runtimeDirectory: String) -> Bool {
        access(runtimeDirectory + "/signer.sock", F_OK) != 0
            && access(runtimeDirectory + "/network.sock", F_OK) == 0
    }

    // MARK: Tasks

    /// Runs the command for a task, and waits until the person has read what it says; a status where
    /// the console ends.
    private static func run(
        _ task: ConsoleTask, _ options: CommandOptions, _ idleLimit: Duration
    ) -> ExitCode? {
        defer { Interruption.forget() }
        do throws(CommandLineWords.Problem) {
            var flags = ["--runtime-directory", options.runtimeDirectory]
            if task.knowsIdle { flags += ["--idle", String(idleLimit.components.seconds)] }
            let words = try CommandLineWords(flags + task.arguments)
            _ = CommandLineTool.run(words, CommandOptions(words))
        } catch {
            StandardStream.error("bulkhead: \(error)\n")
        }
        guard !Interruption.hasCome else { return .cancelled }
        guard let person = PersonTerminal.open() else { return .system }
        defer { person.close() }
        guard person.line("Enter goes back to the console. ") == nil else { return nil }
        return Interruption.hasCome ? .cancelled : .system
    }

    // MARK: The screens' process

    private enum Ended {
        case status(ExitCode)
        case task(ConsoleTask)
    }

    private static func showScreens(
        _ runtimeDirectory: String, _ terminal: borrowing Terminal, _ feed: Int32,
        _ idleLimit: Duration
    ) -> Ended {
        while true {
            let ended = runScreens(runtimeDirectory, on: terminal, feed: feed, idleLimit)
            guard let (ending, record) = ended else { return .status(.system) }
            switch ending {
            case .exited(ConsoleProcess.Ending.left.rawValue): return .status(.success)
            case .exited(ConsoleProcess.Ending.connectAgain.rawValue): continue
            case .exited(ConsoleProcess.Ending.terminalGone.rawValue): return .status(.system)
            case .exited(ConsoleProcess.Ending.task.rawValue):
                // From a process that talks to others: no more than one of these tasks.
                return ConsoleTask(record: record).map(Ended.task) ?? .status(.confinement)
            default: return .status(.confinement)
            }
        }
    }

    /// Runs one process of screens to its end. Each of the two sees the end of the other by the end of a
    /// pipe, of which the other holds the writing end; the choice of a task comes through it too.
    private static func runScreens(
        _ runtimeDirectory: String, on terminal: borrowing Terminal, feed: Int32,
        _ idleLimit: Duration
    ) -> (Kernel.Ending?, [UInt8])? {
        do throws(Errno) {
            let life = try Pipe()
            let leash = try Pipe()
            let screen = try Kernel.fork()
            if screen == 0 {
                let pipes = ConsoleProcess.Pipes(
                    feed: feed, life: life.onlyWriting().take(), leash: leash.onlyReading().take())
                let ending = ConsoleProcess.run(runtimeDirectory, pipes, idleLimit)
                if ending == .launcherGone { terminal.giveBackForLauncher() }
                Kernel.exit(ending.rawValue)
            }
            let held = leash.onlyWriting()
            let record = try read(life.onlyReading())
            let ending = try Kernel.killAndReap(screen)
            _ = consume held
            return (ending, record)
        } catch {
            return nil
        }
    }

    /// Everything that comes until the end.
    private static func read(_ end: consuming FileDescriptor) throws(Errno) -> [UInt8] {
        var record: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 1024)
        while record.count <= ConsoleTask.maximumSize {
            let transfer = buffer.withUnsafeMutableBytes { bytes in
                try? Kernel.read(end.number, into: bytes)
            }
            switch transfer {
            case .moved(let count): record += buffer.prefix(count)
            case .wouldBlock:
                var set = PollSet()
                set.add(end.number, .reading)
                try set.wait(until: nil)
            case .ended, nil: return record
            }
        }
        return record
    }

    private static func startFeed(_ runtimeDirectory: String) -> FileDescriptor? {
        do throws(Errno) {
            let pipe = try Pipe()
            if try Kernel.fork() == 0 {
                // The reader's end closes here, so that it is gone with the screens and their launcher.
                NetworkFeed.run(runtimeDirectory, pipe: pipe.onlyWriting().take())
            }
            return pipe.onlyReading()
        } catch {
            return nil
        }
    }
}
