import Glibc
import LinuxIO
import Wire

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
        var bytes: [UInt8] = []
        try pieces(of: number, name, limit: limit) { bytes += $0 }
        return bytes
    }

    /// Hands over what is read piece by piece, so that nothing holds the whole.
    static func pieces(
        of number: Int32, _ name: String, limit: Int,
        _ take: (ArraySlice<UInt8>) throws(CommandEnd) -> Void
    ) throws(CommandEnd) {
        let shown = VisibleText(name, limit: 200)
        var total = 0
        var piece = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let transfer = piece.withUnsafeMutableBytes { buffer in
                Result { () throws(Errno) in try Kernel.read(number, into: buffer) }
            }
            let count: Int
            switch transfer {
            case .success(.moved(let moved)): count = moved
            case .success(.ended): return
            case .success(.wouldBlock): throw .problem(.input, "\(shown): nothing came")
            case .failure(let error): throw .problem(.input, "\(shown): \(error)")
            }
            total += count
            guard total <= limit else {
                throw .problem(.input, "\(shown) is longer than \(limit) bytes")
            }
            try take(piece[..<count])
        }
    }
}
