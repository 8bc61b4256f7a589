import CLinux
import Glibc

/// Opening a file that a person named, to read it: one rule for every program.
///
/// Opening never waits. A pipe that nobody writes into, or a terminal line, is open at once, and whoever
/// takes such a file decides how long it waits for bytes.
public enum InputFile {
    /// What may stand under the name.
    public enum Kind: Hashable, Sendable {
        /// An ordinary file, which has a size and can be read twice.
        case ordinary
        /// Whatever has bytes: pipes and devices, too.
        case anything
    }

    /// Why a file is not read.
    public enum Problem: Error, Hashable, Sendable {
        /// The kernel does not open it.
        case unopened(Errno)
        /// The name is that of a directory.
        case directory
        /// The name is that of a pipe, where an ordinary file is needed.
        case pipe
        /// The name is that of a device, where an ordinary file is needed.
        case device
        /// The kernel makes the file up while it is read: it has no size, and a read may wait for ever.
        case madeUp
    }

    /// Opens it for reading, without waiting, close-on-exec and never as the controlling terminal.
    ///
    /// Reads of what is no ordinary file return at once, with or without bytes.
    public static func open(
        _ path: String, _ kind: Kind = .ordinary
    ) throws(Problem) -> FileDescriptor {
        let number = Glibc.open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK)
        guard number >= 0 else { throw .unopened(Errno(errno)) }
        let file = FileDescriptor(owning: number)
        let facts: Kernel.FileFacts
        do throws(Errno) { facts = try Kernel.facts(of: file) } catch { throw .unopened(error) }
        guard !facts.isDirectory else { throw .directory }
        guard facts.isFile || kind == .anything else { throw facts.isPipe ? .pipe : .device }
        guard !facts.isFile || !linux_is_made_up(file.number) else { throw .madeUp }
        return file
    }
}

extension InputFile.Problem: CustomStringConvertible {
    /// What is wrong, after the name of the file.
    public var description: String {
        switch self {
        case .unopened(let error): "\(error)"
        case .directory: "it is no ordinary file but a directory"
        case .pipe: "it is no ordinary file but a pipe: write what comes through it into one first"
        case .device: "it is no ordinary file but a device"
        case .madeUp:
            "it is no ordinary file but one that the kernel makes up: copy it into one first"
        }
    }
}
