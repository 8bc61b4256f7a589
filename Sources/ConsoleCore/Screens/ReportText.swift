/// A report as the signer sends it for a person: lines of text in blocks, each of which ends with an
/// empty line. Whatever is no printable ASCII is shown as `?`, so that a terminal obeys nothing of it.
public struct ReportText: Hashable, Sendable {
    /// The lines of each block, its empty line among them.
    public let blocks: [[String]]

    /// Takes the text apart.
    public init(_ bytes: [UInt8]) {
        var blocks: [[String]] = []
        var block: [String] = []
        for line in bytes.split(separator: 0x0A, omittingEmptySubsequences: false) {
            let text = String(decoding: line.map(Self.visible), as: UTF8.self)
            block.append(text)
            guard text.isEmpty else { continue }
            // One empty line between two blocks is enough.
            if block.count > 1 { blocks.append(block) }
            block = []
        }
        if !block.isEmpty { blocks.append(block) }
        if blocks.last?.last == "" { blocks[blocks.count - 1].removeLast() }
        self.blocks = blocks
    }

    private static func visible(_ byte: UInt8) -> UInt8 {
        (0x20...0x7E).contains(byte) ? byte : UInt8(ascii: "?")
    }

    /// All lines.
    public var lines: [String] { blocks.flatMap { $0 } }

    /// The blocks on pages of at most `rows` lines. A block goes over two pages only where it is longer
    /// than one; a line that is longer than `columns` goes on in the next one, behind a word.
    ///
    /// - Precondition: there are at least one column and one row.
    public func pages(columns: Int, rows: Int) -> [[String]] {
        precondition(columns >= 1 && rows >= 1)
        var pages: [[String]] = []
        var page: [String] = []
        for block in blocks.map({ $0.flatMap { TextWrap.lines($0, columns: columns) } }) {
            // An empty line at the end of a page says nothing.
            let count = block.last == "" ? block.count - 1 : block.count
            if !page.isEmpty, page.count + count > rows {
                pages.append(page)
                page = []
            }
            page += block
            while page.count > rows {
                pages.append(Array(page.prefix(rows)))
                page.removeFirst(rows)
            }
            if page == [""] { page = [] }
        }
        return page.isEmpty && !pages.isEmpty ? pages : pages + [page]
    }

    /// The block that says what a check found, which names its code at the end: the first of them, and
    /// how many there are.
    public func finding(_ code: String) -> (lines: [String], count: Int) {
        let found = blocks.filter { block in
            block.last { !$0.isEmpty }?.hasSuffix("[\(code)]") == true
        }
        let titles: Set<String> = ["WARNINGS", "NOTES", "WHY IT IS NOT SIGNED"]
        let lines = (found.first ?? []).filter { !$0.isEmpty && !titles.contains($0) }
        return (lines, found.count)
    }
}
