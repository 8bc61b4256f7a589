import Glibc
import LinuxIO
import Messages

/// The bytes of a file that is to be reviewed, as they are: whoever parses them has no secrets.
enum PSBTSource {
    /// Reads a file of at most `limit` bytes. Its size is known before anything is read; what grows
    /// meanwhile is refused.
    static func read(_ path: String, limit: Int = Limit.payload) throws(CommandEnd) -> [UInt8] {
        do throws(CommandEnd) { return try content(of: path, limit) } catch {
            throw error.of(path)
        }
    }

    private static func content(
        of path: String, _ limit: Int
    ) throws(CommandEnd) -> [UInt8] {
        func failed() -> CommandEnd { .problem(.input, "\(Errno(errno))") }
        // A FIFO or a device must not hold the command.
        let number = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK)
        guard number >= 0 else { throw failed() }
        let file = FileDescriptor(owning: number)
        var facts = stat()
        guard fstat(file.number, &facts) == 0 else { throw failed() }
        guard facts.st_mode & S_IFMT == S_IFREG else {
            throw .problem(.input, "it is no ordinary file")
        }
        guard facts.st_size <= limit else {
            throw .problem(
                .input, "it has \(facts.st_size) bytes, at most \(limit) are read")
        }
        let bytes: [UInt8]
        do throws(Errno) {
            bytes = try Kernel.read(file.number, at: 0, count: Int(facts.st_size) + 1)
        } catch {
            throw .problem(.input, "\(error)")
        }
        guard bytes.count <= Int(facts.st_size) else {
            throw .problem(.input, "it grew while it was read; try again")
        }
        return bytes
    }
}
