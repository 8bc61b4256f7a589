import Bitcoin

/// Lays text out for a terminal: ASCII only, lines of a given width.
struct TextLayout {
    let columns: Int

    /// Breaks a text at its spaces; words that are longer than a line are cut.
    func wrapped(_ text: String, first: String = "", rest: String = "") -> [String] {
        var lines: [String] = []
        var line = first
        var isEmpty = true
        for word in text.split(separator: " ") {
            var word = word
            if !isEmpty, line.utf8.count + 1 + word.utf8.count > columns {
                lines.append(line)
                (line, isEmpty) = (rest, true)
            }
            while line.utf8.count + word.utf8.count > columns, line.utf8.count < columns {
                let head = word.prefix(columns - line.utf8.count)
                lines.append(line + head)
                word = word.dropFirst(head.count)
                (line, isEmpty) = (rest, true)
            }
            line += (isEmpty ? "" : " ") + word
            isEmpty = false
        }
        return lines + [line]
    }

    /// Groups of four characters, so that two of them can be compared.
    static func groups(_ text: String) -> String {
        var rest = text[...]
        var groups: [Substring] = []
        while !rest.isEmpty {
            groups.append(rest.prefix(4))
            rest = rest.dropFirst(4)
        }
        return groups.joined(separator: " ")
    }

    /// Bytes from outside as text: printable ASCII as it is, everything else, and the backslash, as
    /// `\x` and two digits, so that a terminal obeys nothing of it.
    static func visible(_ bytes: some Sequence<UInt8>) -> String {
        var text = ""
        for byte in bytes {
            if (0x20...0x7E).contains(byte), byte != 0x5C {
                text.unicodeScalars.append(Unicode.Scalar(byte))
            } else {
                text += "\\x" + (byte < 16 ? "0" : "") + String(byte, radix: 16)
            }
        }
        return text
    }

    /// A whole number with commas between thousands.
    static func number(_ value: UInt64) -> String {
        let digits = String(value)
        var text = ""
        for (place, digit) in digits.enumerated() {
            if place > 0, (digits.utf8.count - place) % 3 == 0 { text += "," }
            text.append(digit)
        }
        return text
    }

    /// In both units, as in `0.00300000 BTC (300,000 sat)`.
    static func amount(_ amount: Amount) -> String {
        "\(amount.btcText) BTC (\(number(amount.sats)) sat)"
    }
}
