import ConsoleCore
import Glibc
import LinuxIO

/// The bytes of a file, or of an open descriptor, of any kind: read to their end, and no further than
/// a limit.
enum InputBytes {
    /// Reads a file; - is the input.
    static func read(_ path: String, limit: Int) throws(CommandEnd) -> [UInt8] {
        guard path != "-" else { return try read(STDIN_FILENO, "standard input", limit: limit) }
        let number = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY)
        guard number >= 0 else {
            throw .problem(.input, "\(VisibleText(path, limit: 200)): \(Errno(errno))")
        }
        let file = FileDescriptor(owning: number)
        return try read(file.number, path, limit: limit)
    }

    /// Reads a descriptor, which stays open.
    static func read(
        _ number: Int32, _ name: String, limit: Int
    ) throws(CommandEnd) -> [UInt8] {
        let shown = VisibleText(name, limit: 200)
        var bytes: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let transfer = piece.withUnsafeMutableBytes { buffer in
                Result { () throws(Errno) in try Kernel.read(number, into: buffer) }
            }
            switch transfer {
            case .success(.moved(let count)): bytes += piece.prefix(count)
            case .success(.ended): return bytes
            case .success(.wouldBlock): throw .problem(.input, "\(shown): nothing came")
            case .failure(let error): throw .problem(.input, "\(shown): \(error)")
            }
            guard bytes.count <= limit else {
                throw .problem(.input, "\(shown) is longer than \(limit) bytes")
            }
        }
    }
}
