import Glibc
import LinuxIO
import Wire

/// Where a backup goes after every change: a symbolic link of the person's own, so that the signer,
/// which may open no other directory, has nothing to do with it.
enum AutomaticBackup {
    private static var link: String? {
        let home = variable("HOME")
        return (variable("XDG_CONFIG_HOME") ?? home.map { $0 + "/.config" }).map {
            $0 + "/bulkhead/backups"
        }
    }

    private static func variable(_ name: String) -> String? {
        guard let value = getenv(name), value.pointee == UInt8(ascii: "/") else { return nil }
        return String(cString: value)
    }

    /// The directory that the person named; nil where none was.
    static var folder: String? {
        guard let link else { return nil }
        var target = [UInt8](repeating: 0, count: Int(PATH_MAX))
        let count = target.withUnsafeMutableBytes { buffer in
            guard let start = buffer.baseAddress else { return 0 }
            return readlink(link, start.assumingMemoryBound(to: CChar.self), buffer.count)
        }
        return count > 0 ? String(decoding: target.prefix(count), as: UTF8.self) : nil
    }

    /// Names the directory from now on, or none with `off`.
    static func set(_ folder: String) throws(CommandEnd) -> String {
        guard let link else { throw .problem(.usage, "neither HOME nor XDG_CONFIG_HOME is set") }
        if folder == "off" {
            guard unlink(link) == 0 || errno == ENOENT else {
                throw .problem(.system, "\(link): \(Errno(errno))")
            }
            return "no backup is made after changes from now on"
        }
        guard let real = realpath(folder, nil) else {
            throw .problem(.input, "\(VisibleText(folder, limit: 200)): \(Errno(errno))")
        }
        defer { free(real) }
        let target = String(cString: real)
        guard access(target, W_OK | X_OK) == 0, isDirectory(target) else {
            throw .problem(
                .input, "\(VisibleText(target, limit: 200)) is no directory that you can write to")
        }
        let parent = String(link.dropLast("/backups".count))
        mkdir(String(parent.dropLast("/bulkhead".count)), 0o700)
        mkdir(parent, 0o700)
        let new = link + ".new"
        unlink(new)
        guard symlink(target, new) == 0, rename(new, link) == 0 else {
            throw .problem(.system, "\(link): \(Errno(errno))")
        }
        return "a backup goes to \(VisibleText(target, limit: 300)) after every change from now on"
    }

    private static func isDirectory(_ path: String) -> Bool {
        let number = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard number >= 0 else { return false }
        close(number)
        return true
    }
}
