import Wire

/// What all screens have in common: a title, a rule, what they say, a rule and the keys.
///
/// A screen that is narrower than its text is laid out in more lines: no amount, address or key is cut at
/// the edge. What has no room for that says so, and nothing else.
struct ScreenFrame {
    /// The smallest screen that anything is laid out on.
    static let smallest = (columns: 40, rows: 10)

    let columns: Int
    private let rows: Int
    private let keys: [String]
    private let message: [String]

    /// - Parameters:
    ///   - keys: What can be typed.
    ///   - message: Stands in the lower rule.
    init(columns: Int, rows: Int, keys: [String], message: String = "") {
        self.columns = columns
        self.rows = rows
        self.keys = Self.keyLines(keys, columns)
        self.message = message.isEmpty ? [] : TextWrap.lines(message, columns: max(1, columns - 8))
    }

    /// Whether the screen is large enough for anything.
    var isLargeEnough: Bool { columns >= Self.smallest.columns && rows >= Self.smallest.rows }

    /// Lines between the two rules.
    var height: Int { max(1, rows - 2 - keys.count - max(1, message.count)) }

    /// Exactly as many lines as the screen has rows, and at least one, of at most as many characters as it
    /// has columns. A body that is longer than `height` takes the message's lines but one, and says
    /// that there is more of it.
    ///
    /// - Parameter corner: Stands at the right end of the title's line.
    func lines(title: String, corner: String = "", body: [String]) -> [String] {
        guard isLargeEnough else { return tooSmall }
        let most = rows - 3 - keys.count
        let told = Array(message.prefix(max(1, rows - 2 - keys.count - min(body.count, most))))
        let room = rows - 2 - keys.count - max(1, told.count)
        var lines = [head(title, corner), String(repeating: "-", count: columns)]
        lines += TextWrap.cut(body, to: room) { "... \($0) more lines: make the terminal larger" }
        lines += Array(repeating: "", count: room + 2 - lines.count)
        return lines + rules(told) + keys
    }

    /// All that a screen without room says.
    private var tooSmall: [String] {
        let columns = max(1, columns)
        let rows = max(1, rows)
        let (least, high) = Self.smallest
        let text = "\(columns) by \(rows) is too small: \(least) by \(high) at least, best 80 by 24"
        let lines = TextWrap.lines(text, columns: columns).prefix(rows)
        return lines + Array(repeating: "", count: rows - lines.count)
    }

    private func head(_ title: String, _ corner: String) -> String {
        let room = corner.isEmpty ? columns : max(2, columns - corner.count - 2)
        let left = title.columns > room ? title.prefix(columns: room - 1) + "…" : title
        guard !corner.isEmpty else { return left }
        return left + String(repeating: " ", count: columns - corner.count - left.columns) + corner
    }

    private func rules(_ message: [String]) -> [String] {
        guard !message.isEmpty else { return [String(repeating: "-", count: columns)] }
        let isCut = message.count < self.message.count
        return message.enumerated().map { place, text in
            let end = isCut && place == message.count - 1 ? " … " : " "
            let line = "--- " + text + end
            return line + String(repeating: "-", count: max(0, columns - line.columns))
        }
    }

    /// Three spaces stand between two keys, or two where that saves a line.
    private static func keyLines(_ keys: [String], _ columns: Int) -> [String] {
        for separator in ["   ", "  "] {
            let line = keys.joined(separator: separator)
            if line.count <= columns { return [line] }
        }
        var lines: [String] = []
        for key in keys {
            if let last = lines.last, last.count + 2 + key.count <= columns {
                lines[lines.count - 1] = last + "  " + key
            } else {
                lines += TextWrap.lines(key, columns: max(1, columns))
            }
        }
        return lines
    }
}
