import Glibc
import LinuxIO

/// A terminal of the person, as it was and as a command takes it: mostly `/dev/tty`, whatever standard
/// input and output are.
///
/// A plain value without a deinit, for the sake of forks; the launcher gives the terminal back.
struct PersonTerminal {
    let number: Int32
    private let before: termios

    /// Opens it; nil where the command has none.
    static func open() -> PersonTerminal? {
        let number = Glibc.open("/dev/tty", O_RDWR | O_NOCTTY | O_CLOEXEC)
        guard number >= 0 else { return nil }
        if let terminal = PersonTerminal(number) { return terminal }
        Glibc.close(number)
        return nil
    }

    /// The terminal of an open descriptor; nil if it is none.
    init?(_ number: Int32) {
        var settings = termios()
        guard tcgetattr(number, &settings) == 0 else { return nil }
        self.number = number
        before = settings
    }

    private var hidden: termios {
        var settings = before
        settings.c_lflag &= ~tcflag_t(ICANON | ECHO | ISIG | IEXTEN)
        settings.c_iflag &= ~tcflag_t(IXON | ICRNL)
        return settings
    }

    /// From here on keys come one by one, nothing is echoed, and Control-C is a key; false where the
    /// terminal does not do that.
    @discardableResult
    func hideTyping() -> Bool {
        var settings = hidden
        return tcsetattr(number, TCSAFLUSH, &settings) == 0
    }

    /// Whether it is still as `hideTyping` left it: where a launcher was killed its shell may have given
    /// it back.
    var hidesTyping: Bool {
        var now = termios()
        return tcgetattr(number, &now) == 0 && now.c_lflag == hidden.c_lflag
            && now.c_iflag == hidden.c_iflag
    }

    /// In the child's process: gives the terminal back in place of a launcher that was killed, unless a
    /// shell has already done so.
    func restoreForLauncher() {
        guard hidesTyping else { return }
        leaveOtherScreen()
        restore()
    }

    /// Gives it back as it was; what was typed meanwhile is dropped.
    func restore() {
        var settings = before
        tcsetattr(number, TCSAFLUSH, &settings)
    }

    /// After a child that did not end by itself: leaves the other screen, empty.
    func leaveOtherScreen() { say("\u{1b}[?1049h\u{1b}[2J\u{1b}[?25h\u{1b}[?1049l") }

    /// It is not used here any more.
    func close() { Glibc.close(number) }

    /// Writes to it.
    func say(_ text: String) { StandardStream.write(text, to: number) }

    /// A line that is no secret, as the terminal itself lets it be edited; nil at its end.
    func line(_ question: String) -> String? {
        say(question)
        var bytes: [UInt8] = []
        var byte: UInt8 = 0
        while bytes.count < 1024, read(number, &byte, 1) == 1 {
            if byte == 0x0A { return String(decoding: bytes, as: UTF8.self) }
            bytes.append(byte)
        }
        return nil
    }
}

/// The signals that end a command: noted, so that the launcher can put everything right before.
enum Interruption {
    nonisolated(unsafe) private static var flag: sig_atomic_t = 0

    /// Whether one has come.
    static var hasCome: Bool { flag != 0 }

    /// From here on they end the process again.
    static func forget() {
        for number in [SIGINT, SIGTERM, SIGHUP, SIGQUIT] { signal(number, SIG_DFL) }
    }

    /// From here on they are noted.
    static func note() {
        var action = sigaction()
        action.__sigaction_handler.sa_handler = { _ in Interruption.flag = 1 }
        for number in [SIGINT, SIGTERM, SIGHUP, SIGQUIT] { sigaction(number, &action, nil) }
    }
}
