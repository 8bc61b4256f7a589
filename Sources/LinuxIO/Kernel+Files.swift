import CLinux
import Glibc

/// Files below a directory that is open: names have no slash, and no symbolic link is followed.
///
/// Descriptors are lent whole: one of which only the number was read could be closed before the call.
extension Kernel {
    /// What an open descriptor is.
    public struct FileFacts: Hashable, Sendable {
        /// Whether it is an ordinary file.
        public let isFile: Bool
        /// Whether it is a directory.
        public let isDirectory: Bool
        /// Whether it is a pipe or FIFO.
        public let isPipe: Bool
        /// Permissions and the bits beside them.
        public let mode: UInt32
        /// Its owner.
        public let uid: UInt32
        /// Its bytes.
        public let size: UInt64
        /// How many names it has.
        public let links: UInt64
    }

    /// How a name is opened.
    public enum OpenKind: Hashable, Sendable {
        /// A file, to be read.
        case reading
        /// A directory, to be listed, flushed or looked into.
        case directory
        /// A file that is there, to be written.
        case writing
        /// A new file for its owner alone.
        case creating
        /// A new file that its owner can only read once it is closed.
        case creatingKey
        /// A file that is there, to be read and written.
        case updating
        /// A new file for its owner alone, to be read and written.
        case creatingForUpdate
    }

    /// Opens a directory by its path. No confined process may ask for one.
    public static func openDirectory(_ path: String) throws(Errno) -> FileDescriptor {
        FileDescriptor(owning: try retrying { linux_open_directory(path) })
    }

    /// Opens a name in a directory.
    public static func open(
        _ name: String, in directory: borrowing FileDescriptor, for kind: OpenKind
    ) throws(Errno) -> FileDescriptor {
        let kind =
            switch kind {
            case .reading: LINUX_OPEN_READ
            case .directory: LINUX_OPEN_DIRECTORY
            case .writing: LINUX_OPEN_WRITE
            case .creating: LINUX_OPEN_CREATE
            case .creatingKey: LINUX_OPEN_CREATE_KEY
            case .updating: LINUX_OPEN_UPDATE
            case .creatingForUpdate: LINUX_OPEN_CREATE_UPDATE
            }
        let number = directory.number
        return FileDescriptor(owning: try retrying { linux_open_at(number, name, kind) })
    }

    /// What a descriptor is (`fstat`).
    public static func facts(of file: borrowing FileDescriptor) throws(Errno) -> FileFacts {
        try facts(of: file.number)
    }

    /// What a descriptor is that somebody holds for the length of this call.
    public static func facts(of number: Int32) throws(Errno) -> FileFacts {
        var facts = linux_file_facts()
        _ = try retrying { linux_facts(number, &facts) }
        return FileFacts(
            isFile: facts.mode & S_IFMT == S_IFREG, isDirectory: facts.mode & S_IFMT == S_IFDIR,
            isPipe: facts.mode & S_IFMT == S_IFIFO,
            mode: facts.mode & 0o7777, uid: facts.uid, size: facts.size, links: facts.links)
    }

    /// The names in an open directory that was not listed yet, without `.` and `..`.
    public static func names(in directory: borrowing FileDescriptor) throws(Errno) -> [String] {
        let number = directory.number
        var names: [String] = []
        var buffer = [UInt8](repeating: 0, count: 32 << 10)
        while true {
            let count = try buffer.withMutableBytes { bytes throws(Errno) in
                try retrying { linux_directory_entries(number, bytes.baseAddress, bytes.count) }
            }
            if count == 0 { return names }
            var start = 0
            // An entry: inode 8, offset 8, length 2, type 1, then the name with a zero behind it.
            while start + 19 < count {
                let length = Int(buffer[start + 16]) | Int(buffer[start + 17]) << 8
                let name = buffer[(start + 19)..<(start + length)].prefix { $0 != 0 }
                names.append(String(decoding: name, as: UTF8.self))
                start += length
            }
            names.removeAll { $0 == "." || $0 == ".." }
        }
    }

    /// Reads at an offset of a file (`pread64`); 0 at its end.
    public static func read(
        _ descriptor: Int32, at offset: UInt64, into buffer: UnsafeMutableRawBufferPointer
    ) throws(Errno) -> Int {
        try retrying { pread(descriptor, buffer.baseAddress, buffer.count, off_t(offset)) }
    }

    /// So many bytes of a file from an offset on, fewer where it ends before.
    public static func read(
        _ number: Int32, at offset: UInt64, count: Int
    ) throws(Errno) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        var done = 0
        while done < count {
            let moved = try bytes.withMutableBytes { buffer throws(Errno) in
                try read(
                    number, at: offset + UInt64(done),
                    into: UnsafeMutableRawBufferPointer(rebasing: buffer[done...]))
            }
            if moved == 0 { break }
            done += moved
        }
        return done == count ? bytes : Array(bytes[..<done])
    }

    /// Writes all of the bytes at an offset of a file (`pwrite64`).
    public static func write(
        _ bytes: [UInt8], to file: borrowing FileDescriptor, at offset: UInt64
    ) throws(Errno) {
        let number = file.number
        try bytes.withBytes { buffer throws(Errno) in
            var done = 0
            while done < buffer.count {
                let rest = UnsafeRawBufferPointer(rebasing: buffer[done...])
                let place = off_t(offset) + off_t(done)
                done += try retrying {
                    pwrite(number, rest.baseAddress, rest.count, place)
                }
            }
        }
    }

    /// Takes the one lock on an open file or directory, until it is closed (`flock`).
    ///
    /// - Throws: `wouldBlock` if someone else has it.
    public static func lock(_ file: borrowing FileDescriptor) throws(Errno) {
        let number = file.number
        _ = try retrying { flock(number, LOCK_EX | LOCK_NB) }
    }

    /// Has a file or a directory survive a power cut.
    public static func flush(_ file: borrowing FileDescriptor) throws(Errno) {
        let number = file.number
        _ = try retrying { fsync(number) }
    }

    /// Cuts a file.
    public static func truncate(
        _ file: borrowing FileDescriptor, to size: UInt64
    ) throws(Errno) {
        let number = file.number
        _ = try retrying { ftruncate(number, off_t(size)) }
    }

    /// Gives a file another name in its directory, in place of the file that has it.
    public static func rename(
        _ name: String, to target: String, in directory: borrowing FileDescriptor
    ) throws(Errno) {
        let number = directory.number
        _ = try retrying { linux_rename_at(number, name, target) }
    }

    /// Takes a file's name out of a directory.
    public static func remove(_ name: String, in directory: borrowing FileDescriptor) throws(Errno)
    {
        let number = directory.number
        _ = try retrying { unlinkat(number, name, 0) }
    }

    /// Removes a directory that is empty.
    public static func removeDirectory(
        _ name: String, in directory: borrowing FileDescriptor
    ) throws(Errno) {
        let number = directory.number
        _ = try retrying { unlinkat(number, name, AT_REMOVEDIR) }
    }

    /// Makes a directory for its owner alone.
    public static func makeDirectory(_ name: String, in directory: borrowing FileDescriptor)
        throws(Errno)
    {
        let number = directory.number
        _ = try retrying { mkdirat(number, name, 0o700) }
    }

    /// Seconds since 1970 by the machine's clock, which anyone may have set.
    public static func date() -> UInt64 { UInt64(clamping: time(nil)) }
}
