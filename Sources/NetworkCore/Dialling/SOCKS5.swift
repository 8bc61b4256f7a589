import Wire

/// The client's half of a SOCKS5 conversation (RFC 1928, RFC 1929) up to the open connection: bytes
/// in, bytes out. The destination is always sent by name, so that nothing resolves it here.
public struct SOCKS5: Sendable {
    /// Name and password of RFC 1929. A Tor gateway gives each pair circuits of its own.
    public struct Credentials: Hashable, Sendable {
        let name: [UInt8]
        let password: [UInt8]

        /// Nil unless both have 1 to 255 bytes.
        public init?(name: [UInt8], password: [UInt8]) {
            let lengths = 1...255
            guard lengths.contains(name.count), lengths.contains(password.count) else {
                return nil
            }
            self.name = name
            self.password = password
        }
    }

    /// How far it is.
    private enum Phase: Hashable {
        case method
        case authentication
        case reply
        case open
    }

    /// The longest name of a destination in bytes.
    public static let longestName = 255
    /// The longest answer of a proxy: a reply with a name in it.
    private static let longestReply = 4 + 1 + 255 + 2

    private let request: [UInt8]
    private let credentials: Credentials?
    private var phase = Phase.method
    private var buffer: [UInt8] = []

    /// A conversation that asks for `host`, a name or an address as text, and `port`.
    ///
    /// - Throws: `name` if the host has no bytes, too many, or others than visible ASCII.
    public init(
        host: String, port: UInt16, credentials: Credentials? = nil
    ) throws(SOCKS5Error) {
        let name = Array(host.utf8)
        guard (1...SOCKS5.longestName).contains(name.count),
            name.allSatisfy({ (0x21...0x7E).contains($0) })
        else { throw .name(host) }
        var writer = Writer(capacity: name.count + 7)
        // Version 5, connect, reserved, a name follows.
        writer.write([5, 1, 0, 3, UInt8(name.count)])
        writer.write(name)
        writer.writeBigEndian(port)
        request = writer.bytes
        self.credentials = credentials
    }

    /// The first bytes to send.
    public var greeting: [UInt8] { credentials == nil ? [5, 1, 0] : [5, 1, 2] }

    /// What to do next.
    public enum Step: Hashable, Sendable {
        /// Send these bytes, then wait for more.
        case send([UInt8])
        /// Wait for more.
        case wait
        /// The connection is open; the bytes after the proxy's answer are the destination's.
        case open(rest: [UInt8])
    }

    /// Takes what the proxy sent.
    ///
    /// - Throws: why the proxy cannot be used or refuses. Nothing may be fed after that.
    public mutating func receive(_ bytes: [UInt8]) throws(SOCKS5Error) -> Step {
        buffer += bytes
        switch phase {
        case .method: return try receiveMethod()
        case .authentication: return try receiveAuthentication()
        case .reply: return try receiveReply()
        case .open: return .open(rest: takeAll())
        }
    }

    private mutating func takeAll() -> [UInt8] {
        defer { buffer = [] }
        return buffer
    }

    private mutating func receiveMethod() throws(SOCKS5Error) -> Step {
        guard let version = buffer.first else { return .wait }
        guard version == 5 else { throw .notAProxy }
        guard buffer.count >= 2 else { return .wait }
        // A proxy says no more before it is asked.
        guard buffer.count == 2 else { throw .notAProxy }
        let method = buffer[1]
        buffer = []
        switch (method, credentials) {
        case (0, nil):
            phase = .reply
            return .send(request)
        case (2, let credentials?):
            phase = .authentication
            return .send(
                [1, UInt8(credentials.name.count)] + credentials.name
                    + [UInt8(credentials.password.count)] + credentials.password)
        case (0xFF, _): throw .method
        default: throw .notAProxy
        }
    }

    private mutating func receiveAuthentication() throws(SOCKS5Error) -> Step {
        guard buffer.count >= 2 else { return .wait }
        guard buffer.count == 2, buffer[0] == 1 else { throw .notAProxy }
        guard buffer[1] == 0 else { throw .credentials }
        buffer = []
        phase = .reply
        return .send(request)
    }

    private mutating func receiveReply() throws(SOCKS5Error) -> Step {
        guard let version = buffer.first else { return .wait }
        guard version == 5 else { throw .notAProxy }
        guard buffer.count >= 2 else { return .wait }
        guard buffer[1] == 0 else { throw .refused(SOCKS5Refusal(code: buffer[1])) }
        guard buffer.count >= 5 else { return .wait }
        let addressLength: Int
        switch buffer[3] {
        case 1: addressLength = 4
        case 3: addressLength = 1 + Int(buffer[4])
        case 4: addressLength = 16
        default: throw .notAProxy
        }
        let length = 4 + addressLength + 2
        guard buffer[2] == 0, length <= SOCKS5.longestReply else { throw .notAProxy }
        guard buffer.count >= length else { return .wait }
        phase = .open
        let rest = Array(buffer[length...])
        buffer = []
        return .open(rest: rest)
    }
}

/// Why a proxy did not connect.
public struct SOCKS5Refusal: Hashable, Sendable {
    /// The number in its reply: RFC 1928, and Tor's extended ones from 0xF0.
    public let code: UInt8

    /// Whether the proxy would say so of every destination. What else it says, even that it failed, it
    /// also says of a service that is gone.
    public var isAboutGateway: Bool { [0x02, 0x07, 0x08].contains(code) }
}

extension SOCKS5Refusal: CustomStringConvertible {
    /// What the number means.
    public var description: String {
        switch code {
        case 0x01: "the proxy failed"
        case 0x02: "the proxy's rules forbid it"
        case 0x03: "the network cannot be reached"
        case 0x04: "the destination cannot be reached"
        case 0x05: "the destination refused the connection"
        case 0x06: "the way there took too long"
        case 0x07: "the proxy cannot connect"
        case 0x08: "the proxy cannot use such an address"
        case 0xF0: "the onion service is not known"
        case 0xF1: "the onion service's descriptor is wrong"
        case 0xF2: "the onion service's introduction failed"
        case 0xF3: "the onion service's rendezvous failed"
        case 0xF4, 0xF5: "the onion service wants a key"
        case 0xF6: "the onion address is wrong"
        case 0xF7: "the onion service's introduction took too long"
        default: "the proxy refused for a reason that is not known (\(code))"
        }
    }
}

/// Why a conversation with a proxy ended.
public enum SOCKS5Error: Error, Hashable, Sendable {
    /// The destination is no name.
    case name(String)
    /// What answers is no SOCKS5 proxy.
    case notAProxy
    /// The proxy wants an authentication that was not offered.
    case method
    /// The proxy does not take the credentials.
    case credentials
    /// The proxy did not connect.
    case refused(SOCKS5Refusal)
}

extension SOCKS5Error: CustomStringConvertible {
    /// What is wrong and, where it helps, what to do.
    public var description: String {
        switch self {
        case .name: "the destination is no name of 1 to \(SOCKS5.longestName) visible characters"
        case .notAProxy: "what answers there is no SOCKS5 proxy: check its address and port"
        case .method: "the proxy wants a name and a password"
        case .credentials: "the proxy does not take the name and the password"
        case .refused(let refusal): "\(refusal)"
        }
    }
}
