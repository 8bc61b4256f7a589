/// The directory of a process, in single steps each of which may fail or be the last before a power cut.
///
/// Paths are below the directory and have no `..` in them. What was written is only certain to be
/// there after a power cut when the file was flushed, and its name when the directory was.
public protocol Disk: AnyObject {
    /// The names in a directory, without `.` and `..`; none if it is not there.
    ///
    /// - Throws: `wrongKind` if it is no directory.
    func names(in directory: String) throws(DiskFailure) -> [String]

    /// The bytes of an ordinary file; nil if there is none. A symbolic link is not followed.
    ///
    /// - Throws: `tooLarge` if it has more than `limit` bytes.
    func read(_ path: String, limit: Int) throws(DiskFailure) -> [UInt8]?

    /// At most so many bytes of a file, from an offset; fewer at its end.
    func read(_ path: String, at offset: UInt64, count: Int) throws(DiskFailure) -> [UInt8]

    /// The bytes that a file has; nil if there is none.
    func size(of path: String) throws(DiskFailure) -> UInt64?

    /// Makes an empty file, in place of one that is there, for the process's user alone.
    func create(_ path: String) throws(DiskFailure)

    /// Writes all the bytes at an offset that is not beyond the file's end.
    func write(_ bytes: [UInt8], to path: String, at offset: UInt64) throws(DiskFailure)

    /// Cuts a file.
    func truncate(_ path: String, to size: UInt64) throws(DiskFailure)

    /// Has a file's bytes and size survive a power cut (fsync).
    func flush(_ path: String) throws(DiskFailure)

    /// Gives a file another name in its directory, in place of the file that has it.
    func rename(_ path: String, to target: String) throws(DiskFailure)

    /// Removes a file; one that is not there stays so.
    func remove(_ path: String) throws(DiskFailure)

    /// Makes a directory for the process's user alone; false if it is there already.
    func makeDirectory(_ path: String) throws(DiskFailure) -> Bool

    /// Removes a directory if it is empty; whether it did. One that is not there stays so.
    func removeDirectory(_ path: String) throws(DiskFailure) -> Bool

    /// Has the names in a directory survive a power cut (fsync); one that is not there does too.
    func flushDirectory(_ path: String) throws(DiskFailure)
}

/// Why the disk did not do a step.
public enum DiskFailure: Error, Hashable, Sendable {
    /// No room is left.
    case noSpace
    /// Something else than an ordinary file, or than a directory, has this name.
    case wrongKind(path: String)
    /// The file has more bytes than it may have.
    case tooLarge(path: String, found: UInt64, allowed: UInt64)
    /// The file is not there, or not as long as it must be.
    case tooShort(path: String)
    /// The kernel reported an error.
    case failed(path: String, String)
}

extension DiskFailure: CustomStringConvertible {
    /// What happened, as a part of a sentence.
    public var description: String {
        switch self {
        case .noSpace: "no room is left on it"
        case .wrongKind(let path): "\(path) is no ordinary file"
        case .tooLarge(let path, let found, let allowed):
            "\(path) has \(found) bytes, at most \(allowed) are allowed"
        case .tooShort(let path): "\(path) is shorter than it must be"
        case .failed(let path, let why):
            path.isEmpty ? "the process's directory: \(why)" : "\(path): \(why)"
        }
    }

    /// What happened to a file that was named before, as a part of a sentence.
    public var reason: String {
        switch self {
        case .noSpace: description
        case .wrongKind: "it is no ordinary file"
        case .tooLarge(_, let found, let allowed):
            "it has \(found) bytes, at most \(allowed) are allowed"
        case .tooShort: "it is shorter than it must be"
        case .failed(_, let why): why
        }
    }
}
