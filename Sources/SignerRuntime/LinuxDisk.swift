import LinuxIO
import StateFiles

/// The signer's directory in Linux, by a descriptor that was opened before confinement.
///
/// A path is walked name by name, so that no symbolic link leads anywhere; what is no ordinary file
/// is not read and not written.
final class LinuxDisk: Disk {
    private let root: FileDescriptor

    init(_ root: consuming FileDescriptor) { self.root = root }

    // MARK: Disk

    func names(in directory: String) throws(DiskFailure) -> [String] {
        do throws(Errno) {
            return try Kernel.names(in: try open(directory: directory))
        } catch .noSuchFile {
            return []
        } catch .notADirectory {
            throw .wrongKind(path: directory)
        } catch {
            throw .failed(path: directory, "\(error)")
        }
    }

    func read(_ path: String, limit: Int) throws(DiskFailure) -> [UInt8]? {
        guard let file = try open(path) else { return nil }
        guard file.size <= UInt64(limit) else {
            throw .tooLarge(path: path, found: file.size, allowed: UInt64(limit))
        }
        return try step(path) { () throws(Errno) in
            try file.read(at: 0, count: Int(file.size))
        }
    }

    func read(
        _ path: String, at offset: UInt64, count: Int
    ) throws(DiskFailure) -> [UInt8] {
        guard let file = try open(path) else { throw .tooShort(path: path) }
        return try step(path) { () throws(Errno) in
            try file.read(at: offset, count: count)
        }
    }

    func size(of path: String) throws(DiskFailure) -> UInt64? { try open(path)?.size }

    func create(_ path: String) throws(DiskFailure) {
        _ = try step(path) { () throws(Errno) -> FileDescriptor in
            try create(path, for: .creating)
        }
    }

    func write(
        _ bytes: [UInt8], to path: String, at offset: UInt64
    ) throws(DiskFailure) {
        try step(path) { () throws(Errno) in
            let file = try openForWriting(path)
            try Kernel.write(bytes, to: file, at: offset)
        }
    }

    func truncate(_ path: String, to size: UInt64) throws(DiskFailure) {
        try step(path) { () throws(Errno) in
            try Kernel.truncate(try openForWriting(path), to: size)
        }
    }

    func flush(_ path: String) throws(DiskFailure) {
        try step(path) { () throws(Errno) in
            // A key is readable only once it is closed, and flushing asks for no more.
            let place = try place(of: path)
            try Kernel.flush(
                try Kernel.open(place.name, in: place.directory, for: .reading))
        }
    }

    func rename(_ path: String, to target: String) throws(DiskFailure) {
        try step(path) { () throws(Errno) in
            let place = try place(of: path)
            let other = String(target.split(separator: "/").last ?? "")
            try Kernel.rename(place.name, to: other, in: place.directory)
        }
    }

    func remove(_ path: String) throws(DiskFailure) {
        try step(path) { () throws(Errno) in try removeIfThere(path) }
    }

    func makeDirectory(_ path: String) throws(DiskFailure) -> Bool {
        try step(path) { () throws(Errno) in
            let place = try place(of: path)
            do throws(Errno) {
                try Kernel.makeDirectory(place.name, in: place.directory)
                return true
            } catch .fileExists {
                return false
            }
        }
    }

    func removeDirectory(_ path: String) throws(DiskFailure) -> Bool {
        try step(path) { () throws(Errno) in
            do throws(Errno) {
                let place = try place(of: path)
                try Kernel.removeDirectory(place.name, in: place.directory)
                return true
            } catch .noSuchFile {
                return false
            } catch .notEmpty {
                return false
            } catch .notADirectory {
                return false
            }
        }
    }

    func flushDirectory(_ path: String) throws(DiskFailure) {
        try step(path) { () throws(Errno) in
            do throws(Errno) {
                try Kernel.flush(try open(directory: path))
            } catch .noSuchFile {
            }
        }
    }

    // MARK: Descriptors

    /// A file to be read by whoever gets the descriptor; nil if there is none.
    func open(_ path: String) throws(DiskFailure) -> OpenFile? {
        let file = try step(path) { () throws(Errno) -> OpenFile? in
            do throws(Errno) {
                let place = try place(of: path)
                return try OpenFile(
                    try Kernel.open(place.name, in: place.directory, for: .reading))
            } catch .noSuchFile {
                return nil
            }
        }
        if let file, !file.facts.isFile { throw .wrongKind(path: path) }
        return file
    }

    /// Makes a new, empty file in place of one that is there.
    func create(_ path: String, for kind: Kernel.OpenKind) throws(Errno) -> FileDescriptor {
        try removeIfThere(path)
        let place = try place(of: path)
        return try Kernel.open(place.name, in: place.directory, for: kind)
    }

    // MARK: Paths

    private func openForWriting(_ path: String) throws(Errno) -> FileDescriptor {
        let place = try place(of: path)
        let file = try Kernel.open(place.name, in: place.directory, for: .writing)
        guard try Kernel.facts(of: file).isFile else { throw .invalidArgument }
        return file
    }

    private func removeIfThere(_ path: String) throws(Errno) {
        do throws(Errno) {
            let place = try place(of: path)
            try Kernel.remove(place.name, in: place.directory)
        } catch .noSuchFile {
        }
    }

    /// The directory that a path lies in, and the last name.
    private func place(of path: String) throws(Errno) -> Place {
        let parts = path.split(separator: "/").map { String($0) }
        guard let name = parts.last else { throw .invalidArgument }
        return Place(directory: try walk(parts.dropLast()), name: name)
    }

    private struct Place: ~Copyable {
        let directory: FileDescriptor
        let name: String
    }

    private func open(directory path: String) throws(Errno) -> FileDescriptor {
        try walk(path.split(separator: "/").map { String($0) }[...])
    }

    private func walk(_ names: ArraySlice<String>) throws(Errno) -> FileDescriptor {
        var directory = try Kernel.open(".", in: root, for: .directory)
        for name in names {
            directory = try Kernel.open(name, in: directory, for: .directory)
        }
        return directory
    }

    private func step<Value: ~Copyable>(
        _ path: String, _ body: () throws(Errno) -> Value
    ) throws(DiskFailure) -> Value {
        do throws(Errno) {
            return try body()
        } catch {
            throw error == .noSpace ? .noSpace : .failed(path: path, "\(error)")
        }
    }
}

/// A file that is open for reading, with what it was then.
final class OpenFile {
    private let descriptor: PassedDescriptor
    private let number: Int32
    let facts: Kernel.FileFacts
    var size: UInt64 { facts.size }

    init(_ opened: consuming FileDescriptor) throws(Errno) {
        facts = try Kernel.facts(of: opened)
        number = opened.number
        guard let descriptor = PassedDescriptor(opened) else { throw .badDescriptor }
        self.descriptor = descriptor
    }

    /// So many bytes from an offset on, fewer at the end. Nothing after `take`.
    func read(at offset: UInt64, count: Int) throws(Errno) -> [UInt8] {
        try Kernel.read(number, at: offset, count: count)
    }

    /// Gives the descriptor away; the caller closes it.
    func take() -> Int32? {
        guard let given = descriptor.take() else { return nil }
        return given.take()
    }
}
