import Wire

/// Rows of cells, printed in aligned columns.
public struct TextTable: Sendable {
    private let headings: [String]
    private var rows: [[String]] = []

    /// A table with these column headings.
    public init(_ headings: [String]) { self.headings = headings }

    /// Appends a row; missing cells stay empty, surplus ones are not printed.
    public mutating func append(_ cells: [String]) { rows.append(cells) }

    /// Whether there is no row.
    public var isEmpty: Bool { rows.isEmpty }

    /// One line a row, headings first; two spaces between columns, none at the end of a line.
    public var lines: [String] {
        let all = [headings] + rows
        let widths = headings.indices.map { column in
            all.map { $0.indices.contains(column) ? $0[column].columns : 0 }.max() ?? 0
        }
        return all.map { cells in
            var line = ""
            for (column, width) in widths.enumerated() {
                let cell = cells.indices.contains(column) ? cells[column] : ""
                line += cell + String(repeating: " ", count: max(0, width - cell.columns) + 2)
            }
            while line.last == " " { line.removeLast() }
            return line
        }
    }
}
