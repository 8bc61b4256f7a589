/// What a terminal of 80 by 24 characters shows after a program wrote to it: as much of ECMA-48 as the
/// console uses.
struct TerminalGrid {
    private static let columns = 80
    private static let rows = 24
    private var cells = [[Character]](
        repeating: [Character](repeating: " ", count: columns), count: rows)
    /// The first screen and its cursor, while the other one is shown.
    private var first: (cells: [[Character]], row: Int, column: Int)?
    private var (row, column) = (0, 0)
    private var saved = (0, 0)

    init(_ output: String) {
        var rest = output.unicodeScalars[...]
        while let scalar = rest.popFirst() {
            switch scalar {
            case "\u{1b}": takeEscape(&rest)
            case "\r": column = 0
            case "\n": lineFeed()
            case "\u{8}": column = max(0, column - 1)
            case "\u{7}": break
            default: put(Character(scalar))
            }
        }
    }

    /// Whether the other screen, which has no scroll-back, is shown.
    var isOther: Bool { first != nil }

    /// The lines without spaces at their ends, and without empty ones at the end of all.
    var lines: [String] {
        var lines = cells.map { row in
            var text = String(row)
            while text.last == " " { text.removeLast() }
            return text
        }
        while lines.last == "" { lines.removeLast() }
        return lines
    }

    var text: String { lines.joined(separator: "\n") }

    private mutating func put(_ character: Character) {
        if column == Self.columns {
            column = 0
            lineFeed()
        }
        cells[row][column] = character
        column += 1
    }

    private mutating func lineFeed() {
        guard row == Self.rows - 1 else {
            row += 1
            return
        }
        cells.removeFirst()
        cells.append([Character](repeating: " ", count: Self.columns))
    }

    private mutating func takeEscape(_ rest: inout Substring.UnicodeScalarView.SubSequence) {
        switch rest.popFirst() {
        case "7": saved = (row, column)
        case "8": (row, column) = saved
        case "[":
            var parameters = ""
            while let scalar = rest.popFirst() {
                guard (0x40...0x7E).contains(scalar.value) else {
                    parameters.unicodeScalars.append(scalar)
                    continue
                }
                return take(scalar, parameters)
            }
        default: break
        }
    }

    private mutating func take(_ end: Unicode.Scalar, _ parameters: String) {
        switch (end, parameters) {
        case ("H", _): (row, column) = (0, 0)
        case ("K", _): empty(row, from: column)
        case ("J", "2"): for row in cells.indices { empty(row, from: 0) }
        case ("J", _):
            empty(row, from: column)
            for row in cells.indices.dropFirst(row + 1) { empty(row, from: 0) }
        case ("h", "?1049"):
            if first == nil { first = (cells, row, column) }
            for row in cells.indices { empty(row, from: 0) }
        case ("l", "?1049"):
            if let first { (cells, row, column) = first }
            first = nil
        default: break
        }
    }

    private mutating func empty(_ row: Int, from column: Int) {
        for place in cells[row].indices where place >= column { cells[row][place] = " " }
    }
}

extension PersonTerminal {
    /// What the terminal shows now.
    var grid: TerminalGrid { TerminalGrid(shown) }

    /// The words of a phrase as the numbered grid on the screen shows them.
    var words: [String] {
        var found: [Int: String] = [:]
        for match in grid.text.matches(of: /(\d+)\. +([a-z]+)/) {
            if let number = Int(match.1) { found[number] = String(match.2) }
        }
        return found.sorted { $0.key < $1.key }.map(\.value)
    }

    /// Leaves the screen of the words, and answers the quiz on them.
    func passQuiz() throws {
        let words = words
        type("\r")
        for question in 1...3 {
            try wait("question \(question)") { self.grid.text.contains("\(question) of 3") }
            let place = grid.text.firstMatch(of: /Word (\d+):/).flatMap { Int($0.1) } ?? 0
            guard words.indices.contains(place - 1) else {
                throw TestFailure(description: "word \(place) of \(words.count) is asked for")
            }
            type(words[place - 1] + "\r")
        }
    }
}
