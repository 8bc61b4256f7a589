import Configuration
import Glibc
import LinuxIO
import SecretMemory

/// Writing to the standard streams of a command, without stdio's buffers.
public enum StandardStream {
    /// Why standard output did not take something, in this process; nil as long as it took everything.
    nonisolated(unsafe) private static var outputError: Errno?

    /// Whether anything was written to standard output.
    nonisolated(unsafe) private(set) static var hasOutput = false

    /// Where a child tells its launcher that its answer begins; nil where there is none to tell.
    nonisolated(unsafe) private static var announcement: Int32?

    /// Writes all of `text` to standard output. What it does not take is remembered for `end`.
    public static func out(_ text: String) { out(Array(text.utf8)[...]) }

    /// The same for bytes; whether it took them.
    @discardableResult
    static func out(_ bytes: ArraySlice<UInt8>) -> Bool {
        if !hasOutput, let announcement { write("a\n", to: announcement) }
        hasOutput = true
        do throws(Errno) {
            try send(bytes, to: STDOUT_FILENO)
            return true
        } catch {
            outputError = outputError ?? error
            return false
        }
    }

    /// From here on there is no answer on standard output yet.
    static func beginAnswer() { hasOutput = false }

    /// Writes all of `text` to standard error.
    public static func error(_ text: String) { write(text, to: STDERR_FILENO) }

    /// The status of a process whose work ended with `code`: no success where standard output lost
    /// something, and a sentence about it.
    static func end(_ code: ExitCode) -> ExitCode {
        if let outputError {
            error("bulkhead: standard output did not take everything: \(outputError)\n")
        }
        return status(code)
    }

    /// The same status, while another process is to say the sentence.
    static func status(_ code: ExitCode) -> ExitCode {
        outputError != nil && code == .success ? .system : code
    }

    /// What a line of a report begins with that tells of this.
    private static let lossMark = UInt8(ascii: "!")

    /// In a child: has its launcher say, once for both, that standard output lost something.
    static func reportLoss(to pipe: Int32) {
        if let outputError { write("!\(outputError.number)\n", to: pipe) }
    }

    /// In a child: has its launcher know when an answer begins, should it end in the middle of it.
    static func announceAnswer(to pipe: Int32) { announcement = pipe }

    /// In the launcher: what a child reported.
    static func note(_ report: [UInt8]) {
        for line in report.split(separator: 0x0A) {
            if line.elementsEqual("a".utf8) { hasOutput = true }
            guard line.first == lossMark else { continue }
            let number = Int32(String(decoding: line.dropFirst(), as: UTF8.self))
            outputError = outputError ?? number.map { Errno($0) }
        }
    }

    /// Writes as much of `text` as is taken.
    static func write(_ text: String, to descriptor: Int32) {
        try? send(text, to: descriptor)
    }

    /// Writes all of `text`.
    static func send(_ text: String, to descriptor: Int32) throws(Errno) {
        let error = Array(text.utf8).withUnsafeBytes { problem(sending: $0, to: descriptor) }
        if let error { throw error }
    }

    /// Writes all of some bytes.
    static func send(_ bytes: ArraySlice<UInt8>, to descriptor: Int32) throws(Errno) {
        let error = bytes.withUnsafeBytes { problem(sending: $0, to: descriptor) }
        if let error { throw error }
    }

    /// Writes all of a secret.
    static func send(_ secret: borrowing SecretBytes, to descriptor: Int32) throws(Errno) {
        let error = secret.withUnsafeBytes { problem(sending: $0, to: descriptor) }
        if let error { throw error }
    }

    /// Writes until all is taken, or says what stopped it.
    private static func problem(
        sending bytes: UnsafeRawBufferPointer, to descriptor: Int32
    ) -> Errno? {
        var rest = bytes[...]
        while !rest.isEmpty {
            let part = UnsafeRawBufferPointer(rebasing: rest)
            do throws(Errno) {
                switch try Kernel.write(descriptor, part) {
                case .moved(let count): rest = rest.dropFirst(count)
                case .wouldBlock: return .wouldBlock
                case .ended: return .brokenPipe
                }
            } catch {
                return error
            }
        }
        return nil
    }
}
