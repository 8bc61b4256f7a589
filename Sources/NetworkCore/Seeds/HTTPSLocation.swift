import PeerMessages
import Wire

/// The place of a file or a service on a server that is asked over HTTPS.
public struct HTTPSLocation: Hashable, Sendable {
    /// The address as a person wrote it.
    public let url: String
    /// The part of it that names the server: a name, or an address without brackets.
    public let name: String
    /// The server's port.
    public let port: UInt16
    /// The server where it is named by an address or by an overlay's name; nil for a name that has to
    /// be looked up.
    let host: PeerHost?

    /// Reads `https://HOST/PATH`; nil for anything else, and for a URL that names a user.
    public init?(_ url: String) {
        guard url.hasPrefix("https://"), url.utf8.count <= 256,
            url.utf8.allSatisfy({ (0x21...0x7E).contains($0) }), !url.contains("#")
        else { return nil }
        let authority = url.dropFirst("https://".count).prefix { $0 != "/" && $0 != "?" }
        guard !authority.isEmpty, !authority.contains("@") else { return nil }
        self.url = url
        if let endpoint = try? PeerEndpoint(String(authority), defaultPort: 443) {
            host = endpoint.host
            port = endpoint.port == 0 ? 443 : endpoint.port
            name = "\(endpoint.host)"
            return
        }
        host = nil
        let parts = authority.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count <= 2, DomainName.isOne(parts[0]) else { return nil }
        name = String(parts[0])
        guard parts.count == 2 else {
            port = 443
            return
        }
        guard let number = UInt16(parts[1]), number > 0 else { return nil }
        port = number
    }
}
