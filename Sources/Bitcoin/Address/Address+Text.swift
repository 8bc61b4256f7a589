import Hashing
import Wire

extension Address {
    /// Reads an address of `network`. Nothing else may be in the text.
    public init(_ text: String, network: Network) throws(AddressError) {
        guard !text.isEmpty else { throw .empty }
        let payload: Payload
        let networks: [Network]
        if Address.hasSegwitPrefix(text) {
            (payload, networks) = try Address.readSegwit(text)
        } else {
            (payload, networks) = try Address.readBase58(text)
        }
        guard networks.contains(network) else {
            throw .wrongNetwork(found: networks, wanted: network)
        }
        self.init(network: network, payload: payload)
    }

    private static func hasSegwitPrefix(_ text: String) -> Bool {
        let start = text.prefix(5).lowercased()
        return Network.allCases.contains { start.hasPrefix($0.bech32Prefix + "1") }
    }

    private static func readSegwit(
        _ text: String
    ) throws(AddressError) -> (Payload, [Network]) {
        let decoded: Bech32.Decoded
        let program: [UInt8]
        do throws(Bech32.Failure) {
            decoded = try Bech32.decode(text)
            program = try Bech32.bytes(of: decoded.groups.dropFirst())
        } catch {
            throw .bech32(error)
        }
        let networks = Network.allCases.filter { $0.bech32Prefix == decoded.prefix }
        guard !networks.isEmpty else { throw .unknownPrefix(decoded.prefix) }
        guard let version = decoded.groups.first.map({ Int($0) }) else {
            throw .invalidProgramLength(version: 0, found: 0)
        }
        guard version <= 16 else { throw .invalidWitnessVersion(version) }
        guard decoded.variant == (version == 0 ? .bech32 : .bech32m) else {
            throw .wrongChecksumVariant(version: version)
        }
        guard version == 0 ? [20, 32].contains(program.count) : (2...40).contains(program.count)
        else { throw .invalidProgramLength(version: version, found: program.count) }
        return (.witness(version: version, program: program), networks)
    }

    private static func readBase58(
        _ text: String
    ) throws(AddressError) -> (Payload, [Network]) {
        let bytes: [UInt8]
        do throws(Base58Check.Failure) {
            bytes = try Base58Check.decode(text)
        } catch {
            // Perhaps it is the address of another chain.
            if let decoded = try? Bech32.decode(text) { throw .unknownPrefix(decoded.prefix) }
            throw .base58(error)
        }
        guard let version = bytes.first else { throw .wrongLength(found: 0) }
        if [0x80, 0xEF].contains(version), [33, 34].contains(bytes.count) { throw .privateKey }
        if bytes.count == 78 { throw .extendedKey }
        let p2pkh = Network.allCases.filter { $0.addressVersions.p2pkh == version }
        let p2sh = Network.allCases.filter { $0.addressVersions.p2sh == version }
        guard !p2pkh.isEmpty || !p2sh.isEmpty else { throw .unknownVersion(version) }
        guard let hash = Bytes20(bytes.dropFirst()) else { throw .wrongLength(found: bytes.count) }
        return p2pkh.isEmpty ? (.p2sh(hash), p2sh) : (.p2pkh(hash), p2pkh)
    }
}
