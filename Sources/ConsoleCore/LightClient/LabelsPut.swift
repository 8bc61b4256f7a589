import Wire

/// What became of the lines of a file of labels, all parts of it together.
public struct LabelsPut: Hashable, Sendable {
    /// How many labels are kept.
    public private(set) var kept = 0
    /// How many lines are none.
    public private(set) var leftOut = 0
    /// The first of these, a sentence each.
    public private(set) var reasons: [String] = []

    private static let shown = 8

    /// No part yet.
    public init() {}

    /// Adds what became of one part.
    public mutating func add(kept: UInt32, leftOut: UInt32, _ reasons: [String]) {
        self.kept += Int(kept)
        self.leftOut += Int(leftOut)
        self.reasons += reasons.prefix(max(0, Self.shown - self.reasons.count))
    }

    /// One total, then what is left out.
    public var sentences: [String] {
        let more = leftOut - reasons.count
        return [counted(kept, "label is", "labels are") + " kept"] + reasons
            + (more > 0 ? [counted(more, "more line is", "more lines are") + " left out"] : [])
    }
}
