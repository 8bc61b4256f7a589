import Glibc
import LinuxIO

/// Sockets to the network, always nonblocking and close-on-exec.
enum TCPSocket {
    /// Begins to connect; writable once that has succeeded or failed (`failure`).
    static func connect(to endpoint: IPEndpoint) throws(Errno) -> FileDescriptor {
        let socket = try open(endpoint)
        // Small questions follow one another; none may wait for the answer to the last.
        var on: Int32 = 1
        _ = setsockopt(
            socket.number, Int32(IPPROTO_TCP), TCP_NODELAY, &on, socklen_t(MemoryLayout<Int32>.size)
        )
        let number = socket.number
        let result = endpoint.withAddress { Glibc.connect(number, $0, $1) }
        guard result != 0 else { return socket }
        let error = Errno(errno)
        // Interrupted, it goes on all the same.
        guard error.number == EINPROGRESS || error == .interrupted else { throw error }
        return socket
    }

    /// `SOCK_STREAM`, `SOCK_NONBLOCK` and `SOCK_CLOEXEC` (socket(2)) by number: Swift 6.0.3 loses their
    /// names in a module that imports a library whose header includes them.
    static let streamType: Int32 = 1 | O_NONBLOCK | O_CLOEXEC

    private static func open(_ endpoint: IPEndpoint) throws(Errno) -> FileDescriptor {
        let family = endpoint.address.count == 4 ? AF_INET : AF_INET6
        let number = socket(family, streamType, 0)
        guard number >= 0 else { throw Errno(errno) }
        return FileDescriptor(owning: number)
    }

    /// Why connecting failed; nil if it did not (`SO_ERROR`).
    static func failure(of number: Int32) -> Errno? {
        var error: Int32 = 0
        var size = socklen_t(MemoryLayout<Int32>.size)
        guard getsockopt(number, SOL_SOCKET, SO_ERROR, &error, &size) == 0 else {
            return Errno(errno)
        }
        return error == 0 ? nil : Errno(error)
    }
}
