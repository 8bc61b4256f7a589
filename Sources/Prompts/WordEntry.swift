import KeyTree
import KitDocument
import SecretMemory

/// The words of a recovery phrase while they are typed: each is completed from BIP39's list, and one
/// that is not in the list cannot be taken.
struct WordEntry: ~Copyable {
    /// The places of the taken words in the list, two bytes each.
    private var chosen = SecretBytes(count: 48)
    /// How many are taken.
    private(set) var count = 0
    private var typed = SecretLine(limit: 16)
    /// What to say about the last key.
    private(set) var message = ""

    /// No phrase has more words.
    static let most = 24

    /// What a key led to.
    enum Step: Hashable {
        case more
        /// The words are a phrase: the number and the checksum are right.
        case complete
        case cancelled
    }

    mutating func take(_ key: Key) -> Step {
        message = ""
        switch key {
        case .byte(UInt8(ascii: " ")), .tab: takeWord(nearest: key == .tab)
        case .byte(let byte):
            let letter = byte | 0x20
            guard (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(letter) else { break }
            if count == Self.most {
                message = "That is 24 words; Enter ends."
            } else {
                typed.append(letter)
            }
        case .backspace: removeLast()
        case .clear: typed.removeAll()
        case .enter:
            guard typed.isEmpty else {
                takeWord(nearest: false)
                break
            }
            return finish()
        case .cancel: return .cancelled
        default: break
        }
        return .more
    }

    // MARK: Words

    /// The places of the words that begin with what is typed.
    func candidates(limit: Int) -> [Int] {
        typed.withBytes { typed in
            var found: [Int] = []
            for index in 0..<EnglishWords.count where found.count < limit {
                if EnglishWords.utf8(at: index).starts(with: typed) { found.append(index) }
            }
            return found
        }
    }

    private var nearest: Int { EnglishWords.nearest(to: typed.copy()) }

    private mutating func takeWord(nearest useNearest: Bool) {
        guard !typed.isEmpty else { return }
        let candidates = candidates(limit: 2)
        // A word that is the start of others, as "act" of "action", comes first in the sorted list.
        let isWhole = candidates.first.map { EnglishWords.utf8(at: $0).count == typed.count }
        if let first = candidates.first, candidates.count == 1 || isWhole == true {
            append(first)
        } else if candidates.isEmpty, useNearest {
            append(nearest)
        } else {
            message =
                candidates.isEmpty
                ? "No word of the list begins like that."
                : "Several words begin like that; type on."
        }
    }

    private mutating func append(_ index: Int) {
        let place = count * 2
        chosen.withUnsafeMutableBytes {
            $0[place] = UInt8(index & 0xFF)
            $0[place + 1] = UInt8(index >> 8)
        }
        count += 1
        typed.removeAll()
    }

    /// Takes a letter back, or the last word to change it.
    private mutating func removeLast() {
        guard typed.isEmpty, count > 0 else { return typed.removeLast() }
        count -= 1
        for byte in EnglishWords.utf8(at: word(count)) { typed.append(byte) }
    }

    private func word(_ place: Int) -> Int {
        chosen.withUnsafeBytes { Int($0[place * 2]) | Int($0[place * 2 + 1]) << 8 }
    }

    private mutating func finish() -> Step {
        do throws(MnemonicError) {
            _ = try Mnemonic(text: phrase())
            return .complete
        } catch {
            message = "\(error)".capitalisedFirst
            return .more
        }
    }

    /// The words with a space between them.
    func phrase() -> SecretBytes {
        var text = SecretText(capacity: Self.most * 9)
        for place in 0..<count {
            if place > 0 { text.append(" ") }
            text.append(EnglishWords.utf8(at: word(place)))
        }
        return text.finish()
    }

    // MARK: Drawing

    /// The screen, 80 by 24, in ECMA-48.
    func screen(title: String) -> SecretBytes {
        var text = SecretText(capacity: 8192)
        text.append("\u{1b}[H\(title)\u{1b}[K\r\n\u{1b}[K\r\n")
        for row in 0..<6 {
            for column in 0..<4 {
                let place = column * 6 + row
                text.append(PhraseScreen.number(place + 1))
                if place < count {
                    let word = EnglishWords.utf8(at: word(place))
                    text.append(word)
                    text.append(String(repeating: " ", count: 14 - word.count))
                } else {
                    text.append(String(repeating: " ", count: 14))
                }
            }
            text.append("\u{1b}[K\r\n")
        }
        text.append("\u{1b}[K\r\nWord \(min(count + 1, Self.most)): ")
        typed.withBytes { text.append($0) }
        text.append("\u{1b}[K\u{1b}7\r\n")
        appendHint(to: &text)
        text.append("\u{1b}[K\r\n\(message)\u{1b}[K\r\n\u{1b}[K\r\n")
        text.append("space takes the word   backspace goes back   ^U empties   ")
        text.append("Enter ends the phrase   ^C gives up\u{1b}[J\u{1b}8")
        return text.finish()
    }

    private func appendHint(to text: inout SecretText) {
        guard !typed.isEmpty else { return }
        let candidates = candidates(limit: 8)
        if candidates.isEmpty {
            text.append("  did you mean ")
            text.append(EnglishWords.utf8(at: nearest))
            text.append("? Tab takes it")
        }
        for index in candidates {
            text.append("  ")
            text.append(EnglishWords.utf8(at: index))
        }
    }
}
