import Wire

/// Breaks text into lines of a given width, so that nothing of it is lost at the edge of a screen.
public enum TextWrap {
    /// The text in lines of at most `columns` columns, broken at spaces. Only a word that is longer
    /// than a line is broken within.
    ///
    /// - Parameter hang: How far all lines but the first are indented; as far as the first where it is
    ///   left out.
    public static func lines(_ text: String, columns: Int, hang: Int? = nil) -> [String] {
        guard text.columns > columns else { return [text] }
        let indent = min(hang ?? text.prefix { $0 == " " }.count, columns / 2)
        var lines: [String] = []
        var rest = Substring(text)
        while true {
            let start = lines.isEmpty ? "" : String(repeating: " ", count: indent)
            let room = max(1, columns - start.count)
            guard rest.columns > room else { return lines + [start + rest] }
            let end = breakPlace(in: rest, room)
            lines.append(start + trimmed(rest[..<end]))
            rest = rest[end...].drop { $0 == " " }
            if rest.isEmpty { return lines }
        }
    }

    /// Behind the last word that fits, or within a word that is longer than the line.
    private static func breakPlace(in text: Substring, _ room: Int) -> Substring.Index {
        // A wide character goes into a line of one column, too, or nothing would ever go on.
        let limit = max(
            text.prefix(columns: room).endIndex, text.index(after: text.startIndex))
        if limit == text.endIndex || text[limit] == " " { return limit }
        let words = text.firstIndex { $0 != " " } ?? limit
        let space = text[..<limit].lastIndex(of: " ")
        return space.flatMap { $0 > words ? $0 : nil } ?? limit
    }

    private static func trimmed(_ text: Substring) -> Substring {
        var text = text
        while text.last == " " { text.removeLast() }
        return text
    }

    /// As many of the lines as there is room for; the last one says how many are left out.
    static func cut(
        _ lines: [String], to room: Int, _ mark: (_ hidden: Int) -> String
    ) -> [String] {
        guard lines.count > room else { return lines }
        let shown = max(0, room - 1)
        return Array(lines.prefix(shown)) + (room > 0 ? [mark(lines.count - shown)] : [])
    }
}
