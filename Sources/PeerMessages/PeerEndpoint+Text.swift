/// Why a text names no peer.
public enum PeerEndpointError: Error, Hashable, Sendable {
    /// What stands for the host is no address of a network that can be dialled.
    case host(String)
    /// The port is no number from 1 to 65535.
    case port(String)
    /// A bracket without its other, or IPv6 with a port but without brackets.
    case brackets(String)
}

extension PeerEndpointError: CustomStringConvertible {
    /// What is wrong and what is right.
    public var description: String {
        switch self {
        case .host(let text) where text.hasSuffix(".onion"):
            "\"\(text)\" is no name of a Tor service (version 3): its checksum does not fit, or it has "
                + "not 56 letters and digits; copy it again"
        case .host(let text):
            "\"\(text)\" is no address: write IPv4, IPv6, a name that ends in .onion (version 3) or "
                + "in .b32.i2p; other names are not looked up"
        case .port(let text): "\"\(text)\" is no port: write a number from 1 to 65535"
        case .brackets(let text):
            "\"\(text)\" is not clear: write IPv6 with a port as [address]:port"
        }
    }
}

extension PeerEndpoint {
    /// Reads an address with a port or without, IPv6 in brackets where a port follows.
    ///
    /// - Parameter defaultPort: the port where the text has none.
    public init(_ text: String, defaultPort: UInt16) throws(PeerEndpointError) {
        // An error quotes the text, so that no longer one is looked at.
        guard text.utf8.count <= 72 else { throw .host(String(text.prefix(72))) }
        let hostText: Substring
        var portText: Substring?
        if text.hasPrefix("[") {
            guard let end = text.firstIndex(of: "]") else { throw .brackets(text) }
            hostText = text[text.index(after: text.startIndex)..<end]
            let rest = text[text.index(after: end)...]
            guard hostText.contains(":"), rest.isEmpty || rest.hasPrefix(":") else {
                throw .brackets(text)
            }
            portText = rest.isEmpty ? nil : rest.dropFirst()
        } else {
            let parts = text.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
            // More than one colon is IPv6 without a port.
            hostText = parts.count == 2 ? parts[0] : text[...]
            portText = parts.count == 2 ? parts[1] : nil
        }
        guard let host = PeerHost(hostText), host.way != nil else {
            throw .host(String(hostText))
        }
        var fallback = defaultPort
        if case .i2p = host { fallback = 0 }
        var port = fallback
        if let portText { port = try PeerEndpoint.port(portText, of: host) }
        self.init(host, port: port)
        guard isUsable else { throw .host(String(hostText)) }
    }

    private static func port(
        _ text: Substring, of host: PeerHost
    ) throws(PeerEndpointError) -> UInt16 {
        guard (1...5).contains(text.utf8.count),
            text.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
            let port = UInt16(text)
        else { throw .port(String(text)) }
        if case .i2p = host { return port }
        guard port > 0 else { throw .port(String(text)) }
        return port
    }
}

extension PeerEndpoint: CustomStringConvertible {
    /// The address and the port, as they are read again.
    public var description: String {
        switch host {
        case .ipv6, .cjdns: "[\(host)]:\(port)"
        default: "\(host):\(port)"
        }
    }
}
