import Glibc
import LinuxIO
import Wire

/// A file that appears under its name whole or not at all. It is made by the launcher before anything
/// is confined; a child writes into it.
///
/// Until it is whole it has no name, so that nothing is left of it whatever becomes of its processes.
/// Where the file system has no such files it lies under a hidden name beside its own, and what a
/// killed command left there goes when the next file is begun in that folder.
///
/// A plain value without a deinit: over a fork nobody may remove or close it by accident.
struct OutputFile {
    /// Where it appears in the end.
    let path: String
    /// The open file.
    let descriptor: Int32
    /// Its hidden name; nil where it has none.
    private let temporary: String?
    private let overwrites: Bool
    private let reserves: Bool

    /// Why there is no file.
    struct Problem: Error, CustomStringConvertible {
        let description: String

        init(_ path: String, _ what: String) {
            description = "\(VisibleText(path, limit: 200)): \(what)"
        }
    }

    /// Makes the file, readable by nobody else.
    ///
    /// - Parameters:
    ///   - overwrites: Whether a file that is there may be replaced.
    ///   - reserved: So many bytes have room on the disk from here on; what is not written of them goes
    ///     when the file is whole.
    ///   - needsName: Whether it has a hidden name even where it could do without.
    init(
        _ path: String, overwrites: Bool, reserving reserved: Int = 0, needsName: Bool = false
    ) throws(Problem) {
        guard !path.isEmpty, path.last != "/" else { throw Problem(path, "is no name of a file") }
        switch Self.whatHas(path) {
        case nil: break
        case S_IFDIR?: throw Problem(path, "is a directory; give the name of a file in it")
        case let kind? where !Self.canReplace(kind):
            throw Problem(path, "is no ordinary file, and is not replaced; choose another name")
        case _ where !overwrites:
            throw Problem(path, "is there already; choose another name, or give --force")
        default: break
        }
        let folder = Self.folder(of: path)
        HiddenFile.removeLeftBehind(in: folder)
        let unnamed = needsName ? nil : Self.openUnnamed(in: folder)
        let hidden = unnamed == nil ? HiddenFile.name(for: path) : nil
        descriptor =
            unnamed
            ?? open(hidden ?? "", O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw Problem(path, "\(Errno(errno))") }
        HiddenFile.claim(descriptor)
        self.path = path
        temporary = hidden
        self.overwrites = overwrites
        reserves = reserved > 0
        guard reserves else { return }
        let refused = posix_fallocate(descriptor, 0, off_t(reserved))
        guard refused == 0 else {
            discard()
            throw Problem(path, "\(Errno(refused))")
        }
    }

    /// What kind of file has a name, as the bits of its mode say; nil where nothing has it. A link counts
    /// itself, wherever it leads: no new file can take its name.
    static func whatHas(_ path: String) -> mode_t? {
        var facts = stat()
        return lstat(path, &facts) == 0 ? facts.st_mode & S_IFMT : nil
    }

    /// Whether `--force` may put a file in the place of one of this kind: never of a device, a pipe or a
    /// socket, which would be gone for everybody.
    private static func canReplace(_ kind: mode_t) -> Bool { kind == S_IFREG || kind == S_IFLNK }

    /// A file without a name that can get one later; nil where that cannot be had.
    private static func openUnnamed(in folder: String) -> Int32? {
        let number = open(folder.isEmpty ? "." : folder, O_WRONLY | unnamedFile | O_CLOEXEC, 0o600)
        guard number >= 0 else { return nil }
        guard access(link(to: number), F_OK) == 0 else {
            close(number)
            return nil
        }
        return number
    }

    /// O_TMPFILE, which Swift does not see: its own bit and that of O_DIRECTORY.
    private static let unnamedFile = 0o20_000_000 | O_DIRECTORY

    /// By what name the kernel knows an open file.
    private static func link(to descriptor: Int32) -> String { "/proc/self/fd/\(descriptor)" }

    /// The folder of a path up to its slash; empty for the one of the process.
    private static func folder(of path: String) -> String {
        path.lastIndex(of: "/").map { String(path[...$0]) } ?? ""
    }

    /// Puts the file under its name, on the disk, and closes it.
    ///
    /// - Parameter name: Another name in the same folder, found out meanwhile.
    func commit(as name: String? = nil, keepingPrevious: Bool = false) throws(Problem) {
        let folder = Self.folder(of: path)
        let target = name.map { folder + $0 } ?? path
        defer { close(descriptor) }
        // The place of writing is shared with the child that wrote.
        if reserves, ftruncate(descriptor, lseek(descriptor, 0, SEEK_CUR)) != 0 {
            throw failed(target, Errno(errno))
        }
        guard fsync(descriptor) == 0 else { throw failed(target, Errno(errno)) }
        if let kind = Self.whatHas(target), !Self.canReplace(kind) {
            throw failed(target, .fileExists)
        }
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

    private func place(at target: String, replacing: Bool) throws(Errno) {
        guard let temporary else { return try name(target, replacing: replacing) }
        // Some file systems know no renaming that replaces nothing; there a look before has to do.
        if !replacing {
            do throws(Errno) { return try Kernel.renameNew(temporary, to: target) } catch {
                guard error == .invalidArgument else { throw error }
                guard Self.whatHas(target) == nil else { throw .fileExists }
            }
        }
        guard rename(temporary, target) == 0 else { throw Errno(errno) }
    }

    /// Gives a file without a name one.
    private func name(_ target: String, replacing: Bool) throws(Errno) {
        let own = Self.link(to: descriptor)
        if linkat(AT_FDCWD, own, AT_FDCWD, target, AT_SYMLINK_FOLLOW) == 0 { return }
        guard errno == EEXIST, replacing else { throw Errno(errno) }
        // Only a file with a name can take the place of another.
        let hidden = HiddenFile.name(for: target)
        guard linkat(AT_FDCWD, own, AT_FDCWD, hidden, AT_SYMLINK_FOLLOW) == 0 else {
            throw Errno(errno)
        }
        guard rename(hidden, target) == 0 else {
            let error = Errno(errno)
            unlink(hidden)
            throw error
        }
    }

    private func failed(_ target: String, _ error: Errno) -> Problem {
        if let temporary { unlink(temporary) }
        return Problem(target, error == .fileExists ? "is there already" : "\(error)")
    }

    /// Closes the file and removes what there is of it.
    func discard() {
        close(descriptor)
        if let temporary { unlink(temporary) }
    }
}

/// Files under a hidden name that are not whole yet: `.NAME.DIGITS.bulkhead`.
enum HiddenFile {
    private static let ending = ".bulkhead"

    /// Bytes of a file's name in that of its hidden one, which needs some 25 for itself, of 255.
    private static let longest = 200

    /// A fresh name beside a path.
    static func name(for path: String) -> String {
        let start = path.lastIndex(of: "/").map { path.index(after: $0) } ?? path.startIndex
        var name = path[start...]
        while name.utf8.count > longest { name.removeLast() }
        let digits = String(UInt64.random(in: 0 ... .max), radix: 36)
        return "\(path[..<start]).\(name).\(digits)\(ending)"
    }

    /// Says that a process writes into it: the lock ends with the last one that has it open.
    static func claim(_ descriptor: Int32) { _ = flock(descriptor, LOCK_EX | LOCK_NB) }

    /// Removes the user's own files of this kind that no process has open any more.
    static func removeLeftBehind(in folder: String) {
        guard let directory = opendir(folder.isEmpty ? "." : folder) else { return }
        defer { closedir(directory) }
        while let entry = readdir(directory) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name.hasPrefix("."), name.hasSuffix(ending) { removeIfDead(folder + name) }
        }
    }

    private static func removeIfDead(_ path: String) {
        let number = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY)
        guard number >= 0 else { return }
        defer { close(number) }
        var facts = stat()
        guard fstat(number, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG,
            facts.st_uid == geteuid(), flock(number, LOCK_EX | LOCK_NB) == 0
        else { return }
        unlink(path)
    }
}
