import Foundation
import Testing

/// A terminal in whose place a test sits, with a program on it.
final class PersonTerminal {
    private let person: Int32
    private let terminal: Int32
    let program = Process()
    /// How the terminal was before the program.
    let before: termios
    private var collected = ""

    init() throws {
        var (own, other): (Int32, Int32) = (-1, -1)
        guard openpty(&own, &other, nil, nil, nil) == 0 else {
            throw TestFailure(description: "there is no terminal to be had")
        }
        (person, terminal) = (own, other)
        for number in [person, terminal] { _ = fcntl(number, F_SETFD, FD_CLOEXEC) }
        var settings = termios()
        guard tcgetattr(terminal, &settings) == 0, fcntl(person, F_SETFL, O_NONBLOCK) == 0 else {
            throw TestFailure(description: "the terminal cannot be used")
        }
        before = settings
        resize(columns: 80, rows: 24)
    }

    /// Gives the terminal another size; the grid stays one of 80 by 24.
    func resize(columns: UInt16, rows: UInt16) {
        var size = winsize(ws_row: rows, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
        _ = ioctl(terminal, UInt(TIOCSWINSZ), &size)
    }

    deinit {
        if program.isRunning { kill(program.processIdentifier, SIGKILL) }
        close(person)
        close(terminal)
    }

    /// Starts a program as the leader of a session of this terminal.
    func start(_ path: String, _ arguments: [String], environment: [String: String]? = nil) throws {
        program.executableURL = URL(filePath: "/usr/bin/setsid")
        program.arguments = ["--ctty", "--wait", path] + arguments
        if let environment { program.environment = environment }
        let handle = FileHandle(fileDescriptor: terminal, closeOnDealloc: false)
        program.standardInput = handle
        program.standardOutput = handle
        program.standardError = handle
        try program.runAsFromShell()
    }

    /// The program itself: setsid(1) forks only where it must.
    var leader: pid_t? {
        let started = program.processIdentifier
        let candidates = [started] + KeeperUnderTest.children(of: started)
        return candidates.first { KeeperUnderTest.name(of: $0) != "setsid" }
    }

    /// The local modes now: whether lines are edited and echoed, whether Ctrl-C is a signal.
    var modes: tcflag_t {
        var now = termios()
        tcgetattr(terminal, &now)
        return now.c_lflag
    }

    /// Whether every mode is as it was before the program.
    var isRestored: Bool {
        var now = termios()
        tcgetattr(terminal, &now)
        return now.c_lflag == before.c_lflag && now.c_iflag == before.c_iflag
            && now.c_oflag == before.c_oflag
    }

    /// Sets the modes as a shell does.
    func set(_ settings: termios) {
        var settings = settings
        tcsetattr(terminal, TCSANOW, &settings)
    }

    func type(_ text: String) {
        _ = Array(text.utf8).withUnsafeBytes { write(person, $0.baseAddress, $0.count) }
    }

    /// Everything that was shown so far.
    var shown: String {
        var bytes = [UInt8](repeating: 0, count: 4096)
        while case let count = read(person, &bytes, bytes.count), count > 0 {
            collected += String(decoding: bytes[..<count], as: UTF8.self)
        }
        return collected
    }

    func wait(_ what: String, seconds: Double = 60, until condition: () -> Bool) throws {
        let deadline = Date(timeIntervalSinceNow: seconds)
        while !condition() {
            guard Date() < deadline else {
                throw TestFailure(
                    description: "waited in vain for \(what); the terminal shows:\n\(shown)")
            }
            // A program whose terminal nobody reads stops.
            _ = shown
            usleep(5000)
        }
    }
}

extension Process {
    /// The threads of tests hold signals back, and a program inherits that; one from a shell does not.
    func runAsFromShell() throws {
        var (none, usual) = (sigset_t(), sigset_t())
        sigemptyset(&none)
        pthread_sigmask(SIG_SETMASK, &none, &usual)
        defer { pthread_sigmask(SIG_SETMASK, &usual, nil) }
        try run()
    }
}
