import Glibc
import LinuxIO

/// The terminal of a person: one key at a time, nothing echoed, restored when the value dies.
///
/// Output is plain text with cursor addressing (ECMA-48), which serial lines, SSH and the Linux
/// console all know. The screen's alternate buffer is used, so that nothing stays in scroll-back.
public struct Terminal: ~Copyable {
    private let input: PersonTerminal

    /// Takes over the terminal; nil if standard input or output is none.
    public static func takeOver() -> Terminal? {
        guard isatty(STDOUT_FILENO) == 1, let input = PersonTerminal(STDIN_FILENO),
            input.hideTyping()
        else { return nil }
        return Terminal(input)
    }

    private init(_ input: PersonTerminal) {
        self.input = input
        write("\u{1b}[?1049h\u{1b}[?25l")
    }

    deinit { giveBack() }

    /// Gives it back now.
    consuming func end() {}

    private func giveBack() {
        write("\u{1b}[2J\u{1b}[?25h\u{1b}[?1049l")
        input.restore()
    }

    /// In the screen's process: gives the terminal back in place of a launcher that was killed, unless
    /// its shell has already done so.
    func giveBackForLauncher() {
        if input.hidesTyping { giveBack() }
    }

    private func write(_ text: String) {
        StandardStream.out(text)
    }
}

/// What a confined process does with the terminal that its launcher took over.
enum Screen {
    /// Where keys come from; wait on it for reading.
    static let keys = STDIN_FILENO

    /// Prepares for giving the terminal back in place of a launcher that was killed: what ends the launcher
    /// is often sent to the screen too, and a process in the background is stopped for setting modes.
    static func outliveLauncher() {
        for number in [SIGHUP, SIGINT, SIGTERM, SIGTTOU] { signal(number, SIG_IGN) }
    }

    /// Columns and rows; 80 by 24 where the terminal does not say.
    static var size: (columns: Int, rows: Int) { size(of: nil) }

    /// The same of another terminal than standard output.
    static func size(of terminal: PersonTerminal?) -> (columns: Int, rows: Int) {
        var size = winsize()
        guard ioctl(terminal?.number ?? STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0,
            size.ws_col > 0, size.ws_row > 0
        else { return (80, 24) }
        return (Int(size.ws_col), Int(size.ws_row))
    }

    /// Paints the whole screen with these lines; the last line is not followed by a newline, so
    /// that nothing scrolls.
    static func paint(_ lines: [String]) {
        var text = "\u{1b}[H"
        for (row, line) in lines.enumerated() {
            text += line + "\u{1b}[K" + (row == lines.count - 1 ? "" : "\r\n")
        }
        StandardStream.out(text + "\u{1b}[J")
    }

    /// The keys that were typed since the last call, as bytes; nil if the terminal is gone.
    static func typed() -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: 64)
        let transfer = try? bytes.withUnsafeMutableBytes { try Kernel.read(keys, into: $0) }
        switch transfer {
        case .moved(let count): return Array(bytes.prefix(count))
        case .wouldBlock: return []
        case .ended, nil: return nil
        }
    }
}
