public import SecretMemory

/// Asks a person for secrets: at a terminal, or line by line from a descriptor that a script gave.
///
/// At a terminal the mode must be set already, so that nothing is echoed and Control-C arrives as a
/// key: a confined process cannot set it.
public struct Prompter {
    let source: Source

    enum Source {
        case terminal(KeyInput)
        case lines(AnswerLines)
    }

    /// Asks at the terminal behind this descriptor, which is read and written.
    ///
    /// - Parameter leash: A pipe that ends with whoever has to give the terminal back; then a prompt ends,
    ///   and the caller gives it back in its place.
    public init(terminal: Int32, idleLimit: Duration = .seconds(120), leash: Int32? = nil) {
        source = .terminal(KeyInput(terminal, idleLimit: idleLimit, leash: leash))
    }

    /// Takes each answer as a line from this descriptor.
    public init(answers: Int32) { source = .lines(AnswerLines(answers)) }

    /// The bytes of the longest password: 64 characters of up to four bytes.
    public static let longestPassword = 256
    /// The bytes of the longest BIP39 passphrase.
    public static let longestPassphrase = 1024

    /// Asks for a secret that is typed without an echo.
    ///
    /// - Parameter what: What it is, in a sentence and before a colon: `password of Savings`.
    public func hidden(
        _ what: String, limit: Int = Prompter.longestPassword
    ) throws(PromptEnd) -> SecretBytes {
        switch source {
        case .lines(let lines): return try lines.next(what, limit: limit)
        case .terminal(let keys):
            return try Self.line(what.capitalisedFirst + ": ", limit, keys)
        }
    }

    static func line(
        _ label: String, _ limit: Int, _ keys: KeyInput
    ) throws(PromptEnd) -> SecretBytes {
        var line = SecretLine(limit: limit)
        PromptOutput.write(PromptOutput.line + label, to: keys.descriptor)
        defer { PromptOutput.write("\n", to: keys.descriptor) }
        while true {
            switch try keys.next() {
            case .byte(let byte): line.append(byte)
            case .backspace: line.removeLast()
            case .clear: line.removeAll()
            case .enter: return line.copy()
            case .cancel: throw .cancelled
            default: continue
            }
        }
    }

    /// Asks a question that only the whole word yes answers with yes. A script has said so by a flag
    /// or not: there the answer is no.
    public func confirms(_ question: String) throws(PromptEnd) -> Bool {
        guard case .terminal(let keys) = source else { return false }
        PromptOutput.write(question + " Type yes to go on: ", to: keys.descriptor)
        defer { PromptOutput.write("\n", to: keys.descriptor) }
        var typed: [UInt8] = []
        while true {
            switch try keys.next() {
            case .byte(let byte) where byte < 0x7F && typed.count < 16:
                typed.append(byte)
                PromptOutput.write(String(UnicodeScalar(byte)), to: keys.descriptor)
            case .backspace where !typed.isEmpty:
                typed.removeLast()
                PromptOutput.write("\u{8} \u{8}", to: keys.descriptor)
            case .enter: return String(decoding: typed, as: UTF8.self) == "yes"
            case .cancel: throw .cancelled
            default: continue
            }
        }
    }
}

extension String {
    /// With an upper-case letter at the start.
    var capitalisedFirst: String { prefix(1).uppercased() + dropFirst() }
}
