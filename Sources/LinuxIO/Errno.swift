import Glibc

/// An error number of the kernel.
public struct Errno: Error, Hashable, Sendable {
    /// The number that `errno` holds.
    public let number: Int32

    /// An error by its number.
    public init(_ number: Int32) { self.number = number }

    /// EPERM.
    public static let notPermitted = Errno(EPERM)
    /// ENOENT.
    public static let noSuchFile = Errno(ENOENT)
    /// EINTR.
    public static let interrupted = Errno(EINTR)
    /// EIO.
    public static let inputOutput = Errno(EIO)
    /// EBADF.
    public static let badDescriptor = Errno(EBADF)
    /// ECHILD.
    public static let noChild = Errno(ECHILD)
    /// EAGAIN.
    public static let wouldBlock = Errno(EAGAIN)
    /// ENOMEM.
    public static let outOfMemory = Errno(ENOMEM)
    /// EACCES.
    public static let accessDenied = Errno(EACCES)
    /// EEXIST.
    public static let fileExists = Errno(EEXIST)
    /// ENOTDIR.
    public static let notADirectory = Errno(ENOTDIR)
    /// ENOTEMPTY.
    public static let notEmpty = Errno(ENOTEMPTY)
    /// EINVAL.
    public static let invalidArgument = Errno(EINVAL)
    /// EMFILE.
    public static let tooManyDescriptors = Errno(EMFILE)
    /// ENOSPC.
    public static let noSpace = Errno(ENOSPC)
    /// EPIPE.
    public static let brokenPipe = Errno(EPIPE)
    /// ENAMETOOLONG.
    public static let nameTooLong = Errno(ENAMETOOLONG)
    /// ENOSYS.
    public static let notInThisKernel = Errno(ENOSYS)
    /// EADDRINUSE.
    public static let addressInUse = Errno(EADDRINUSE)
    /// ECONNRESET.
    public static let connectionReset = Errno(ECONNRESET)
    /// ECONNABORTED.
    public static let connectionAborted = Errno(ECONNABORTED)
    /// ECONNREFUSED.
    public static let connectionRefused = Errno(ECONNREFUSED)
}

extension Errno: CustomStringConvertible {
    /// What the kernel says in words, and the name from `errno.h`.
    public var description: String {
        guard let entry = Errno.entries.first(where: { $0.number == number }) else {
            return "error \(number) of the kernel"
        }
        return "\(entry.meaning) (\(entry.name))"
    }

    /// The name from `errno.h`; `E` and the number where this table has none.
    public var name: String {
        Errno.entries.first { $0.number == number }?.name ?? "E\(number)"
    }

    private static let entries: [(number: Int32, name: String, meaning: String)] = [
        (EPERM, "EPERM", "not permitted"),
        (ENOENT, "ENOENT", "no such file or directory"),
        (ESRCH, "ESRCH", "no such process"),
        (EINTR, "EINTR", "interrupted by a signal"),
        (EIO, "EIO", "the device failed"),
        (ENXIO, "ENXIO", "no such device or address"),
        (E2BIG, "E2BIG", "the argument list is too long"),
        (ENOEXEC, "ENOEXEC", "the file is no program"),
        (EBADF, "EBADF", "the descriptor is not open"),
        (ECHILD, "ECHILD", "no such child process"),
        (EAGAIN, "EAGAIN", "not ready now"),
        (ENOMEM, "ENOMEM", "out of memory"),
        (EACCES, "EACCES", "access denied"),
        (EFAULT, "EFAULT", "bad address"),
        (EBUSY, "EBUSY", "busy"),
        (EEXIST, "EEXIST", "the file exists already"),
        (EXDEV, "EXDEV", "not on the same file system"),
        (ENODEV, "ENODEV", "no such device"),
        (ENOTDIR, "ENOTDIR", "not a directory"),
        (EISDIR, "EISDIR", "is a directory"),
        (ENOTEMPTY, "ENOTEMPTY", "the directory is not empty"),
        (EINVAL, "EINVAL", "invalid argument"),
        (ENFILE, "ENFILE", "the system has too many open files"),
        (EMFILE, "EMFILE", "this process has too many open files"),
        (ENOTTY, "ENOTTY", "not a terminal"),
        (EFBIG, "EFBIG", "the file is too large"),
        (ENOSPC, "ENOSPC", "no space left on the device"),
        (EROFS, "EROFS", "the file system is read-only"),
        (EPIPE, "EPIPE", "the other end is closed"),
        (ENAMETOOLONG, "ENAMETOOLONG", "the name is too long"),
        (ENOSYS, "ENOSYS", "this kernel does not have the call"),
        (ENOTEMPTY, "ENOTEMPTY", "the directory is not empty"),
        (ELOOP, "ELOOP", "too many symbolic links"),
        (EOVERFLOW, "EOVERFLOW", "the value does not fit"),
        (EUSERS, "EUSERS", "too many users or namespaces"),
        (ENOTSOCK, "ENOTSOCK", "not a socket"),
        (EMSGSIZE, "EMSGSIZE", "the message is too long"),
        (EPROTONOSUPPORT, "EPROTONOSUPPORT", "the protocol is not supported"),
        (EOPNOTSUPP, "EOPNOTSUPP", "not supported here"),
        (EAFNOSUPPORT, "EAFNOSUPPORT", "the address family is not supported"),
        (EADDRINUSE, "EADDRINUSE", "the address is in use"),
        (EADDRNOTAVAIL, "EADDRNOTAVAIL", "the address is not available"),
        (ENETDOWN, "ENETDOWN", "the network is down"),
        (ENETUNREACH, "ENETUNREACH", "the network is unreachable"),
        (ECONNABORTED, "ECONNABORTED", "the connection was given up"),
        (ECONNRESET, "ECONNRESET", "the other end reset the connection"),
        (ENOBUFS, "ENOBUFS", "no buffer space"),
        (EISCONN, "EISCONN", "already connected"),
        (ENOTCONN, "ENOTCONN", "not connected"),
        (ETIMEDOUT, "ETIMEDOUT", "timed out"),
        (ECONNREFUSED, "ECONNREFUSED", "nobody listens there"),
        (EHOSTUNREACH, "EHOSTUNREACH", "the host is unreachable"),
        (EALREADY, "EALREADY", "already under way"),
        (EINPROGRESS, "EINPROGRESS", "under way"),
    ]
}
