public import SecretMemory
import Vault

extension Prompter {
    /// Asks for a new password: says while it is typed what it still lacks, and wants it twice.
    ///
    /// - Parameter what: `new password of Savings`.
    public func newPassword(_ what: String) throws(PromptEnd) -> SecretBytes {
        switch source {
        case .lines(let lines):
            let password = try lines.next(what, limit: Self.longestPassword)
            do throws(PasswordError) { try PasswordRules.check(password) } catch {
                throw .badAnswer("\(error)")
            }
            return password
        case .terminal(let keys): return try Self.choose(what, keys)
        }
    }

    private static func choose(
        _ what: String, _ keys: KeyInput
    ) throws(PromptEnd) -> SecretBytes {
        PromptOutput.write(
            "8 to 64 characters, three of upper case, lower case, digits and symbols.\n",
            to: keys.descriptor)
        while true {
            let first = try chosen(what, keys)
            if PasswordRules.differsWhenComposed(first) {
                PromptOutput.write(
                    "Some keyboards write a character of it in another way, and it is kept byte for "
                        + "byte: type it on the same kind of keyboard.\n", to: keys.descriptor)
            }
            let second = try line("The same again: ", longestPassword, keys)
            if first.isEqual(to: second) { return first }
            PromptOutput.write("The two differ. Both are forgotten; again.\n", to: keys.descriptor)
        }
    }

    /// One that keeps the rules.
    private static func chosen(
        _ what: String, _ keys: KeyInput
    ) throws(PromptEnd) -> SecretBytes {
        var line = SecretLine(limit: longestPassword)
        var shown = PasswordForms.hint(line.copy())
        let label = what.capitalisedFirst
        func paint() {
            PromptOutput.write("\(PromptOutput.line)\(label) (\(shown)): ", to: keys.descriptor)
        }
        paint()
        defer { PromptOutput.write("\n", to: keys.descriptor) }
        while true {
            switch try keys.next() {
            case .byte(let byte): line.append(byte)
            case .backspace: line.removeLast()
            case .clear: line.removeAll()
            case .enter:
                let password = line.copy()
                if (try? PasswordRules.check(password)) != nil { return password }
            case .cancel: throw .cancelled
            default: continue
            }
            let hint = PasswordForms.hint(line.copy())
            guard hint != shown else { continue }
            shown = hint
            paint()
        }
    }

    /// Asks for a BIP39 passphrase, twice at a terminal.
    public func newPassphrase(_ what: String) throws(PromptEnd) -> SecretBytes {
        while true {
            let first = try hidden(what, limit: Self.longestPassphrase)
            guard case .terminal = source else { return first }
            let second = try hidden("the same again", limit: Self.longestPassphrase)
            if first.isEqual(to: second) { return first }
            tell("The two differ. Both are forgotten; again.")
        }
    }

    /// Writes a line to the terminal; a script is told nothing.
    public func tell(_ sentence: String) {
        guard case .terminal(let keys) = source else { return }
        PromptOutput.write(sentence + "\n", to: keys.descriptor)
    }
}

/// What can be said of a password while it is chosen.
enum PasswordForms {
    /// What it still lacks, in a few words.
    static func hint(_ password: borrowing SecretBytes) -> String {
        do throws(PasswordError) {
            try PasswordRules.check(password)
            return "good"
        } catch {
            switch error {
            case .notUTF8: return "a character that is no UTF-8"
            case .controlCharacter: return "a control character, which cannot be used"
            case .length(let found, let allowed):
                return found < allowed.lowerBound
                    ? "at least \(allowed.lowerBound) characters"
                    : "at most \(allowed.upperBound) characters"
            case .tooFewClasses(let missing):
                return "also one of: " + missing.map(\.description).joined(separator: ", ")
            }
        }
    }
}
