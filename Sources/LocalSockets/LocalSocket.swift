import Glibc
public import LinuxIO

/// Makes and connects sockets of this machine (AF_UNIX).
///
/// The signer does not link this module.
public enum LocalSocket {
    /// Two connected stream sockets, close-on-exec and blocking.
    public static func pair() throws(Errno) -> SocketPair {
        var ends: [Int32] = [-1, -1]
        let type = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        guard socketpair(AF_UNIX, type, 0, &ends) == 0 else { throw Errno(errno) }
        return SocketPair(
            first: FileDescriptor(owning: ends[0]), second: FileDescriptor(owning: ends[1]))
    }

    /// Connects to the socket at `path`; blocking.
    ///
    /// - Throws: `.nameTooLong` for a path beyond 107 bytes, else what the kernel said.
    public static func connect(to path: String) throws(Errno) -> FileDescriptor {
        let socket = try make()
        try withAddress(path) { address, length throws(Errno) in
            guard Glibc.connect(socket.number, address, length) == 0 else { throw Errno(errno) }
        }
        return socket
    }

    /// Binds a new socket to `path`, which must not exist, and listens; nonblocking.
    ///
    /// - Throws: `.nameTooLong` for a path beyond 107 bytes, else what the kernel said.
    public static func listen(
        at path: String, backlog: Int32 = 16
    ) throws(Errno) -> FileDescriptor {
        let socket = try make()
        try withAddress(path) { address, length throws(Errno) in
            guard bind(socket.number, address, length) == 0 else { throw Errno(errno) }
        }
        guard Glibc.listen(socket.number, backlog) == 0 else { throw Errno(errno) }
        try socket.setNonblocking()
        return socket
    }

    private static func make() throws(Errno) -> FileDescriptor {
        let type = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        let number = socket(AF_UNIX, type, 0)
        guard number >= 0 else { throw Errno(errno) }
        return FileDescriptor(owning: number)
    }

    private static func withAddress(
        _ path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) throws(Errno) -> Void
    ) throws(Errno) {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let bytes = Array(path.utf8)
        guard bytes.count < MemoryLayout.size(ofValue: address.sun_path) else {
            throw .nameTooLong
        }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
        try withUnsafePointer(to: &address) { pointer throws(Errno) in
            try pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic throws(Errno) in
                try body(generic, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
    }
}

/// Two connected sockets.
///
/// Other modules take it apart by its functions: Swift 6.0.3 stops where they do it by its fields.
@frozen public struct SocketPair: ~Copyable, Sendable {
    /// One end.
    public var first: FileDescriptor
    /// The other.
    public var second: FileDescriptor

    /// One end; the other is closed.
    public consuming func onlyFirst() -> FileDescriptor { first }

    /// The numbers of both ends, which the caller owns from here on.
    public consuming func take() -> (first: Int32, second: Int32) {
        (first.take(), second.take())
    }
}
