import Glibc
import LinuxIO

/// An open descriptor that lives as long as something refers to it, for places that a noncopyable
/// value cannot be kept in.
final class HeldDescriptor {
    private let descriptor: FileDescriptor

    init(_ descriptor: consuming FileDescriptor) { self.descriptor = descriptor }

    var number: Int32 { descriptor.number }

    func setNonblocking() throws(Errno) { try descriptor.setNonblocking() }

    /// Another descriptor of the same open file.
    func duplicate() throws(Errno) -> FileDescriptor { try descriptor.duplicate() }
}

/// The calls to the kernel that only the keeper makes, beside those of `LinuxIO.Kernel`.
enum System {
    // MARK: Files

    /// What the file system says of a file.
    struct FileFacts: Equatable {
        enum Kind { case directory, socket, file, other }

        let kind: Kind
        /// The permission bits.
        let mode: UInt32
        let uid: UInt32
    }

    /// The facts of a path; a symbolic link at its end is followed only if asked.
    static func facts(of path: String, followingLink: Bool = true) throws(Errno) -> FileFacts {
        var found = stat()
        try check(followingLink ? stat(path, &found) : lstat(path, &found))
        let kind: FileFacts.Kind =
            switch found.st_mode & S_IFMT {
            case S_IFDIR: .directory
            case S_IFSOCK: .socket
            case S_IFREG: .file
            default: .other
            }
        return FileFacts(kind: kind, mode: found.st_mode & 0o7777, uid: found.st_uid)
    }

    /// The names in a directory, without `.` and `..`.
    static func names(in directory: String) throws(Errno) -> [String] {
        guard let stream = opendir(directory) else { throw Errno(errno) }
        defer { closedir(stream) }
        var names: [String] = []
        while let entry = readdir(stream) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names
    }

    /// Opens a file or directory, close-on-exec.
    static func open(_ path: String, _ flags: Int32, mode: mode_t = 0) throws(Errno)
        -> FileDescriptor
    {
        let number = Glibc.open(path, flags | O_CLOEXEC, mode)
        try check(number)
        return FileDescriptor(owning: number)
    }

    /// A file's bytes, at most one more than `limit`.
    static func read(_ path: String, limit: Int) throws(Errno) -> [UInt8] {
        let file = try open(path, O_RDONLY | O_NONBLOCK)
        return try readAll(file.number, limit: limit)
    }

    /// What comes from a descriptor until its end, at most one byte more than `limit`.
    static func readAll(_ descriptor: Int32, limit: Int) throws(Errno) -> [UInt8] {
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 4096, alignment: 1)
        defer { buffer.deallocate() }
        var bytes: [UInt8] = []
        while bytes.count <= limit,
            case .moved(let count) = try Kernel.read(descriptor, into: buffer)
        {
            bytes += buffer[..<count]
        }
        return Array(bytes.prefix(limit + 1))
    }

    /// Writes a small text to an existing file in one call, as the kernel's own files want it.
    static func write(_ text: String, to path: String) throws(Errno) {
        let file = try open(path, O_WRONLY)
        let bytes = Array(text.utf8)
        try check(Int32(truncatingIfNeeded: Glibc.write(file.number, bytes, bytes.count)))
    }

    static func makeDirectory(_ path: String, mode: mode_t) throws(Errno) {
        try check(mkdir(path, mode))
    }

    static func makeEmptyFile(_ path: String) throws(Errno) {
        _ = try open(path, O_WRONLY | O_CREAT | O_EXCL, mode: 0o644)
    }

    /// Makes a file of this text, whole or not at all, whatever ends this process or the machine meanwhile.
    static func makeFile(_ path: String, in directory: String, text: String) throws(Errno) {
        let draft = path + ".new"
        let file = try open(draft, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW, mode: 0o644)
        let bytes = Array(text.utf8)
        let count = Glibc.write(file.number, bytes, bytes.count)
        try check(Int32(truncatingIfNeeded: count))
        guard count == bytes.count else { throw .noSpace }
        try check(fsync(file.number))
        try check(rename(draft, path))
        let folder = try open(directory, O_RDONLY | O_DIRECTORY)
        try check(fsync(folder.number))
    }

    static func setOwner(_ path: String, uid: UInt32, gid: UInt32) throws(Errno) {
        try check(lchown(path, uid, gid))
    }

    static func setMode(_ path: String, _ mode: mode_t) throws(Errno) {
        try check(chmod(path, mode))
    }

    static func remove(_ path: String) throws(Errno) { try check(unlink(path)) }

    /// Takes the one lock on an open file or directory; false if someone else has it.
    static func lock(_ descriptor: Int32) throws(Errno) -> Bool {
        do throws(Errno) {
            try check(flock(descriptor, LOCK_EX | LOCK_NB))
            return true
        } catch {
            guard error == .wouldBlock else { throw error }
            return false
        }
    }

    /// The path that a symbolic link leads to.
    static func target(ofLink path: String) throws(Errno) -> String {
        var buffer = [CChar](repeating: 0, count: 4096)
        let count = readlink(path, &buffer, buffer.count)
        guard count >= 0 else { throw Errno(errno) }
        return String(decoding: buffer[..<count].map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    // MARK: Mounts

    static func mount(
        _ source: String, on target: String, type: String? = nil, flags: Int, options: String? = nil
    ) throws(Errno) {
        try check(Glibc.mount(source, target, type, UInt(flags), options))
    }

    // MARK: Descriptors and processes

    /// Gives an open file another number, which stays open on exec.
    static func place(_ descriptor: Int32, at number: Int32) throws(Errno) {
        try check(dup2(descriptor, number))
    }

    /// Replaces the program; only returns to throw.
    static func execute(
        _ path: String, arguments: [String], environment: [String]
    ) throws(Errno) -> Never {
        let argv = arguments.map { strdup($0) } + [nil]
        let envp = environment.map { strdup($0) } + [nil]
        execve(path, argv, envp)
        throw Errno(errno)
    }

    /// Waits until a child has ended; whether it ended well.
    static func waitForSuccess(of pid: Int32) throws(Errno) -> Bool {
        var status: Int32 = -1
        while waitpid(pid, &status, 0) == -1 {
            guard errno == EINTR else { throw Errno(errno) }
        }
        return status == 0
    }

    /// Kills a child and the whole process group that it leads.
    static func killGroup(of pid: Int32) {
        precondition(pid > 1)
        kill(-pid, SIGKILL)
        kill(pid, SIGKILL)
    }

    // MARK: Results

    /// For calls that return -1 and set errno.
    static func check(_ result: Int32) throws(Errno) {
        guard result != -1 else { throw Errno(errno) }
    }

    /// For calls of CLinux that return -errno.
    @discardableResult
    static func checkNegative(_ result: Int32) throws(Errno) -> Int32 {
        guard result >= 0 else { throw Errno(-result) }
        return result
    }
}
