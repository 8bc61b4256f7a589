extension Duration {
    /// A time as settings write it: a whole number and `ms`, `s` or `min`, like `250ms`.
    init?(settingText text: String) {
        let digits = text.prefix { ("0"..."9").contains($0) }
        guard (1...9).contains(digits.count), let number = Int64(digits) else { return nil }
        switch text.dropFirst(digits.count) {
        case "ms": self = .milliseconds(number)
        case "s": self = .seconds(number)
        case "min": self = .seconds(60 * number)
        default: return nil
        }
    }

    /// The time as settings write it, in whole milliseconds or, where there are none, seconds.
    var settingText: String {
        let (seconds, attoseconds) = components
        let milliseconds = attoseconds / 1_000_000_000_000_000
        return milliseconds == 0 ? "\(seconds)s" : "\(seconds * 1000 + milliseconds)ms"
    }
}
