import Configuration
import Glibc
import LinuxIO
import Wire

/// The file that is to be sealed, mapped into memory; or what standard input holds.
struct ItemSource {
    let bytes: UnsafeRawBufferPointer
    /// When the file was last changed, in seconds since 1970; nil for standard input.
    let modifiedAt: UInt64?
    /// Which file it was, and in which state; nil for standard input.
    private let facts: stat?

    /// The most that is taken from a standard input, which cannot be looked at twice.
    private static let largestNote = 16 << 20

    /// Opens what a command names; `-` is standard input.
    init(_ path: String) throws(CommandEnd) {
        if path == "-" {
            self = try ItemSource(reading: STDIN_FILENO)
        } else {
            try self.init(file: path)
        }
    }

    private init(file path: String) throws(CommandEnd) {
        func failed() -> CommandEnd {
            .problem(.input, "\(VisibleText(path, limit: 200)): \(Errno(errno))")
        }
        let file = try InputBytes.open(path, .ordinary)
        var facts = stat()
        guard fstat(file.number, &facts) == 0 else { throw failed() }
        self.facts = facts
        modifiedAt = UInt64(max(0, facts.st_mtim.tv_sec))
        guard facts.st_size > 0 else {
            bytes = UnsafeRawBufferPointer(start: nil, count: 0)
            return
        }
        let size = Int(facts.st_size)
        guard let start = mmap(nil, size, PROT_READ, MAP_PRIVATE, file.number, 0),
            start != MAP_FAILED
        else { throw failed() }
        bytes = UnsafeRawBufferPointer(start: start, count: size)
    }

    /// Takes all that comes from a descriptor, whether or not its reads block.
    ///
    /// - Throws: What a read fails with: only the end of the input is its end.
    init(reading number: Int32) throws(CommandEnd) {
        let limit = Self.largestNote
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: limit + 1, alignment: 16)
        var count = 0
        do throws(CommandEnd) {
            while count <= limit {
                let rest = UnsafeMutableRawBufferPointer(rebasing: buffer[count...])
                guard let more = try InputBytes.next(number, into: rest, nil) else { break }
                count += more
            }
        } catch {
            buffer.deallocate()
            throw error.of("standard input")
        }
        guard count <= limit else {
            buffer.deallocate()
            throw .problem(
                .input, "standard input has more than \(limit >> 20) MiB; give a file's name")
        }
        bytes = UnsafeRawBufferPointer(rebasing: buffer[..<count])
        modifiedAt = nil
        facts = nil
    }

    /// Whether the same file, unchanged, has this name itself and not by a symbolic link.
    func isStill(at path: String) -> Bool {
        var found = stat()
        guard let facts, lstat(path, &found) == 0 else { return false }
        return found.st_dev == facts.st_dev && found.st_ino == facts.st_ino
            && found.st_size == facts.st_size && found.st_mtim.tv_sec == facts.st_mtim.tv_sec
            && found.st_mtim.tv_nsec == facts.st_mtim.tv_nsec
    }
}
