import KeyTree
public import SecretMemory
public import Vault

extension Prompter {
    /// Asks for the words of a recovery phrase, with completion and the checks of BIP39, on the screen
    /// without scroll-back.
    public func words(_ title: String) throws(PromptEnd) -> SecretBytes {
        switch source {
        case .lines(let lines):
            return try lines.next("recovery phrase", limit: Mnemonic.maximumTextLength)
        case .terminal(let keys):
            PromptOutput.write(PromptOutput.alternate, to: keys.descriptor)
            defer { PromptOutput.write(PromptOutput.normal, to: keys.descriptor) }
            var entry = WordEntry()
            while true {
                PromptOutput.write(entry.screen(title: title), to: keys.descriptor)
                switch entry.take(try keys.next()) {
                case .more: continue
                case .complete: return entry.phrase()
                case .cancelled: throw .cancelled
                }
            }
        }
    }

    /// Asks for a text of the recovery kit, which names a slip by its group.
    public func kitText(_ kind: TypedSecret, _ title: String) throws(PromptEnd) -> SecretBytes {
        switch source {
        case .lines(let lines):
            return try lines.next(
                kind == .recoveryCode ? "recovery code" : "secret key", limit: 512)
        case .terminal(let keys):
            PromptOutput.write(PromptOutput.alternate, to: keys.descriptor)
            defer { PromptOutput.write(PromptOutput.normal, to: keys.descriptor) }
            var entry = GroupEntry(kind)
            while true {
                PromptOutput.write(entry.screen(title: title), to: keys.descriptor)
                switch entry.take(try keys.next()) {
                case .more: continue
                case .complete: return entry.text()
                case .cancelled: throw .cancelled
                }
            }
        }
    }

    /// Asks for rolls of dice, which are counted and not shown.
    public func dice(wordCount: Int) throws(PromptEnd) -> SecretBytes {
        switch source {
        case .lines(let lines): return try lines.next("dice rolls", limit: 2048)
        case .terminal(let keys):
            let needed = DiceEntropy.neededRolls(wordCount: wordCount)
            var line = SecretLine(limit: DiceEntropy.maximumRolls)
            defer { PromptOutput.write("\n", to: keys.descriptor) }
            while true {
                PromptOutput.write(
                    PromptOutput.line
                        + "Dice, digits 1 to 6, at least \(needed) (so far \(line.count)): ",
                    to: keys.descriptor)
                switch try keys.next() {
                case .byte(let byte) where (UInt8(ascii: "1")...UInt8(ascii: "6")).contains(byte):
                    line.append(byte)
                case .backspace: line.removeLast()
                case .clear: line.removeAll()
                case .enter where line.count >= needed: return line.copy()
                case .cancel: throw .cancelled
                default: continue
                }
            }
        }
    }
}
