import Foundation
import Glibc

/// A SOCKS5 gateway over real TCP that does as it is told, and remembers what it was asked.
public final class ScriptedProxy: @unchecked Sendable {
    /// What it was asked for.
    public struct Request: Hashable, Sendable {
        /// How the destination was named: 1 IPv4, 3 name, 4 IPv6.
        public let addressType: UInt8
        /// The destination.
        public let host: String
        /// Its port.
        public let port: UInt16

        /// A request by its parts.
        public init(addressType: UInt8, host: String, port: UInt16) {
            self.addressType = addressType
            self.host = host
            self.port = port
        }
    }

    /// What it does.
    public enum Answer: Sendable {
        /// Connects to a port of this machine.
        case connect(UInt16)
        /// Refuses with a code of RFC 1928.
        case refuse(UInt8)
    }

    private final class Book: @unchecked Sendable {
        let lock = NSLock()
        var requests: [Request] = []
    }

    private let book = Book()
    /// Where it listens.
    public let listener: Listener

    /// Listens, and asks what to do about each destination.
    public init(_ decide: @escaping @Sendable (String, UInt16) -> Answer) throws {
        let book = book
        listener = try Listener { socket in
            guard let request = Self.negotiate(socket) else { return }
            book.lock.withLock { book.requests.append(request) }
            switch decide(request.host, request.port) {
            case .refuse(let code):
                Stream.write(socket, [5, code, 0, 1, 0, 0, 0, 0, 0, 0])
            case .connect(let port):
                guard let other = Self.connect(to: port) else { return }
                Stream.write(socket, [5, 0, 0, 1, 0, 0, 0, 0, 0, 0])
                Self.join(socket, other)
            }
        }
    }

    /// What it was asked so far, in order.
    public var requests: [Request] { book.lock.withLock { book.requests } }

    private static func negotiate(_ socket: Int32) -> Request? {
        guard let greeting = Stream.readAll(socket, 2), greeting[0] == 5,
            Stream.readAll(socket, Int(greeting[1])) != nil
        else { return nil }
        Stream.write(socket, [5, 0])
        guard let head = Stream.readAll(socket, 5), head[..<3] == [5, 1, 0] else { return nil }
        let count = head[3] == 1 ? 3 : head[3] == 4 ? 15 : Int(head[4])
        guard let rest = Stream.readAll(socket, count + 2) else { return nil }
        let name = head[3] == 3 ? Array(rest[..<count]) : [head[4]] + rest[..<count]
        let host =
            head[3] == 3
            ? String(decoding: name, as: UTF8.self)
            : name.map(String.init).joined(separator: ".")
        let port = UInt16(rest[count]) << 8 | UInt16(rest[count + 1])
        return Request(addressType: head[3], host: host, port: port)
    }

    private static func connect(to port: UInt16) -> Int32? {
        let other = socket(
            AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        var name = sockaddr_in()
        name.sin_family = sa_family_t(AF_INET)
        name.sin_port = port.bigEndian
        name.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let isOpen = withUnsafePointer(to: &name) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                Glibc.connect(other, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
        if isOpen { return other }
        close(other)
        return nil
    }

    /// Passes bytes both ways until one end is closed.
    private static func join(_ first: Int32, _ second: Int32) {
        let done = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
            while let bytes = Stream.read(second), Stream.write(first, bytes) {}
            shutdown(first, Int32(SHUT_RDWR))
            done.signal()
        }
        while let bytes = Stream.read(first), Stream.write(second, bytes) {}
        shutdown(second, Int32(SHUT_RDWR))
        done.wait()
        close(second)
    }
}

/// Waits, in a thread of a server.
public func pause(milliseconds: UInt32) { usleep(milliseconds * 1000) }
