/// How the network process finds and reaches peers and what it keeps, as a person wrote it.
public struct PeerSettings: Equatable, Sendable {
    /// `automatic`, `direct`, or names of networks with commas between them.
    public var networks = PeerSettings.automatic
    /// The SOCKS5 gateway to Tor, an IP address with its port; nil for none.
    public var torGateway: String?
    /// The SOCKS5 gateway to I2P, an IP address with its port; nil for none.
    public var i2pGateway: String?
    /// The server of DNS over HTTPS, a URL with an IP address.
    public var dohServer = PeerSettings.standardServer
    /// How many peers are held.
    public var seats = PeerSettings.standardSeats
    /// Peers that are dialled first, addresses with or without a port.
    public var peers: [String] = []
    /// Names of DNS seeds in place of those of the network.
    public var seeds: [String] = []
    /// The Ed25519 keys of those whose lists are taken, in hexadecimal digits.
    public var publishers: [String] = []
    /// The https URL that a signed list is fetched from; nil for none.
    public var listURL: String?
    /// The most that filters on disk may take, in MiB.
    public var filterStorage = PeerSettings.standardFilterStorage
    /// The script that signs the blocks of a signet, in hexadecimal digits; nil for the public one.
    public var signetChallenge: String?

    /// The standard settings.
    public init() {}

    /// Overlays if a gateway to one is set, else clearnet.
    public static let automatic = "automatic"
    /// Clearnet, whatever gateways are set.
    public static let direct = "direct"
    /// The networks that can be named.
    public static let names = ["clearnet", "tor", "i2p", "cjdns"]
    /// The server that is asked unless another is set.
    public static let standardServer = "https://1.1.1.1/dns-query"
    /// Peers that are held unless a person wants more or fewer.
    public static let standardSeats = 3
    /// MiB of filters that are kept unless a person wants more or fewer.
    public static let standardFilterStorage = 2048

    /// The most bytes of a file of authorities: twenty times what Debian's bundle has.
    public static let largestCertificates = 4 << 20

    /// The arguments for the network process; what is standard is left out.
    var rendered: [String] {
        let standard = PeerSettings()
        return PeerSettings.fields.flatMap { flag, field -> [String] in
            guard let text = self[keyPath: field], text != standard[keyPath: field] else {
                return []
            }
            return ["--\(flag.name)", text]
        }
    }

    init(_ values: [String: String]) throws(UsageError) {
        for (flag, field) in PeerSettings.fields {
            guard let text = values[flag.name] else { continue }
            self[keyPath: field] = text
            guard self[keyPath: field] == text else {
                throw .badValue(flag: flag.name, BadValue(found: text, allowed: "a number"))
            }
        }
    }

    static var flags: [Flag] { fields.map(\.flag) }

    /// Each field as text, beside the flag that carries it.
    private static var fields: [(flag: Flag, field: WritableKeyPath<PeerSettings, String?>)] {
        [
            (
                Flag("peer-networks", argument: "LIST", "The networks on which peers are reached."),
                \.networks.asOptional
            ),
            (Flag("tor-gateway", argument: "ADDRESS", "The SOCKS5 gateway to Tor."), \.torGateway),
            (Flag("i2p-gateway", argument: "ADDRESS", "The SOCKS5 gateway to I2P."), \.i2pGateway),
            (
                Flag("doh-server", argument: "URL", "The server of DNS over HTTPS."),
                \.dohServer.asOptional
            ),
            (Flag("seats", argument: "NUMBER", "How many peers are held."), \.seats.asText),
            (Flag("peers", argument: "LIST", "Peers that are dialled first."), \.peers.asText),
            (Flag("seeds", argument: "LIST", "Names of DNS seeds."), \.seeds.asText),
            (
                Flag("list-publishers", argument: "LIST", "Keys whose lists are taken."),
                \.publishers.asText
            ),
            (
                Flag("peer-list-url", argument: "URL", "Where a signed list is fetched."), \.listURL
            ),
            (
                Flag("filter-storage", argument: "NUMBER", "MiB that filters on disk may take."),
                \.filterStorage.asText
            ),
            (
                Flag("signet-challenge", argument: "HEX", "The script that signs blocks."),
                \.signetChallenge
            ),
        ]
    }
}

extension String {
    fileprivate var asOptional: String? {
        get { self }
        set { self = newValue ?? self }
    }
}

extension Int {
    fileprivate var asText: String? {
        get { "\(self)" }
        set { self = newValue.flatMap { Int($0) } ?? self }
    }
}

extension [String] {
    fileprivate var asText: String? {
        get { isEmpty ? nil : joined(separator: ",") }
        set { self = newValue?.split(separator: ",").map(String.init) ?? [] }
    }
}
