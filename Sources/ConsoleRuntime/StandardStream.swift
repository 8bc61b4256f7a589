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

    /// Writes all of `text` to standard output. What it does not take is remembered for `end`.
    public static func out(_ text: String) {
        hasOutput = true
        do throws(Errno) { try send(text, to: STDOUT_FILENO) } catch {
            outputError = outputError ?? error
        }
    }

    /// Writes all of `text` to standard error.
    public static func error(_ text: String) { write(text, to: STDERR_FILENO) }

    /// The status of a process whose work ended with `code`: no success where standard output lost
    /// something, and a sentence about it.
    static func end(_ code: ExitCode) -> ExitCode {
        guard let outputError else { return code }
        error("bulkhead: standard output did not take everything: \(outputError)\n")
        return code == .success ? .system : code
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
