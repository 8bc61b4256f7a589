import LinuxIO

extension Prompter {
    /// Whether a person sits at a terminal.
    public var hasTerminal: Bool { if case .terminal = source { true } else { false } }

    /// Goes to the terminal's other screen, which has no scroll-back.
    public func enterScreen() { write(PromptOutput.alternate) }

    /// Empties the other screen and leaves it.
    public func leaveScreen() { write(PromptOutput.normal) }

    /// Paints the whole screen with these lines; the last one is not followed by a line end, so that
    /// nothing scrolls.
    public func paint(_ lines: [String]) {
        var text = "\u{1b}[H"
        for (row, line) in lines.enumerated() {
            text += line + "\u{1b}[K" + (row == lines.count - 1 ? "" : "\r\n")
        }
        write(text + "\u{1b}[J")
    }

    /// Empties the screen and writes these lines at its top; what is asked next stands below them.
    public func paint(above lines: [String]) {
        write("\u{1b}[2J\u{1b}[H" + lines.map { $0 + "\r\n" }.joined())
    }

    private func write(_ text: String) {
        guard case .terminal(let keys) = source else { return }
        PromptOutput.write(text, to: keys.descriptor)
    }

    /// Waits for a key of somebody who reads, an hour at most.
    ///
    /// - Parameter isStale: Whether what is read has to be painted anew, as on a terminal of another size.
    /// - Returns: nil where it has.
    public func key(unless isStale: () -> Bool) throws(PromptEnd) -> Key? {
        guard case .terminal(let keys) = source else { throw .noAnswer("key") }
        let limit = KeyInput.readingLimit
        let end = Kernel.timeSinceBoot() + limit
        while true {
            do throws(PromptEnd) {
                return try keys.next(within: Prompter.timeBetweenLooks)
            } catch {
                guard case .idle = error else { throw error }
                guard Kernel.timeSinceBoot() < end else {
                    throw .idle(seconds: limit.components.seconds)
                }
                if isStale() { return nil }
            }
        }
    }

    /// Soon enough for somebody who changes a window's size, and nothing to a processor.
    private static let timeBetweenLooks = Duration.milliseconds(300)

    /// Asks for a line that is no secret and is seen while it is typed.
    ///
    /// - Parameters:
    ///   - label: Stands before it.
    ///   - limit: So many bytes at most.
    public func visible(_ label: String, limit: Int = 256) throws(PromptEnd) -> String {
        guard case .terminal(let keys) = source else { throw .noAnswer(label) }
        var typed = ""
        var characters = TypedCharacters()
        defer { PromptOutput.write("\r\n", to: keys.descriptor) }
        while true {
            // A line that wrapped could not be emptied again.
            let shown = label + String(typed.suffix(max(8, 76 - label.count)))
            PromptOutput.write(PromptOutput.line + shown, to: keys.descriptor)
            switch try keys.next() {
            case .byte(let byte):
                guard let character = characters.take(byte),
                    typed.utf8.count + character.utf8.count <= limit
                else { continue }
                typed.append(character)
            case .backspace: typed = String(typed.dropLast())
            case .clear: typed = ""
            case .enter: return typed
            case .cancel: throw .cancelled
            default: continue
            }
        }
    }
}
