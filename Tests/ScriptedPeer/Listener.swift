import Foundation
import Glibc

/// A TCP server of a test on a loopback address: each connection gets a thread of its own.
public final class Listener: @unchecked Sendable {
    /// The address that it listens at, as text.
    public let address: String
    /// Its port, given by the kernel unless named.
    public let port: UInt16
    private let socket: Int32
    private let lock = NSLock()
    private var open: Set<Int32> = []
    private var accepted = 0
    private var isStopped = false

    /// Listens and hands each connection, a blocking socket, to `serve`, after which it is closed.
    public init(
        address: String = "127.0.0.1", port: UInt16 = 0, serve: @escaping @Sendable (Int32) -> Void
    ) throws {
        self.address = address
        socket = Glibc.socket(
            AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        var on: Int32 = 1
        setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &on, socklen_t(MemoryLayout<Int32>.size))
        var name = sockaddr_in()
        name.sin_family = sa_family_t(AF_INET)
        name.sin_port = port.bigEndian
        inet_pton(AF_INET, address, &name.sin_addr)
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let socket = socket
        let isBound = withUnsafeMutablePointer(to: &name) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(socket, $0, size) == 0 && listen(socket, 64) == 0
                    && getsockname(socket, $0, &size) == 0
            }
        }
        guard isBound else { throw ServerError(what: "cannot listen at \(address): \(errno)") }
        self.port = UInt16(bigEndian: name.sin_port)
        Thread.detachNewThread { [weak self] in
            while true {
                let connection = accept(socket, nil, nil)
                guard connection >= 0 else { break }
                _ = fcntl(connection, F_SETFD, FD_CLOEXEC)
                guard let self, self.took(connection) else {
                    close(connection)
                    break
                }
                Thread.detachNewThread { [weak self] in
                    serve(connection)
                    self?.release(connection)
                    close(connection)
                }
            }
            // By nobody else: the number may be another file's at once.
            close(socket)
        }
    }

    deinit { stop() }

    /// Connections that have come so far.
    public var connections: Int { lock.withLock { accepted } }

    /// The same once so many are there; the kernel makes them before they are heard of here.
    public func waitForConnections(_ count: Int) -> Int {
        for _ in 0..<1000 where connections < count { pause(milliseconds: 10) }
        return connections
    }

    /// Ends every connection that is open; new ones may come.
    public func hangUp() {
        lock.withLock { for number in open { shutdown(number, Int32(SHUT_RDWR)) } }
    }

    /// Ends every connection and takes no more.
    public func stop() {
        let isFirst = lock.withLock {
            defer { isStopped = true }
            return !isStopped
        }
        guard isFirst else { return }
        hangUp()
        shutdown(socket, Int32(SHUT_RDWR))
    }

    private func took(_ connection: Int32) -> Bool {
        lock.withLock {
            guard !isStopped else { return false }
            accepted += 1
            open.insert(connection)
            return true
        }
    }

    private func release(_ connection: Int32) { lock.withLock { _ = open.remove(connection) } }
}

/// What a server of a test cannot do.
public struct ServerError: Error {
    /// What that is.
    public let what: String

    /// An error that says this.
    public init(what: String) { self.what = what }
}

/// Blocking reads and writes.
public enum Stream {
    /// What comes next, at most `count` bytes; nil at the end.
    public static func read(_ socket: Int32, _ count: Int = 64 << 10) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: count)
        let got = recv(socket, &bytes, count, 0)
        return got > 0 ? Array(bytes[..<got]) : nil
    }

    /// Exactly `count` bytes; nil if the end comes before.
    public static func readAll(_ socket: Int32, _ count: Int) -> [UInt8]? {
        var bytes: [UInt8] = []
        while bytes.count < count {
            guard let more = read(socket, count - bytes.count) else { return nil }
            bytes += more
        }
        return bytes
    }

    /// Writes all of it; false once the other end is closed.
    @discardableResult
    public static func write(_ socket: Int32, _ bytes: [UInt8]) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes {
                send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }
}
