import ConsoleCore
import LinuxIO
import Messages
import Prompts

/// The confined child that draws the screens of the console.
struct ConsoleProcess: ~Copyable {
    /// How it ended.
    enum Ending: Int32 {
        case left = 0
        case connectAgain = 1
        case terminalGone = 2
        case launcherGone = 3
        /// A task was chosen and written into the pipe.
        case task = 4
    }

    /// What it has beside the terminal and its connection.
    struct Pipes {
        /// Where the network's numbers come from.
        let feed: Int32
        /// Ends with this process, and takes the chosen task.
        let life: Int32
        /// Ends with the launcher.
        let leash: Int32
    }

    private var client: SignerClient
    private let pipes: Pipes
    private var feedHasEnded = false
    private var idle: IdleClock
    private var screens: ConsoleScreens
    private var keys = ScreenKeyDecoder()
    /// What was asked and is not answered.
    private var open: Set<Question> = []

    private enum Question: Hashable {
        case status, pending, vaults
    }

    /// The process's whole life.
    static func run(_ runtimeDirectory: String, _ pipes: Pipes, _ idleLimit: Duration) -> Ending {
        Screen.outliveLauncher()
        do throws(ClientFailure) {
            var client = try SignerClient(connectingTo: World.signer.enter(runtimeDirectory))
            _ = try ConsoleConfinement.enter(
                keeping: [
                    Screen.keys, 1, 2, client.number, pipes.feed, pipes.life, pipes.leash,
                ], diesWithParent: false)
            _ = try client.ask(.hello)
            guard case .status(let status) = try client.ask(.status) else { throw .unexpected }
            var process = ConsoleProcess(
                client: client, pipes: pipes, idle: IdleClock(idleLimit),
                screens: ConsoleScreens(HomeScreen(signer: .value(status))))
            return try process.show()
        } catch {
            return showProblem(error.sentence, pipes)
        }
    }

    private init(
        client: consuming SignerClient, pipes: Pipes, idle: IdleClock, screens: ConsoleScreens
    ) {
        self.client = client
        self.pipes = pipes
        self.idle = idle
        self.screens = screens
    }

    // MARK: Asking

    private mutating func show() throws(ClientFailure) -> Ending {
        try ask(.vaults, .operation(.list))
        try ask(.pending, .pending)
        var nextRound = Kernel.timeSinceBoot() + NetworkFeed.interval
        paint()
        while true {
            if let ending = try step(until: nextRound) { return ending }
            _ = dropsLate()
            if Kernel.timeSinceBoot() >= nextRound {
                try ask(.status, .status)
                try ask(.pending, .pending)
                nextRound = Kernel.timeSinceBoot() + NetworkFeed.interval
            }
            paint()
        }
    }

    /// Drops what was typed, where nobody typed for too long since; whether there was any.
    private mutating func dropsLate() -> Bool {
        guard screens.isTyping, idle.hasRunOut else { return false }
        screens.dropTyped(after: idle.seconds)
        return true
    }

    /// Asks, unless the same is asked already.
    private mutating func ask(
        _ question: Question, _ request: ConsoleRequest
    ) throws(ClientFailure) {
        guard open.insert(question).inserted else { return }
        try client.send(request)
    }

    private mutating func refresh() throws(ClientFailure) {
        try ask(.status, .status)
        try ask(.pending, .pending)
        try ask(.vaults, .operation(.list))
    }

    private func paint() {
        let size = Screen.size
        Screen.paint(screens.lines(columns: size.columns, rows: size.rows))
    }

    /// Waits for one thing to happen; an ending where the process ends.
    private mutating func step(until deadline: Duration) throws(ClientFailure) -> Ending? {
        var set = PollSet()
        let keys = set.add(Screen.keys, .reading)
        let numbers = feedHasEnded ? nil : set.add(pipes.feed, .reading)
        let leash = set.add(pipes.leash, .reading)
        let socket = set.add(client.number, client.interest)
        _ = try? set.wait(until: screens.isTyping ? min(deadline, idle.deadline) : deadline)
        // Before the keys: a terminal that is the shell's again must not be read from.
        if set.isEnded(at: leash) { return .launcherGone }
        if let numbers, set.canRead(at: numbers) { readNumbers() }
        if set.canWrite(at: socket) { try client.flush() }
        while let reply = try client.received() { try take(reply) }
        guard set.canRead(at: keys) else { return nil }
        guard let typed = Screen.typed() else { return .terminalGone }
        // While the machine slept the wait stood still, and these keys were meant for what is dropped now.
        let isLate = dropsLate()
        idle.begin()
        return isLate ? nil : try take(typed)
    }

    private mutating func take(_ reply: ConsoleReply) throws(ClientFailure) {
        switch reply {
        case .status(let status):
            open.remove(.status)
            screens.home.signer = .value(status)
        case .pending(let rows):
            open.remove(.pending)
            screens.home.requests = rows.map(HomeScreen.WaitingRequest.init)
        case .operationAnswer(.success(.vaults(let rows))):
            open.remove(.vaults)
            screens.home.vaults = rows
        case .operationAnswer(.failure(let refusal)):
            open.remove(.vaults)
            screens.home.message = refusal.sentence
        case .progress: break
        default: throw .unexpected
        }
    }

    private mutating func take(_ typed: [UInt8]) throws(ClientFailure) -> Ending? {
        for byte in typed {
            guard let key = keys.take(byte) else { continue }
            switch screens.take(key) {
            case .more: continue
            case .refresh: try refresh()
            case .quit: return .left
            case .run(let task):
                Helper.writeAll(task.record, to: pipes.life)
                return .task
            }
        }
        return nil
    }

    /// Takes the newest numbers of all that wait in the pipe.
    private mutating func readNumbers() {
        let size = NetworkNumbers.size
        // More than a pipe holds, so that nothing old stays in it.
        var records = [UInt8](repeating: 0, count: size << 12)
        let transfer = try? records.withUnsafeMutableBytes { bytes in
            try Kernel.read(pipes.feed, into: bytes)
        }
        guard case .moved(let count) = transfer, count >= size, count % size == 0 else {
            feedHasEnded = true
            screens.home.network = .silent
            return
        }
        screens.home.network =
            NetworkAnswer(record: Array(records[count - size..<count])) ?? .silent
    }

    // MARK: Without a signer

    private static func showProblem(_ sentence: String, _ pipes: Pipes) -> Ending {
        let size = Screen.size
        let screen = HomeScreen(signer: .problem(sentence), network: .silent)
        Screen.paint(screen.lines(columns: size.columns, rows: size.rows))
        let deadline = Kernel.timeSinceBoot() + NetworkFeed.interval
        var keys = ScreenKeyDecoder()
        while Kernel.timeSinceBoot() < deadline {
            var set = PollSet()
            let place = set.add(Screen.keys, .reading)
            let leash = set.add(pipes.leash, .reading)
            _ = try? set.wait(until: deadline)
            if set.isEnded(at: leash) { return .launcherGone }
            guard set.canRead(at: place) else { continue }
            guard let typed = Screen.typed() else { return .terminalGone }
            var screen = screen
            let steps = typed.compactMap { keys.take($0) }.map { screen.take($0) }
            if steps.contains(.quit) { return .left }
            if steps.contains(.refresh) { return .connectAgain }
        }
        return .connectAgain
    }
}

/// How long nobody typed, by a clock that counts on while the machine sleeps.
struct IdleClock {
    private let limit: Duration
    /// When everything typed is dropped.
    private(set) var deadline: Duration

    init(_ limit: Duration) {
        self.limit = limit
        deadline = Kernel.timeSinceBoot() + limit
    }

    var seconds: Int64 { limit.components.seconds }

    var hasRunOut: Bool { Kernel.timeSinceBoot() >= deadline }

    /// A key was typed.
    mutating func begin() { deadline = Kernel.timeSinceBoot() + limit }
}
