import Wire

/// The review of a file, page by page. It can be approved only once every page was on the screen, in
/// the size that the screen has by then.
public struct ReviewScreen: Sendable {
    /// What may be done with the file.
    public struct Choices: OptionSet, Hashable, Sendable {
        /// The bits.
        public let rawValue: Int
        /// Takes the bits.
        public init(rawValue: Int) { self.rawValue = rawValue }
        /// It may be signed here.
        public static let approve = Choices(rawValue: 1)
        /// A refusal can be sent to where it came from.
        public static let reject = Choices(rawValue: 2)
        /// It lacks no signature, and its transaction may be written.
        public static let finish = Choices(rawValue: 4)
    }

    /// What a key led to.
    public enum Step: Hashable, Sendable {
        /// It is drawn anew.
        case more
        /// The person wants it signed, or its transaction written, and has seen all pages.
        case approve
        /// The person refuses it.
        case reject
        /// The person leaves it as it is.
        case leave
    }

    /// What the file is called, and where it came from.
    public let title: String
    /// What is shown.
    public let report: ReportText
    private let choices: Choices
    private var page = 0
    private var seen: Set<Int> = []
    private var size = (columns: 0, rows: 0)
    private var pages: [[String]] = []
    /// What is said in the lower rule until the next key.
    public var message = ""

    /// The first page of a report.
    public init(title: String, report: ReportText, choices: Choices) {
        self.title = VisibleText(title, limit: 120).description
        self.report = report
        self.choices = choices
    }

    /// Whether every page was on the screen.
    public var isSeen: Bool { !pages.isEmpty && seen.count == pages.count }

    /// Takes a key.
    public mutating func take(_ key: ScreenKey) -> Step {
        message = ""
        switch key {
        case .character(" "), .character("n"), .down, .right, .pageDown, .enter:
            page = min(page + 1, max(0, pages.count - 1))
        case .character("b"), .character("p"), .up, .left, .pageUp, .backspace:
            page = max(page - 1, 0)
        case .home: page = 0
        case .end: page = max(0, pages.count - 1)
        case .character("a"): return approve()
        case .character("r") where choices.contains(.reject): return .reject
        case .character("q"), .cancel: return .leave
        default: break
        }
        return .more
    }

    private mutating func approve() -> Step {
        guard isApprovable else {
            message = "it cannot be signed here; the report says why"
            return .more
        }
        guard isSeen else {
            message = "see all pages before you approve"
            return .more
        }
        return .approve
    }

    /// Exactly `rows` lines of at most `columns` characters each. The page that they hold counts as seen.
    public mutating func lines(columns: Int, rows: Int) -> [String] {
        // Pages leave room for all keys, of which some come later.
        let whole = ScreenFrame(
            columns: columns, rows: rows, keys: keys(turns: true, approves: true))
        lay(out: whole, rows)
        guard whole.isLargeEnough else { return whole.lines(title: title, body: []) }
        seen.insert(page)
        let frame = ScreenFrame(
            columns: columns, rows: rows,
            keys: keys(turns: pages.count > 1, approves: isSeen && isApprovable),
            message: message)
        return frame.lines(
            title: title, corner: "page \(page + 1) of \(pages.count)",
            body: pages.indices.contains(page) ? pages[page] : [])
    }

    private var isApprovable: Bool { !choices.isDisjoint(with: [.approve, .finish]) }

    private func keys(turns: Bool, approves: Bool) -> [String] {
        let approve = choices.contains(.finish) ? "a write transaction" : "a approve"
        return (turns ? ["space next page", "b back"] : []) + (approves ? [approve] : [])
            + (choices.contains(.reject) ? ["r reject"] : []) + ["q leave"]
    }

    /// In another size there are other pages, none of which was seen, and the first one is shown. Where
    /// there is no room for one, there is none.
    private mutating func lay(out frame: ScreenFrame, _ rows: Int) {
        guard size != (frame.columns, rows) else { return }
        size = (frame.columns, rows)
        pages =
            frame.isLargeEnough ? report.pages(columns: frame.columns, rows: frame.height) : []
        seen = []
        page = 0
    }
}
