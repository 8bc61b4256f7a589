public import LinuxIO
public import StateFiles

/// A directory without directories in it, by a descriptor that was opened before confinement. Files
/// stay open: a database reads and writes a page at a time.
public final class DirectoryDisk: Disk {
    private let root: FileDescriptor
    private var files: [String: OpenFile] = [:]

    private final class OpenFile {
        let descriptor: FileDescriptor
        init(_ descriptor: consuming FileDescriptor) { self.descriptor = descriptor }
    }

    /// Takes the directory over, and the one lock on it.
    ///
    /// - Throws: `wouldBlock` if another process has the lock.
    public init(_ root: consuming FileDescriptor) throws(Errno) {
        try Kernel.lock(root)
        self.root = root
    }

    /// The names in the directory; no other one has any.
    public func names(in directory: String) throws(DiskFailure) -> [String] {
        guard directory.isEmpty else { return [] }
        return try step("") { () throws(Errno) in
            try Kernel.names(in: try Kernel.open(".", in: root, for: .directory))
        }
    }

    /// A whole file.
    public func read(_ path: String, limit: Int) throws(DiskFailure) -> [UInt8]? {
        guard let size = try size(of: path) else { return nil }
        guard size <= UInt64(limit) else {
            throw .tooLarge(path: path, found: size, allowed: UInt64(limit))
        }
        return try read(path, at: 0, count: Int(size))
    }

    /// A part of a file.
    public func read(
        _ path: String, at offset: UInt64, count: Int
    ) throws(DiskFailure) -> [UInt8] {
        guard let file = try file(path) else { throw .tooShort(path: path) }
        return try step(path) { () throws(Errno) in
            try Kernel.read(file.descriptor.number, at: offset, count: count)
        }
    }

    /// The length of a file; nil if there is none.
    public func size(of path: String) throws(DiskFailure) -> UInt64? {
        guard let file = try file(path) else { return nil }
        return try step(path) { () throws(Errno) in try Kernel.facts(of: file.descriptor).size }
    }

    /// A new empty file, in place of one that is there.
    public func create(_ path: String) throws(DiskFailure) {
        try remove(path)
        files[path] = try step(path) { () throws(Errno) in
            OpenFile(try Kernel.open(path, in: root, for: .creatingForUpdate))
        }
    }

    /// Writes a part.
    public func write(
        _ bytes: [UInt8], to path: String, at offset: UInt64
    ) throws(DiskFailure) {
        guard let file = try file(path) else { throw .tooShort(path: path) }
        try step(path) { () throws(Errno) in
            try Kernel.write(bytes, to: file.descriptor, at: offset)
        }
    }

    /// Cuts a file off.
    public func truncate(_ path: String, to size: UInt64) throws(DiskFailure) {
        guard let file = try file(path) else { throw .tooShort(path: path) }
        try step(path) { () throws(Errno) in try Kernel.truncate(file.descriptor, to: size) }
    }

    /// What was written holds from now on.
    public func flush(_ path: String) throws(DiskFailure) {
        guard let file = try file(path) else { throw .tooShort(path: path) }
        try step(path) { () throws(Errno) in try Kernel.flush(file.descriptor) }
    }

    /// Gives a file another name.
    public func rename(_ path: String, to target: String) throws(DiskFailure) {
        try step(path) { () throws(Errno) in try Kernel.rename(path, to: target, in: root) }
        files[target] = files.removeValue(forKey: path)
    }

    /// Removes a file; one that is not there stays so.
    public func remove(_ path: String) throws(DiskFailure) {
        files[path] = nil
        try step(path) { () throws(Errno) in
            do throws(Errno) { try Kernel.remove(path, in: root) } catch .noSuchFile {}
        }
    }

    /// There is no directory in this one.
    public func makeDirectory(_ path: String) throws(DiskFailure) -> Bool {
        throw .wrongKind(path: path)
    }

    /// There is none to remove.
    public func removeDirectory(_ path: String) throws(DiskFailure) -> Bool { false }

    /// The names hold from now on.
    public func flushDirectory(_ path: String) throws(DiskFailure) {
        try step("") { () throws(Errno) in try Kernel.flush(root) }
    }

    private func file(_ path: String) throws(DiskFailure) -> OpenFile? {
        if let open = files[path] { return open }
        let found = try step(path) { () throws(Errno) -> (file: OpenFile, isFile: Bool)? in
            do throws(Errno) {
                let file = OpenFile(try Kernel.open(path, in: root, for: .updating))
                return (file, try Kernel.facts(of: file.descriptor).isFile)
            } catch .noSuchFile {
                return nil
            }
        }
        guard let found else { return nil }
        guard found.isFile else { throw .wrongKind(path: path) }
        files[path] = found.file
        return found.file
    }

    private func step<Value>(
        _ path: String, _ body: () throws(Errno) -> Value
    ) throws(DiskFailure) -> Value {
        do throws(Errno) {
            return try body()
        } catch {
            throw error == .noSpace ? .noSpace : .failed(path: path, "\(error)")
        }
    }
}
