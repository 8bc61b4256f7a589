import ConsoleCore
import Glibc
import LinuxIO
import Messages

/// The bytes of a file that is to be reviewed, as they are: whoever parses them has no secrets.
enum PSBTSource {
    /// Reads a file of at most `limit` bytes. Its size is known before anything is read; what grows
    /// meanwhile is refused.
    static func read(_ path: String, limit: Int = Limit.payload) throws(CommandEnd) -> [UInt8] {
        let shown = VisibleText(path, limit: 200)
        func failed() -> CommandEnd { .problem(.input, "\(shown): \(Errno(errno))") }
        // A FIFO or a device must not hold the command.
        let number = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK)
        guard number >= 0 else { throw failed() }
        let file = FileDescriptor(owning: number)
        var facts = stat()
        guard fstat(file.number, &facts) == 0 else { throw failed() }
        guard facts.st_mode & S_IFMT == S_IFREG else {
            throw .problem(.input, "\(shown) is no ordinary file")
        }
        guard facts.st_size <= limit else {
            throw .problem(
                .input, "\(shown) has \(facts.st_size) bytes, at most \(limit) are read")
        }
        var bytes = [UInt8](repeating: 0, count: Int(facts.st_size) + 1)
        var count = 0
        while count < bytes.count {
            let rest = count
            do throws(Errno) {
                let transfer = try read(file.number, into: &bytes, from: rest)
                guard case .moved(let more) = transfer else { break }
                count += more
            } catch {
                throw .problem(.input, "\(shown): \(error)")
            }
        }
        guard count <= Int(facts.st_size) else {
            throw .problem(.input, "\(shown) grew while it was read; try again")
        }
        bytes.removeLast(bytes.count - count)
        return bytes
    }

    private static func read(
        _ number: Int32, into bytes: inout [UInt8], from place: Int
    ) throws(Errno) -> Kernel.Transfer {
        do {
            return try bytes.withUnsafeMutableBytes { buffer in
                try Kernel.read(number, into: .init(rebasing: buffer[place...]))
            }
        } catch {
            throw error as? Errno ?? .inputOutput
        }
    }
}
