import KitDocument
import SecretMemory
import Vault

/// A text of the recovery kit while it is typed: groups of five characters, each of which can be gone
/// back to, and which name a slip by its group.
struct GroupEntry: ~Copyable {
    let kind: TypedSecret
    private var characters: SecretBytes
    private var lengths: [Int]
    private var current = 0
    private var slips: Set<Int> = []
    private(set) var message = ""

    static let groupLength = 5

    init(_ kind: TypedSecret) {
        self.kind = kind
        let count = Self.groups(of: kind)
        characters = SecretBytes(count: count * Self.groupLength)
        lengths = [Int](repeating: 0, count: count)
    }

    /// How many groups the kit prints.
    static func groups(of kind: TypedSecret) -> Int { kind == .recoveryCode ? 8 : 13 }

    mutating func take(_ key: Key) -> WordEntry.Step {
        message = ""
        switch key {
        case .byte(let byte) where byte > 0x20 && byte < 0x7F && byte != UInt8(ascii: "-"):
            type(byte)
        case .byte, .tab, .right, .down: move(1, when: key)
        case .left, .up: move(-1, when: key)
        case .backspace: removeLast()
        case .clear: empty(current)
        case .enter: return finish()
        case .cancel: return .cancelled
        default: break
        }
        return .more
    }

    /// A full group is typed anew from its start.
    private mutating func type(_ byte: UInt8) {
        if lengths[current] == Self.groupLength { empty(current) }
        let isLetter = (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
        let place = current * Self.groupLength + lengths[current]
        characters.withUnsafeMutableBytes { $0[place] = isLetter ? byte & ~0x20 : byte }
        lengths[current] += 1
        slips.remove(current)
        if lengths[current] == Self.groupLength, current + 1 < lengths.count { current += 1 }
    }

    /// A separator that is typed after a full group says nothing new.
    private mutating func move(_ step: Int, when key: Key) {
        if case .byte = key, lengths[current] == 0 { return }
        current = min(max(0, current + step), lengths.count - 1)
    }

    private mutating func removeLast() {
        if lengths[current] == 0, current > 0 { current -= 1 }
        guard lengths[current] > 0 else { return }
        lengths[current] -= 1
        let place = current * Self.groupLength + lengths[current]
        characters.withUnsafeMutableBytes { $0[place] = 0 }
    }

    private mutating func empty(_ group: Int) {
        lengths[group] = 0
        let range = group * Self.groupLength..<(group + 1) * Self.groupLength
        characters.withUnsafeMutableBytes { buffer in
            for place in range { buffer[place] = 0 }
        }
    }

    private mutating func finish() -> WordEntry.Step {
        do throws(CheckedTextError) {
            switch kind {
            case .recoveryCode: _ = try RecoveryCode(text: text())
            case .secretKey: _ = try VaultSecretKey(text: text())
            }
            return .complete
        } catch {
            message = "\(error)".capitalisedFirst + "."
            switch error {
            case .slips(_, let groups), .wrongCount(_, _, _, let groups):
                slips = Set(groups.map { $0 - 1 })
                if let first = groups.first { current = first - 1 }
            case .unknownCharacters(_, let places):
                slips = Set(places.map { ($0 - 1) / Self.groupLength })
            case .tooLong: break
            }
            return .more
        }
    }

    /// The groups with a hyphen between them.
    func text() -> SecretBytes {
        var text = SecretText(capacity: lengths.count * (Self.groupLength + 1))
        for group in lengths.indices {
            if group > 0 { text.append("-") }
            append(group, to: &text)
        }
        return text.finish()
    }

    private func append(_ group: Int, to text: inout SecretText) {
        let start = group * Self.groupLength
        let range = start..<start + lengths[group]
        characters.withUnsafeBytes { text.append(UnsafeRawBufferPointer(rebasing: $0[range])) }
    }

    /// The screen, 80 by 24, in ECMA-48: four groups a line, the current one in brackets.
    func screen(title: String) -> SecretBytes {
        var text = SecretText(capacity: 4096)
        text.append("\u{1b}[H\(title)\u{1b}[K\r\n\u{1b}[K\r\n")
        for group in lengths.indices {
            let isCurrent = group == current
            text.append(PhraseScreen.number(group + 1) + (isCurrent ? "[" : " "))
            append(group, to: &text)
            text.append(String(repeating: "_", count: Self.groupLength - lengths[group]))
            text.append((isCurrent ? "]" : " ") + (slips.contains(group) ? "<- slip " : "        "))
            if group % 4 == 3 || group == lengths.count - 1 { text.append("\u{1b}[K\r\n") }
        }
        text.append("\u{1b}[K\r\n\(message)\u{1b}[K\r\n\u{1b}[K\r\n")
        text.append(
            "arrows change the group   backspace, ^U empty   Enter ends   ^C gives up\u{1b}[J")
        return text.finish()
    }
}
