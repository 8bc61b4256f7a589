/// What all screens have in common: a title, a rule, what they say, a rule and the keys.
enum ScreenFrame {
    /// Lines between the two rules of a screen with so many rows.
    static func height(rows: Int) -> Int { max(1, max(4, rows) - 4) }

    /// Exactly `rows` lines of at most `columns` characters each.
    ///
    /// - Parameters:
    ///   - corner: Stands at the right end of the title's line.
    ///   - message: Stands in the lower rule.
    static func lines(
        title: String, corner: String = "", body: [String], message: String = "", keys: String,
        columns: Int, rows: Int
    ) -> [String] {
        let columns = max(20, columns)
        let height = height(rows: rows)
        var lines = [head(title, corner, columns), String(repeating: "-", count: columns)]
        lines += body.prefix(height)
        lines += Array(repeating: "", count: height + 2 - lines.count)
        lines += [rule(message, columns), keys]
        return lines.map { String($0.prefix(columns)) }
    }

    private static func head(_ title: String, _ corner: String, _ columns: Int) -> String {
        guard !corner.isEmpty else { return title }
        let room = max(0, columns - corner.count - 2)
        let left = String(title.prefix(room))
        return left + String(repeating: " ", count: columns - corner.count - left.count) + corner
    }

    private static func rule(_ message: String, _ columns: Int) -> String {
        guard !message.isEmpty else { return String(repeating: "-", count: columns) }
        let text = "--- " + message.prefix(max(0, columns - 8)) + " "
        return text + String(repeating: "-", count: max(0, columns - text.count))
    }
}
