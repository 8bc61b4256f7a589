/// How the network process reaches peers, as a person wrote it.
public struct PeerSettings: Equatable, Sendable {
    /// `automatic`, `direct`, or names of networks with commas between them.
    public var networks: String
    /// The SOCKS5 gateway to Tor, an IP address with its port; nil for none.
    public var torGateway: String?
    /// The SOCKS5 gateway to I2P, an IP address with its port; nil for none.
    public var i2pGateway: String?
    /// The server of DNS over HTTPS, a URL with an IP address.
    public var dohServer: String

    /// Settings by their parts.
    public init(
        networks: String = PeerSettings.automatic, torGateway: String? = nil,
        i2pGateway: String? = nil, dohServer: String = PeerSettings.standardServer
    ) {
        self.networks = networks
        self.torGateway = torGateway
        self.i2pGateway = i2pGateway
        self.dohServer = dohServer
    }

    /// Overlays if a gateway to one is set, else clearnet.
    public static let automatic = "automatic"
    /// Clearnet, whatever gateways are set.
    public static let direct = "direct"
    /// The networks that can be named.
    public static let names = ["clearnet", "tor", "i2p", "cjdns"]
    /// The server that is asked unless another is set.
    public static let standardServer = "https://1.1.1.1/dns-query"

    /// The arguments for the network process; what is standard is left out.
    var rendered: [String] {
        var words: [String] = []
        if networks != PeerSettings.automatic { words += ["--peer-networks", networks] }
        if let torGateway { words += ["--tor-gateway", torGateway] }
        if let i2pGateway { words += ["--i2p-gateway", i2pGateway] }
        if dohServer != PeerSettings.standardServer { words += ["--doh-server", dohServer] }
        return words
    }

    init(_ values: [String: String]) {
        self.init(
            networks: values["peer-networks"] ?? PeerSettings.automatic,
            torGateway: values["tor-gateway"], i2pGateway: values["i2p-gateway"],
            dohServer: values["doh-server"] ?? PeerSettings.standardServer)
    }

    static let flags = [
        Flag("peer-networks", argument: "LIST", "The networks on which peers are reached."),
        Flag("tor-gateway", argument: "ADDRESS", "The SOCKS5 gateway to Tor."),
        Flag("i2p-gateway", argument: "ADDRESS", "The SOCKS5 gateway to I2P."),
        Flag("doh-server", argument: "URL", "The server of DNS over HTTPS."),
    ]
}

extension Setting.Values {
    static let networksAllowed =
        "\(PeerSettings.automatic), \(PeerSettings.direct), or some of "
        + PeerSettings.names.joined(separator: ",") + " with commas between them"

    static func isNetworks(_ text: String) -> Bool {
        if [PeerSettings.automatic, PeerSettings.direct].contains(text) { return true }
        let names = text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        return Set(names).count == names.count && Set(names).isSubset(of: PeerSettings.names)
    }

    /// An IP address, in brackets if it has colons, and a port.
    static func isGateway(_ text: String) -> Bool {
        guard text.utf8.count <= 64, let colon = text.lastIndex(of: ":"),
            let port = UInt16(text[text.index(after: colon)...]), port > 0
        else { return false }
        let host = text[..<colon]
        if host.hasPrefix("["), host.hasSuffix("]") {
            return host.dropFirst().dropLast().utf8.allSatisfy { byte in
                (0x30...0x3A).contains(byte) || (0x61...0x66).contains(byte)
                    || (0x41...0x46).contains(byte) || byte == 0x2E
            }
        }
        let numbers = host.split(separator: ".", omittingEmptySubsequences: false)
        return numbers.count == 4 && numbers.allSatisfy { UInt8($0) != nil }
    }

    static func isServer(_ text: String) -> Bool {
        text.hasPrefix("https://") && text.utf8.count <= 256
            && text.utf8.allSatisfy { (0x21...0x7E).contains($0) }
    }
}
