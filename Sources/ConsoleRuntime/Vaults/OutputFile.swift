import ConsoleCore
import Glibc
import LinuxIO

/// A file that appears under its name whole or not at all. It is made by the launcher before anything
/// is confined; a child writes into it.
///
/// A plain value without a deinit: over a fork nobody may remove or close it by accident.
struct OutputFile {
    /// Where it appears in the end.
    let path: String
    /// The open temporary file beside it.
    let descriptor: Int32
    private let temporary: String
    private let overwrites: Bool
    private let reserves: Bool

    /// Why there is no file.
    struct Problem: Error, CustomStringConvertible {
        let description: String

        fileprivate init(_ path: String, _ what: String) {
            description = "\(VisibleText(path, limit: 200)): \(what)"
        }
    }

    /// Makes the temporary file, readable by nobody else.
    ///
    /// - Parameters:
    ///   - overwrites: Whether a file that is there may be replaced.
    ///   - reserved: So many bytes have room on the disk from here on; what is not written of them goes
    ///     when the file is whole.
    init(_ path: String, overwrites: Bool, reserving reserved: Int = 0) throws(Problem) {
        guard !path.isEmpty, path.last != "/" else { throw Problem(path, "is no name of a file") }
        if !overwrites, access(path, F_OK) == 0 {
            throw Problem(path, "is there already; choose another name, or give --force")
        }
        let (folder, name) = Self.split(path)
        temporary =
            folder + "." + name.prefix(100) + "." + String(UInt64.random(in: 0 ... .max), radix: 36)
        descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw Problem(path, "\(Errno(errno))") }
        self.path = path
        self.overwrites = overwrites
        reserves = reserved > 0
        guard reserves else { return }
        let refused = posix_fallocate(descriptor, 0, off_t(reserved))
        guard refused == 0 else {
            discard()
            throw Problem(path, "\(Errno(refused))")
        }
    }

    private static func split(_ path: String) -> (folder: String, name: String) {
        guard let slash = path.lastIndex(of: "/") else { return ("", path) }
        return (String(path[...slash]), String(path[path.index(after: slash)...]))
    }

    /// Puts the file under its name, on the disk, and closes it.
    ///
    /// - Parameter name: Another name in the same folder, found out meanwhile.
    func commit(as name: String? = nil, keepingPrevious: Bool = false) throws(Problem) {
        let folder = Self.split(path).folder
        let target = name.map { folder + $0 } ?? path
        defer { close(descriptor) }
        // The place of writing is shared with the child that wrote.
        if reserves, ftruncate(descriptor, lseek(descriptor, 0, SEEK_CUR)) != 0 {
            throw failed(target, Errno(errno))
        }
        guard fsync(descriptor) == 0 else { throw failed(target, Errno(errno)) }
        if keepingPrevious { rename(target, target + ".previous") }
        do throws(Errno) {
            try place(at: target, replacing: overwrites || keepingPrevious)
        } catch {
            throw failed(target, error)
        }
        let directory = open(folder.isEmpty ? "." : folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard directory >= 0 else { throw Problem(target, "\(Errno(errno))") }
        defer { close(directory) }
        // Some file systems of USB sticks cannot synchronise a directory: what they can is done.
        _ = fsync(directory)
    }

    /// Some file systems know no renaming that replaces nothing; there a look before has to do.
    private func place(at target: String, replacing: Bool) throws(Errno) {
        if !replacing {
            do throws(Errno) { return try Kernel.renameNew(temporary, to: target) } catch {
                guard error == .invalidArgument else { throw error }
                guard access(target, F_OK) != 0 else { throw .fileExists }
            }
        }
        guard rename(temporary, target) == 0 else { throw Errno(errno) }
    }

    private func failed(_ target: String, _ error: Errno) -> Problem {
        unlink(temporary)
        return Problem(target, error == .fileExists ? "is there already" : "\(error)")
    }

    /// Closes and removes the temporary file.
    func discard() {
        close(descriptor)
        unlink(temporary)
    }
}
