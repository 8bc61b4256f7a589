import KitDocument
public import SecretMemory

/// Secrets as a person reads them from the screen to write them down.
enum PhraseScreen {
    /// Two columns for the number, a point and a space.
    static func number(_ number: Int) -> String { (number < 10 ? "  " : " ") + "\(number). " }

    /// The words of a phrase in a numbered grid: down the columns, four of them.
    static func grid(_ phrase: borrowing SecretBytes) -> SecretBytes {
        phrase.withUnsafeBytes { phrase in
            let words = phrase.split(separator: UInt8(ascii: " "))
            let rows = max(1, (words.count + 3) / 4)
            var text = SecretText(capacity: 4096)
            for row in 0..<rows {
                for place in stride(from: row, to: words.count, by: rows) {
                    let word = words[place]
                    text.append(number(place + 1))
                    text.append(UnsafeRawBufferPointer(rebasing: word))
                    text.append(String(repeating: " ", count: max(1, 14 - word.count)))
                }
                text.append("\r\n")
            }
            return text.finish()
        }
    }
}

extension Prompter {
    /// Shows a phrase on the screen without scroll-back until Enter, then empties that screen.
    public func show(phrase: borrowing SecretBytes, title: String) throws(PromptEnd) {
        try show(PhraseScreen.grid(phrase), title: title)
    }

    /// Shows any secret text, with line ends of `\r\n`, until Enter; an hour at most.
    public func show(_ secret: borrowing SecretBytes, title: String) throws(PromptEnd) {
        guard case .terminal(let keys) = source else { return }
        PromptOutput.write(
            PromptOutput.alternate + title + "\r\n\r\n", to: keys.descriptor)
        defer { PromptOutput.write(PromptOutput.normal, to: keys.descriptor) }
        PromptOutput.write(secret, to: keys.descriptor)
        PromptOutput.write(
            "\r\n\r\nEnter goes on and empties the screen.\r\n", to: keys.descriptor)
        while true {
            switch try keys.next(within: KeyInput.readingLimit) {
            case .enter: return
            case .cancel: throw .cancelled
            default: continue
            }
        }
    }
}
