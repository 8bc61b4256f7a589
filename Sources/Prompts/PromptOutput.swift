import KitDocument
import LinuxIO
import SecretMemory

/// What prompts write to a terminal (ECMA-48).
enum PromptOutput {
    /// The other screen, which has no scroll-back, empty.
    static let alternate = "\u{1b}[?1049h\u{1b}[2J\u{1b}[H"
    /// Back to the first screen; the other one is emptied before.
    static let normal = "\u{1b}[2J\u{1b}[?25h\u{1b}[?1049l"
    /// To the start of the line, which is emptied.
    static let line = "\r\u{1b}[K"

    static func write(_ text: String, to descriptor: Int32) {
        Array(text.utf8).withUnsafeBytes { writeAll($0, to: descriptor) }
    }

    static func write(_ secret: borrowing SecretBytes, to descriptor: Int32) {
        secret.withUnsafeBytes { writeAll($0, to: descriptor) }
    }

    private static func writeAll(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let part = UnsafeRawBufferPointer(rebasing: rest)
            guard case .moved(let count) = try? Kernel.write(descriptor, part) else { return }
            rest = rest.dropFirst(count)
        }
    }
}
