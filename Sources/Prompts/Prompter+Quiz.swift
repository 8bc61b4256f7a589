import KitDocument
public import SecretMemory

extension Prompter {
    /// Asks for some words of a phrase that was just written down, on the screen without scroll-back.
    /// Four letters name a word.
    ///
    /// - Parameter places: Which words, counted from 1.
    /// - Returns: False where the person wants to see the words again.
    public func quiz(
        _ phrase: borrowing SecretBytes, places: [Int], title: String
    ) throws(PromptEnd) -> Bool {
        guard case .terminal(let keys) = source else { return true }
        PromptOutput.write(PromptOutput.alternate, to: keys.descriptor)
        defer { PromptOutput.write(PromptOutput.normal, to: keys.descriptor) }
        var quiz = PhraseQuiz(places: places)
        while true {
            PromptOutput.write(quiz.screen(title: title), to: keys.descriptor)
            switch quiz.take(try keys.next(), phrase) {
            case .more: continue
            case .passed: return true
            case .again: return false
            case .cancelled: throw .cancelled
            }
        }
    }
}

/// A quiz on the words of a phrase: which was asked, and what was typed of it.
struct PhraseQuiz: ~Copyable {
    private let places: [Int]
    private var answered = 0
    private var typed = SecretLine(limit: 16)
    private(set) var message = ""

    /// What a key led to.
    enum Step: Hashable {
        case more, passed, again, cancelled
    }

    init(places: [Int]) { self.places = places }

    mutating func take(_ key: Key, _ phrase: borrowing SecretBytes) -> Step {
        message = ""
        switch key {
        case .byte(UInt8(ascii: " ")), .tab, .enter: return judge(phrase)
        case .byte(let byte):
            let letter = byte | 0x20
            if (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(letter) { typed.append(letter) }
        case .backspace: typed.removeLast()
        case .clear: typed.removeAll()
        case .cancel: return .cancelled
        default: break
        }
        return .more
    }

    private mutating func judge(_ phrase: borrowing SecretBytes) -> Step {
        guard answered < places.count else { return .passed }
        guard !typed.isEmpty else { return .again }
        let place = places[answered]
        let isRight = phrase.withUnsafeBytes { phrase in
            let words = phrase.split(separator: UInt8(ascii: " "))
            guard words.indices.contains(place - 1) else { return true }
            let word = words[place - 1]
            return typed.withBytes { typed in
                typed.count == word.count
                    ? typed.elementsEqual(word) : typed.count >= 4 && word.starts(with: typed)
            }
        }
        typed.removeAll()
        if isRight {
            answered += 1
        } else {
            message = "That is not word \(place). Look at what you wrote down."
        }
        return answered == places.count ? .passed : .more
    }

    /// The screen, 80 by 24, in ECMA-48.
    func screen(title: String) -> SecretBytes {
        var text = SecretText(capacity: 2048)
        text.append("\u{1b}[H\(title)\u{1b}[K\r\n\u{1b}[K\r\n")
        if answered < places.count {
            text.append("\(answered + 1) of \(places.count)\u{1b}[K\r\n\u{1b}[K\r\n")
            text.append("Word \(places[answered]): ")
            typed.withBytes { text.append($0) }
        }
        text.append("\u{1b}[K\u{1b}7\r\n\u{1b}[K\r\n\(message)\u{1b}[K\r\n\u{1b}[K\r\n")
        text.append("Enter takes the word   Enter alone shows the words again   ^C gives up")
        text.append("\u{1b}[J\u{1b}8")
        return text.finish()
    }
}
