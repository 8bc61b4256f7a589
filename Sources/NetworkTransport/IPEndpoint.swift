import Glibc
public import PeerMessages

/// An IP address with a port: all that a socket can be connected to without asking anybody.
public struct IPEndpoint: Hashable, Sendable {
    /// Four or sixteen bytes, the first of the address first.
    public let address: [UInt8]
    /// The port.
    public let port: UInt16

    /// An address of `count` 4 or 16; nil for another.
    public init?(address: [UInt8], port: UInt16) {
        guard address.count == 4 || address.count == 16 else { return nil }
        self.address = address
        self.port = port
    }

    /// Where a peer is reached without a proxy; nil for a host of an overlay that needs one.
    public init?(_ host: PeerHost, port: UInt16) {
        switch host {
        case .ipv4, .ipv6, .cjdns: self.init(address: host.bytes, port: port)
        case .torV3, .i2p, .unusable: return nil
        }
    }

    /// Reads an address without a port (`192.0.2.1`, `2001:db8::1`); nil if the text is none.
    public init?(text: String, port: UInt16) {
        var bytes = [UInt8](repeating: 0, count: 16)
        let family = text.utf8.contains(UInt8(ascii: ":")) ? AF_INET6 : AF_INET
        guard inet_pton(family, text, &bytes) == 1 else { return nil }
        address = Array(bytes.prefix(family == AF_INET ? 4 : 16))
        self.port = port
    }

    /// The address without its port, as the system writes it.
    public var addressText: String {
        var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
        let family = address.count == 4 ? AF_INET : AF_INET6
        guard inet_ntop(family, address, &text, socklen_t(text.count)) != nil else { return "" }
        return String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    /// Calls `body` with the kernel's form of the address.
    func withAddress<Value>(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Value) -> Value {
        if address.count == 4 {
            var native = sockaddr_in()
            native.sin_family = sa_family_t(AF_INET)
            native.sin_port = port.bigEndian
            withUnsafeMutableBytes(of: &native.sin_addr) { $0.copyBytes(from: address) }
            return Self.rebound(&native, body)
        }
        var native = sockaddr_in6()
        native.sin6_family = sa_family_t(AF_INET6)
        native.sin6_port = port.bigEndian
        withUnsafeMutableBytes(of: &native.sin6_addr) { $0.copyBytes(from: address) }
        return Self.rebound(&native, body)
    }

    private static func rebound<Native, Value>(
        _ native: inout Native, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Value
    ) -> Value {
        withUnsafePointer(to: &native) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                body($0, socklen_t(MemoryLayout<Native>.size))
            }
        }
    }
}

extension IPEndpoint: CustomStringConvertible {
    /// `192.0.2.1:8333` or `[2001:db8::1]:8333`.
    public var description: String {
        address.count == 4 ? "\(addressText):\(port)" : "[\(addressText)]:\(port)"
    }
}
