import Configuration
import ConsoleCore
import Glibc
import LinuxIO
import Messages

/// `bulkhead console`. This process takes over the terminal and watches; a confined child draws
/// the screen and talks to the signer, another brings the network's numbers.
enum ConsoleCommand {
    /// How the screen's process ended.
    private enum Ending: Int32 {
        case left = 0
        case connectAgain = 1
        case terminalGone = 2
        case launcherGone = 3
    }

    static func run(_ options: CommandOptions) -> ExitCode {
        // The keeper keeps both sockets while a process is down, so this one is missing by its role.
        guard !isWatching(options.runtimeDirectory) else {
            StandardStream.error(
                "bulkhead console: there is no signer here, as the role of this appliance is watch: "
                    + "use the console of the machine that has the signer, and bulkhead status here\n"
            )
            return .unreachable
        }
        guard let terminal = Terminal.takeOver() else {
            StandardStream.error("bulkhead console: standard input and output must be a terminal\n")
            return .usage
        }
        return run(options, on: terminal)
    }

    private static func isWatching(_ runtimeDirectory: String) -> Bool {
        access(runtimeDirectory + "/signer.sock", F_OK) != 0
            && access(runtimeDirectory + "/network.sock", F_OK) == 0
    }

    /// The terminal is given back when this returns.
    private static func run(
        _ options: CommandOptions, on terminal: borrowing Terminal
    ) -> ExitCode {
        guard let feed = startFeed(options.runtimeDirectory) else { return .system }
        while true {
            let ending = runScreen(options.runtimeDirectory, on: terminal, feed: feed.number)
            guard let ending else { return .system }
            switch ending {
            case .exited(Ending.left.rawValue): return .success
            case .exited(Ending.connectAgain.rawValue): continue
            case .exited(Ending.terminalGone.rawValue): return .system
            default: return .confinement
            }
        }
    }

    /// Runs one screen to its end. Each of the two sees the end of the other by the end of a pipe, of
    /// which the other holds the writing end.
    private static func runScreen(
        _ runtimeDirectory: String, on terminal: borrowing Terminal, feed: Int32
    ) -> Kernel.Ending? {
        do throws(Errno) {
            let life = try Pipe()
            let leash = try Pipe()
            let screen = try Kernel.fork()
            if screen == 0 {
                let pipes = Pipes(
                    feed: feed, life: life.onlyWriting().take(), leash: leash.onlyReading().take())
                let ending = draw(runtimeDirectory, pipes)
                if ending == .launcherGone { terminal.giveBackForLauncher() }
                Kernel.exit(ending.rawValue)
            }
            let held = leash.onlyWriting()
            let ending = try wait(for: screen, at: consume life)
            _ = consume held
            return ending
        } catch {
            return nil
        }
    }

    /// What a screen has beside the terminal and its connection.
    private struct Pipes {
        /// Where the network's numbers come from.
        let feed: Int32
        /// Ends with the screen.
        let life: Int32
        /// Ends with the launcher.
        let leash: Int32
    }

    private static func wait(
        for screen: Int32, at life: consuming Pipe
    ) throws(Errno) -> Kernel.Ending? {
        let end = life.onlyReading()
        var set = PollSet()
        set.add(end.number, .reading)
        try set.wait(until: nil)
        return try Kernel.killAndReap(screen)
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

    // MARK: The confined screen

    private static func draw(_ runtimeDirectory: String, _ pipes: Pipes) -> Ending {
        Screen.outliveLauncher()
        do throws(ClientFailure) {
            let password = try PasswordBuffer()
            var client = try SignerClient(connectingTo: World.signer.enter(runtimeDirectory))
            _ = try ConsoleConfinement.enter(
                keeping: [
                    Screen.keys, 1, 2, client.number, pipes.feed, pipes.life, pipes.leash,
                ], diesWithParent: false)
            _ = try client.ask(.hello)
            let ending = try show(&client, pipes)
            password.wipe()
            return ending
        } catch {
            let size = Screen.size
            let screen = HomeScreen(signer: .problem(error.sentence), network: nil)
            Screen.paint(screen.lines(columns: size.columns, rows: size.rows))
            var nothing: NetworkNumbers?
            return waitForKey(pipes, &nothing) ?? .connectAgain
        }
    }

    private static func show(
        _ client: inout SignerClient, _ pipes: Pipes
    ) throws(ClientFailure) -> Ending {
        var network: NetworkNumbers?
        while true {
            guard case .status(let status) = try client.ask(.status) else { throw .unexpected }
            let screen = HomeScreen(signer: .value(status), network: network)
            let size = Screen.size
            Screen.paint(screen.lines(columns: size.columns, rows: size.rows))
            if let ending = waitForKey(pipes, &network) { return ending }
        }
    }

    /// Waits one interval, or until a key asks for something; nil means to draw anew.
    private static func waitForKey(_ pipes: Pipes, _ network: inout NetworkNumbers?) -> Ending? {
        let deadline = Kernel.timeSinceBoot() + NetworkFeed.interval
        while Kernel.timeSinceBoot() < deadline {
            var set = PollSet()
            let keys = set.add(Screen.keys, .reading)
            let numbers = set.add(pipes.feed, .reading)
            let leash = set.add(pipes.leash, .reading)
            _ = try? set.wait(until: deadline)
            // Before the keys: a terminal that is the shell's again must not be read from.
            if set.isEnded(at: leash) { return .launcherGone }
            if set.canRead(at: numbers) { network = readNumbers(pipes.feed) }
            guard set.canRead(at: keys) else { continue }
            guard let typed = Screen.typed() else { return .terminalGone }
            let commands = typed.compactMap(HomeScreen.command)
            if commands.contains(.quit) { return .left }
            if commands.contains(.refresh) { return nil }
        }
        return nil
    }

    private static func readNumbers(_ feed: Int32) -> NetworkNumbers? {
        var record = [UInt8](repeating: 0, count: NetworkNumbers.size)
        let transfer = try? record.withUnsafeMutableBytes { try Kernel.read(feed, into: $0) }
        return transfer == .moved(NetworkNumbers.size) ? NetworkNumbers(record: record) : nil
    }
}
