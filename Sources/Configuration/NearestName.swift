extension Sequence<String> {
    /// The name that differs from `wrong` by the fewest edits, if by few enough to be what was meant.
    ///
    /// Names longer than 64 characters are not compared.
    public func nearest(to wrong: String) -> String? {
        let limit = Swift.max(1, wrong.count * 2 / 5)
        return
            lazy
            .map { (name: $0, edits: editDistance(wrong, $0)) }
            .filter { $0.edits <= limit }
            .min { ($0.edits, $0.name) < ($1.edits, $1.name) }?
            .name
    }
}

/// The fewest insertions, deletions and replacements of characters that turn one text into the other.
private func editDistance(_ first: String, _ second: String) -> Int {
    let (first, second) = (Array(first), Array(second))
    guard first.count <= 64, second.count <= 64 else { return .max }

    var previous = Array(0...second.count)
    for (row, left) in first.enumerated() {
        var current = [row + 1]
        for (column, right) in second.enumerated() {
            let replaced = previous[column] + (left == right ? 0 : 1)
            current.append(Swift.min(replaced, previous[column + 1] + 1, current[column] + 1))
        }
        previous = current
    }
    return previous[second.count]
}
