public import SecretMemory

extension KitPage {
    /// The kit as UTF-8 text of at most 80 columns, with the QR codes in half blocks.
    public borrowing func text() throws(KitDocumentError) -> SecretBytes {
        var text = SecretText(capacity: 16384)
        text.append(Words.title + "\n" + String(repeating: "=", count: Words.title.count) + "\n\n")
        for (label, value) in heading {
            let padding = String(repeating: " ", count: 9 - label.count)
            text.append(label + padding + value + "\n")
        }
        text.append("\n" + Self.wrapped(Words.warning, indent: "") + "\n")
        try Self.write(secretKey, Words.secretKey, Words.secretKeyUse, into: &text)
        try Self.write(recoveryCode, Words.recoveryCode, Words.recoveryCodeUse, into: &text)
        text.append("What to do with it\n\n")
        for (number, step) in zip(1..., Words.steps) {
            text.append("\(number). " + Self.wrapped(step, indent: "   "))
        }
        return text.finish()
    }

    private static func write(
        _ secret: borrowing SecretBytes, _ title: String, _ use: String, into text: inout SecretText
    ) throws(KitDocumentError) {
        guard let code = secret.withUnsafeBytes({ QRCode($0) }) else { throw .tooLongForCode }
        text.append(title + "\n" + wrapped(use, indent: "") + "\n")
        secret.withUnsafeBytes { bytes in
            for line in GroupedText.lines(of: bytes, longest: 40) {
                text.append("    ")
                text.append(UnsafeRawBufferPointer(rebasing: bytes[line]))
                text.append("\n")
            }
        }
        text.append("\n")
        code.draw(into: &text, inverted: false)
        text.append("\n")
    }

    /// The words in lines of at most 80 columns, all but the first indented, each ended.
    private static func wrapped(_ words: String, indent: String) -> String {
        var lines = [""]
        for word in words.split(separator: " ") {
            let last = lines[lines.count - 1]
            if last.isEmpty {
                lines[lines.count - 1] = String(word)
            } else if last.count + 1 + word.count <= 76 {
                lines[lines.count - 1] = last + " " + word
            } else {
                lines.append(indent + word)
            }
        }
        return lines.joined(separator: "\n") + "\n"
    }
}

/// A secret in groups, broken into lines between groups.
public enum GroupedText {
    /// The ranges of the lines, each of at most `longest` bytes where a group allows it; what separates two
    /// groups stays at the end of a line unless it is a space.
    public static func lines(of bytes: UnsafeRawBufferPointer, longest: Int) -> [Range<Int>] {
        var lines: [Range<Int>] = []
        var start = 0
        var end = 0
        for (index, byte) in bytes.enumerated() {
            let isBreak = byte == UInt8(ascii: " ") || byte == UInt8(ascii: "-")
            guard isBreak || index == bytes.count - 1 else { continue }
            let next = index + 1
            if next - start > longest + (byte == UInt8(ascii: " ") ? 1 : 0), end > start {
                lines.append(trimmed(start..<end, bytes))
                start = end
            }
            end = next
        }
        if end > start { lines.append(trimmed(start..<end, bytes)) }
        return lines
    }

    private static func trimmed(
        _ line: Range<Int>, _ bytes: UnsafeRawBufferPointer
    ) -> Range<Int> {
        bytes[line.upperBound - 1] == UInt8(ascii: " ")
            ? line.lowerBound..<line.upperBound - 1 : line
    }
}
