import Glibc
import KeeperCore
import Wire

/// The keeper's log: lines on standard error, each with its level where a journal reads them.
struct Log {
    private let isJournal = Log.isJournal(
        STDERR_FILENO, stream: getenv("JOURNAL_STREAM").map { String(cString: $0) })

    /// Whether a descriptor is the journal's stream, which systemd names by device and inode. Whoever a
    /// service starts inherits the name, and may have redirected its standard error since.
    static func isJournal(_ descriptor: Int32, stream: String?) -> Bool {
        var found = stat()
        guard let stream, fstat(descriptor, &found) == 0 else { return false }
        return stream == "\(found.st_dev):\(found.st_ino)"
    }

    /// Writes one line. A reader that does not read loses lines: the keeper never waits for it.
    func write(_ text: String, level: Report.Level = .notice) {
        let prefix = isJournal ? "<\(level.rawValue)>" : "bulkheadd: "
        var line = prefix + text + "\n"
        var output = pollfd(fd: STDERR_FILENO, events: Int16(POLLOUT), revents: 0)
        guard poll(&output, 1, 0) == 1, output.revents & Int16(POLLOUT) != 0 else { return }
        line.withUTF8 { bytes in _ = Glibc.write(STDERR_FILENO, bytes.baseAddress, bytes.count) }
    }

    /// Writes a line that a child sent, escaped and with its name.
    func write(_ line: String, from child: Child, level: Report.Level = .notice) {
        write(
            "\(child.program): \(VisibleText(line, limit: ChildOutput.longestLine))", level: level)
    }
}

/// The lines that a child has for the log, from its standard error and its control channel. A child
/// gone mad fills neither memory nor log.
struct ChildOutput {
    /// Longer lines are cut.
    static let longestLine = 400
    /// How many lines may come at once.
    static let burst = 50
    /// In which time that many lines may come again.
    static let recovery = Duration.seconds(10)

    private var pending: [UInt8] = []
    private var isCut = false
    private var allowance = ChildOutput.burst
    private var dropped = 0
    private var windowStart: Duration?

    /// Takes bytes as they come and returns the lines to print.
    mutating func take(_ bytes: some Sequence<UInt8>, at now: Duration) -> [String] {
        var lines: [String] = []
        for byte in bytes {
            if byte == 0x0a {
                finishLine(&lines, now)
            } else if pending.count < ChildOutput.longestLine {
                pending.append(byte)
            } else {
                isCut = true
            }
        }
        return lines
    }

    /// What is left when the child is gone.
    mutating func finish(at now: Duration) -> [String] {
        var lines: [String] = []
        if !pending.isEmpty { finishLine(&lines, now) }
        sayDropped(&lines)
        return lines
    }

    private mutating func finishLine(_ lines: inout [String], _ now: Duration) {
        let text = String(decoding: pending, as: UTF8.self) + (isCut ? "…" : "")
        pending.removeAll(keepingCapacity: true)
        isCut = false
        lines += admit(text, at: now)
    }

    /// Takes a whole line and returns what to print of it.
    mutating func admit(_ line: String, at now: Duration) -> [String] {
        var lines: [String] = []
        if windowStart.map({ now - $0 >= ChildOutput.recovery }) ?? true {
            sayDropped(&lines)
            windowStart = now
            allowance = ChildOutput.burst
        }
        guard allowance > 0 else {
            dropped += 1
            return lines
        }
        allowance -= 1
        return lines + [line]
    }

    private mutating func sayDropped(_ lines: inout [String]) {
        guard dropped > 0 else { return }
        lines.append("(\(dropped) lines dropped)")
        dropped = 0
    }
}
