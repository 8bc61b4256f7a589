/// How many columns of a terminal a text takes: two for each character that is wide.
///
/// For texts that are shown as they are (`VisibleText`): nothing in them combines with what stands before.
extension StringProtocol {
    /// Columns that it takes.
    public var columns: Int { unicodeScalars.reduce(0) { $0 + $1.columns } }

    /// As much of its start as fits into so many columns.
    public func prefix(columns room: Int) -> SubSequence {
        var left = room
        return prefix { character in
            left -= String(character).columns
            return left >= 0
        }
    }

    /// As much of its end as fits into so many columns.
    public func suffix(columns room: Int) -> SubSequence {
        var left = room
        let start = indices.reversed().prefix { index in
            left -= String(self[index]).columns
            return left >= 0
        }.last
        return self[(start ?? endIndex)...]
    }
}

extension Unicode.Scalar {
    /// What is wide or full width in Unicode's EastAsianWidth.txt, in blocks that hold nothing else; pictures
    /// have a property of their own.
    private static let wide: [ClosedRange<UInt32>] = [
        0x1100...0x115F, 0x2329...0x232A, 0x2E80...0x303E, 0x3041...0x3247, 0x3250...0x4DBF,
        0x4E00...0xA4C6, 0xA960...0xA97C, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE10...0xFE6B,
        0xFF01...0xFF60, 0xFFE0...0xFFE6, 0x1_6FE0...0x1_B2FB, 0x1_F200...0x1_F265,
        0x2_0000...0x3_FFFD,
    ]

    fileprivate var columns: Int {
        guard value >= 0x1100 else { return 1 }
        let isWide = properties.isEmojiPresentation || Self.wide.contains { $0.contains(value) }
        return isWide ? 2 : 1
    }
}
