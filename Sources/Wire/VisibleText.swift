/// Text from outside, made safe to print on a terminal.
///
/// Labels, file names, user agents and the refusals of others can hold escape sequences that
/// repaint the screen, bidirectional marks that reorder an address, or newlines that forge a line.
/// Each such character is shown as its code instead.
public struct VisibleText: Hashable, Sendable, CustomStringConvertible {
    /// One line without anything a terminal would obey.
    public let description: String

    /// Shows control, format, bidirectional and separator characters of `text` as `\u{…}`, and cuts
    /// it after `limit` characters, saying so with `…`.
    public init(_ text: String, limit: Int = 200) {
        var shown = ""
        var count = 0
        for scalar in text.unicodeScalars {
            guard count < limit else {
                shown += "…"
                break
            }
            if Self.isHarmless(scalar) {
                shown.unicodeScalars.append(scalar)
            } else {
                shown += "\\u{" + String(scalar.value, radix: 16) + "}"
            }
            count += 1
        }
        description = shown
    }

    /// Bytes that should be UTF-8; whatever is not becomes U+FFFD.
    public init(utf8 bytes: [UInt8], limit: Int = 200) {
        self.init(String(decoding: bytes, as: UTF8.self), limit: limit)
    }

    private static func isHarmless(_ scalar: Unicode.Scalar) -> Bool {
        if scalar == "\\" { return false }
        switch scalar.properties.generalCategory {
        case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator,
            .paragraphSeparator, .nonspacingMark, .enclosingMark:
            return false
        case .spaceSeparator:
            return scalar == " "
        default:
            return !scalar.properties.isDefaultIgnorableCodePoint
        }
    }
}
