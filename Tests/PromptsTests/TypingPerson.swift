import CWallTests
import Foundation
import Glibc
import LinuxIO
import Prompts
import SecretMemory

/// A terminal in the mode that a launcher sets, and somebody who types there.
final class TypingPerson: @unchecked Sendable {
    /// Where the program is.
    let inner: Int32
    private let outer: Int32
    private let lock = NSLock()
    private var seen: [UInt8] = []
    private var isOver = false

    init() {
        var end: Int32 = -1
        inner = wall_terminal(&end)
        outer = end
        precondition(inner >= 0)
        var settings = termios()
        tcgetattr(inner, &settings)
        settings.c_lflag &= ~tcflag_t(ICANON | ECHO | ISIG | IEXTEN)
        settings.c_iflag &= ~tcflag_t(IXON | ICRNL)
        tcsetattr(inner, TCSANOW, &settings)
        Thread.detachNewThread { [self] in read() }
    }

    /// Reads until the line ends, and alone closes it: whoever else did would leave this thread with a
    /// number that another terminal gets.
    private func read() {
        var buffer = [UInt8](repeating: 0, count: 4096)
        var line = pollfd(fd: outer, events: Int16(POLLIN), revents: 0)
        while !lock.withLock({ isOver }) {
            guard poll(&line, 1, 20) != 0 else { continue }
            let count = Glibc.read(outer, &buffer, buffer.count)
            guard count > 0 else { break }
            lock.withLock { seen += buffer[..<count] }
        }
        lock.withLock {
            isOver = true
            close(outer)
        }
    }

    /// Everything that the program wrote, once it holds this text or a minute has passed.
    func screen(with text: String) -> String {
        for _ in 0..<6000 {
            let screen = lock.withLock { String(decoding: seen, as: UTF8.self) }
            if screen.contains(text) { return screen }
            Thread.sleep(forTimeInterval: 0.01)
        }
        return lock.withLock { String(decoding: seen, as: UTF8.self) }
    }

    /// Types these keys at once; the terminal keeps what is not read yet.
    func type(_ keys: String) {
        lock.withLock { if !isOver { _ = write(outer, Array(keys.utf8), keys.utf8.count) } }
    }

    /// Ends the line.
    func hangUp() { lock.withLock { isOver = true } }

    /// Runs a prompt for which these keys were typed.
    func answer<Value>(
        _ keys: String, idle: Duration = .seconds(20), _ body: (Prompter) throws(PromptEnd) -> Value
    ) throws(PromptEnd) -> Value {
        type(keys)
        return try body(Prompter(terminal: inner, idleLimit: idle))
    }
}

extension SecretBytes {
    borrowing func text() -> String { withUnsafeBytes { String(decoding: $0, as: UTF8.self) } }
}
