import LinuxIO

/// How far a long operation is: a bar on a terminal, else a line for every tenth, or where nobody knows
/// the whole for every doubling. What is shorter than a mebibyte gets no line.
struct ProgressLine {
    private let drawsBar: Bool
    private var lastShown: UInt64?
    private var isDrawn = false

    init(drawsBar: Bool) { self.drawsBar = drawsBar }

    mutating func show(done: UInt64, total: UInt64) {
        let share = total == 0 ? done >> 20 : min(done, total) * 100 / max(total, 1)
        let step = drawsBar ? share : total == 0 ? share.doublings : share / 10
        guard step != lastShown, drawsBar || max(done, total) >= 1 << 20 else { return }
        lastShown = step
        let text = Self.text(done: done, total: total, share: share, bar: drawsBar)
        StandardStream.error(drawsBar ? "\r" + text + "\u{1b}[K" : text + "\n")
        isDrawn = drawsBar
    }

    /// Empties the line of the bar, so that what follows begins a new one.
    mutating func end() {
        if isDrawn { StandardStream.error("\r\u{1b}[K") }
        isDrawn = false
        lastShown = nil
    }

    static func text(done: UInt64, total: UInt64, share: UInt64, bar: Bool) -> String {
        let sizes = "\(done >> 20)" + (total == 0 ? "" : " of \(total >> 20)") + " MiB"
        guard total > 0 else { return sizes }
        guard bar else { return "\(share) %, \(sizes)" }
        let filled = Int(share) * 30 / 100
        return "[" + String(repeating: "#", count: filled)
            + String(repeating: " ", count: 30 - filled) + "] \(share) %, \(sizes)"
    }
}

extension UInt64 {
    /// How often 1 is doubled to get past this number.
    fileprivate var doublings: UInt64 { UInt64(bitWidth - leadingZeroBitCount) }
}
