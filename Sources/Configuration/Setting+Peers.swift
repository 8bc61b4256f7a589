import Wire

extension Setting {
    /// The declarations of settings about peers and what they serve.
    var peerRow: Row {
        switch self {
        case .seats:
            Row(
                .number(1...8), .value("\(PeerSettings.standardSeats)"),
                "How many peers are held. With fewer than two nobody contradicts the one.")
        case .peers:
            Row(
                .peers, .rule("none"),
                "Peers of your own, dialled before all others; bulkhead peers add does the same "
                    + "without a restart.")
        case .seeds:
            Row(
                .seeds,
                .rule("those of the network; none for a signet of your own, and for regtest"),
                "Names under which resolvers know peers, in place of the network's.")
        case .peerList:
            Row(
                .fileOrURL, .rule("none"),
                "A signed list of peers: a file, read at every start of the network process, or a URL, "
                    + "fetched about once a day; goes with list-publishers.")
        case .listPublishers:
            Row(
                .publishers, .rule("none, so that no list is taken"),
                "The Ed25519 keys of those whose lists of peers are taken.")
        case .filterStorage:
            Row(
                .number(0...49_152), .value("\(PeerSettings.standardFilterStorage)"),
                "How many MiB of filters are kept, so that a new address does not have them fetched "
                    + "again; the oldest go first.")
        default:
            Row(
                .script, .rule("that of the public signet"),
                "The script that signs the blocks of a signet of your own; with network = signet.")
        }
    }
}

extension Setting.Values {
    static let networksAllowed =
        "\(PeerSettings.automatic), \(PeerSettings.direct), or some of "
        + PeerSettings.names.joined(separator: ",") + " with commas between them"

    /// The allowed values of settings about peers.
    var peerValuesAllowed: String {
        switch self {
        case .peers:
            "up to 64 addresses with commas between them: 203.0.113.9:8333, [2001:db8::9], "
                + "NAME.onion or NAME.b32.i2p; without a port the network's is meant"
        case .seeds: "up to 16 names with a dot, like seed.example.org, with commas between them"
        case .publishers: "up to 16 keys of 64 hexadecimal digits with commas between them"
        default: "a script of 1 to 520 bytes in hexadecimal digits"
        }
    }

    static func isNetworks(_ text: String) -> Bool {
        if [PeerSettings.automatic, PeerSettings.direct].contains(text) { return true }
        let names = text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        return Set(names).count == names.count && Set(names).isSubset(of: PeerSettings.names)
    }

    /// An IP address, in brackets if it has colons, and a port.
    static func isGateway(_ text: String) -> Bool {
        guard case let (host, port?)? = hostAndPort(text) else { return false }
        return port > 0 && isAddress(host)
    }

    /// An IP address or the name of an overlay's service, and perhaps a port.
    static func isPeer(_ text: String) -> Bool {
        guard let (host, port) = hostAndPort(text) else { return false }
        // I2P alone has no ports.
        if isService(host, ending: ".b32.i2p", digits: 52) { return true }
        return port != 0 && (isAddress(host) || isService(host, ending: ".onion", digits: 56))
    }

    private static func isService(_ host: Substring, ending: String, digits: Int) -> Bool {
        host.hasSuffix(ending) && host.utf8.count == digits + ending.utf8.count
            && host.utf8.prefix(digits).allSatisfy {
                (0x61...0x7A).contains($0) || (0x32...0x37).contains($0)
            }
    }

    /// What stands before the last colon outside brackets, and the number behind it.
    private static func hostAndPort(_ text: String) -> (Substring, UInt16?)? {
        guard text.utf8.count <= 80 else { return nil }
        guard let colon = text.lastIndex(of: ":"), !text.hasSuffix("]") else {
            return (text[...], nil)
        }
        guard let port = UInt16(text[text.index(after: colon)...]) else { return nil }
        return (text[..<colon], port)
    }

    private static func isAddress(_ host: Substring) -> Bool {
        if host.hasPrefix("["), host.hasSuffix("]") {
            let inside = host.dropFirst().dropLast().utf8
            return inside.count { $0 == 0x3A } >= 2
                && inside.allSatisfy { byte in
                    (0x30...0x3A).contains(byte) || (0x61...0x66).contains(byte)
                        || (0x41...0x46).contains(byte) || byte == 0x2E
                }
        }
        let numbers = host.split(separator: ".", omittingEmptySubsequences: false)
        return numbers.count == 4 && numbers.allSatisfy { UInt8($0) != nil }
    }

    static func isServer(_ text: String) -> Bool {
        guard let host = httpsHost(text) else { return false }
        return isAddress(host)
    }

    /// An https URL whose host is a name, an address or an overlay's service.
    static func isPlace(_ text: String) -> Bool {
        guard let host = httpsHost(text), !text.contains("#") else { return false }
        return isPeer(String(host)) || DomainName.isOne(host)
    }

    /// The host of an https URL without a name of a user.
    private static func httpsHost(_ text: String) -> Substring? {
        guard text.hasPrefix("https://"), text.utf8.count <= 256,
            text.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
        else { return nil }
        let authority = String(text.dropFirst(8).prefix { $0 != "/" && $0 != "?" && $0 != "#" })
        guard !authority.contains("@"), let (host, port) = hostAndPort(authority), port != 0 else {
            return nil
        }
        return host
    }

    static func isKey(_ text: String) -> Bool { text.utf8.count == 64 && isHex(text) }

    static func isScript(_ text: String) -> Bool {
        (2...1040).contains(text.utf8.count) && text.utf8.count.isMultiple(of: 2) && isHex(text)
    }

    private static func isHex(_ text: String) -> Bool {
        text.utf8.allSatisfy { byte in
            (0x30...0x39).contains(byte) || (0x61...0x66).contains(byte)
                || (0x41...0x46).contains(byte)
        }
    }
}
