import LinuxIO
import SecretMemory

/// Answers from a descriptor, one a line, each read into locked memory. Bytes are taken one at a time,
/// so that what follows stays for somebody else.
final class AnswerLines {
    private let descriptor: Int32
    private var hasEnded = false

    init(_ descriptor: Int32) { self.descriptor = descriptor }

    /// The next line without its end.
    ///
    /// - Throws: `noAnswer` where there is none, or where it is longer than `limit` bytes.
    func next(_ what: String, limit: Int) throws(PromptEnd) -> SecretBytes {
        guard !hasEnded else { throw .noAnswer(what) }
        var line = SecretLine(limit: limit)
        var byte = SecretBytes(count: 1)
        while true {
            let descriptor = descriptor
            let transfer = byte.withUnsafeMutableBytes { try? Kernel.read(descriptor, into: $0) }
            switch transfer {
            case .moved:
                let value = byte.withUnsafeBytes { $0[0] }
                if value == 0x0A { return line.copy() }
                guard line.append(value) else {
                    throw .badAnswer("the \(what) is longer than \(limit) bytes")
                }
            case .wouldBlock:
                var set = PollSet()
                set.add(descriptor, .reading)
                _ = try? set.wait(until: nil)
            case .ended, nil:
                hasEnded = true
                guard !line.isEmpty else { throw .noAnswer(what) }
                return line.copy()
            }
        }
    }
}
