import Hashing
import Wire

extension PeerHost {
    private static let onionSuffix = ".onion"
    private static let i2pSuffix = ".b32.i2p"
    /// The version that ends the name of a Tor service of version 3.
    private static let onionVersion: UInt8 = 3

    /// Reads an address as a person writes it: IPv4 in four decimal numbers, IPv6 (RFC 4291) without
    /// brackets, a Tor service of version 3, an I2P destination by its hash. Names that a resolver
    /// would have to look up are none of them.
    public init?(_ text: some StringProtocol) {
        // The longest is the name of a Tor service.
        guard text.utf8.count <= 62, text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            return nil
        }
        let name = text.lowercased()
        if name.hasSuffix(PeerHost.onionSuffix) {
            guard let key = PeerHost.onionKey(name.dropLast(PeerHost.onionSuffix.count)) else {
                return nil
            }
            self = .torV3(key)
        } else if name.hasSuffix(PeerHost.i2pSuffix) {
            let digits = name.dropLast(PeerHost.i2pSuffix.count)
            guard digits.utf8.count == 52, let bytes = Base32.decode(digits),
                let hash = Bytes32(bytes)
            else { return nil }
            self = .i2p(hash)
        } else if name.utf8.contains(UInt8(ascii: ":")) {
            guard let host = PeerHost.ipv6(name) else { return nil }
            self = host
        } else {
            guard let address = PeerHost.ipv4(name[...]) else { return nil }
            self = .ipv4(address)
        }
    }

    /// The key in the name of a Tor service: key, checksum, version (rend-spec-v3, section 6).
    private static func onionKey(_ digits: Substring) -> Bytes32? {
        guard digits.utf8.count == 56, let bytes = Base32.decode(digits), bytes.count == 35,
            let key = Bytes32(Array(bytes[..<32])), bytes[34] == onionVersion,
            Array(bytes[32..<34]) == onionChecksum(key)
        else { return nil }
        return key
    }

    private static func onionChecksum(_ key: Bytes32) -> [UInt8] {
        var writer = Writer()
        writer.write(Array(".onion checksum".utf8))
        writer.write(key)
        writer.write(onionVersion)
        return SHA3256.hash(writer.bytes).withUnsafeBytes { Array($0.prefix(2)) }
    }

    /// Four decimal numbers without leading zeros, which some read as octal.
    private static func ipv4(_ text: Substring) -> UInt32? {
        let parts = text.split(separator: ".", maxSplits: 4, omittingEmptySubsequences: false)
        guard parts.count == 4 else { return nil }
        var address: UInt32 = 0
        for part in parts {
            guard (1...3).contains(part.utf8.count), part.utf8.allSatisfy(isDigit),
                part == "0" || !part.hasPrefix("0"), let value = UInt8(part)
            else { return nil }
            address = address << 8 | UInt32(value)
        }
        return address
    }

    private static func isDigit(_ character: UInt8) -> Bool { (0x30...0x39).contains(character) }

    /// Eight groups of hexadecimal digits, one run of zeros left out, the last two perhaps as IPv4.
    private static func ipv6(_ text: String) -> PeerHost? {
        let halves = halves(of: text)
        guard (1...2).contains(halves.count) else { return nil }
        var groups: [[UInt16]] = []
        for (place, half) in halves.enumerated() {
            guard let part = ipv6Groups(half, mayEndInIPv4: place == halves.count - 1) else {
                return nil
            }
            groups.append(part)
        }
        let given = groups[0].count + (groups.count == 2 ? groups[1].count : 0)
        guard groups.count == 2 ? given <= 7 : given == 8 else { return nil }
        var all = groups[0]
        all += [UInt16](repeating: 0, count: 8 - given)
        if groups.count == 2 { all += groups[1] }
        let high = all[..<4].reduce(UInt64(0)) { $0 << 16 | UInt64($1) }
        let low = all[4...].reduce(UInt64(0)) { $0 << 16 | UInt64($1) }
        return PeerHost(high: high, low: low)
    }

    /// The text before and after the only `::`; one part if there is none, three if there are more.
    private static func halves(of text: String) -> [Substring] {
        let bytes = text.utf8
        var parts: [Substring] = []
        var start = bytes.startIndex
        var index = bytes.startIndex
        while index < bytes.endIndex {
            let next = bytes.index(after: index)
            if bytes[index] == UInt8(ascii: ":"), next < bytes.endIndex,
                bytes[next] == UInt8(ascii: ":")
            {
                parts.append(text[start..<index])
                start = bytes.index(after: next)
                index = start
            } else {
                index = next
            }
        }
        parts.append(text[start...])
        return parts
    }

    private static func ipv6Groups(_ text: Substring, mayEndInIPv4: Bool) -> [UInt16]? {
        if text.isEmpty { return [] }
        var parts = text.split(separator: ":", omittingEmptySubsequences: false)
        var tail: [UInt16] = []
        if mayEndInIPv4, let last = parts.last, last.contains(".") {
            guard let address = ipv4(last) else { return nil }
            tail = [UInt16(address >> 16), UInt16(truncatingIfNeeded: address)]
            parts.removeLast()
        }
        var groups: [UInt16] = []
        for part in parts {
            guard (1...4).contains(part.utf8.count), !part.hasPrefix("+"),
                let group = UInt16(part, radix: 16)
            else { return nil }
            groups.append(group)
        }
        return groups + tail
    }

    /// An address of sixteen bytes: one that stands for IPv4 is that one, fc00::/8 is CJDNS, and one
    /// that stands for Tor's second version is unusable.
    public init(high: UInt64, low: UInt64) {
        if high == 0, low >> 32 == 0xFFFF {
            self = .ipv4(UInt32(truncatingIfNeeded: low))
            return
        }
        if high >> 56 == 0xFC {
            self = .cjdns(high: high, low: low)
            return
        }
        let host = PeerHost.ipv6(high: high, low: low)
        self = high >> 16 == 0xFD87_D87E_EB43 ? .unusable(network: 2, host.bytes) : host
    }
}

extension PeerHost: CustomStringConvertible {
    /// The address as it is typed: IPv6 as RFC 5952 has it, without brackets.
    public var description: String {
        switch self {
        case .ipv4(let address):
            [24, 16, 8, 0].map { String(address >> $0 & 0xFF) }.joined(separator: ".")
        case .ipv6(let high, let low), .cjdns(let high, let low):
            PeerHost.ipv6Text(high: high, low: low)
        case .torV3(let key): PeerHost.onionName(key)
        case .i2p(let hash):
            Base32.encode(hash.withUnsafeBytes { Array($0) }) + PeerHost.i2pSuffix
        case .unusable(let network, _): "an address of network \(network) that cannot be dialled"
        }
    }

    private static func onionName(_ key: Bytes32) -> String {
        var writer = Writer()
        writer.write(key)
        writer.write(onionChecksum(key))
        writer.write(onionVersion)
        return Base32.encode(writer.bytes) + onionSuffix
    }

    /// Lower case, no leading zeros, the longest run of two or more zero groups left out, the first of
    /// equals (RFC 5952, section 4).
    private static func ipv6Text(high: UInt64, low: UInt64) -> String {
        let groups = [high, low].flatMap { half in
            [48, 32, 16, 0].map { UInt16(truncatingIfNeeded: half >> $0) }
        }
        var run = 0..<0
        var start = 0
        while start < 8 {
            let end = groups[start...].firstIndex { $0 != 0 } ?? 8
            if end - start > max(run.count, 1) { run = start..<end }
            start = end + 1
        }
        func text(_ part: ArraySlice<UInt16>) -> String {
            part.map { String($0, radix: 16) }.joined(separator: ":")
        }
        guard !run.isEmpty else { return text(groups[...]) }
        return text(groups[..<run.lowerBound]) + "::" + text(groups[run.upperBound...])
    }
}
