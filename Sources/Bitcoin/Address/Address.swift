import Hashing
public import Wire

/// What people hand out to be paid: a scriptPubKey on a network, in a form with a checksum.
public struct Address: Hashable, Sendable {
    /// What the address pays to.
    public enum Payload: Hashable, Sendable {
        /// HASH160 of a public key.
        case p2pkh(Bytes20)
        /// HASH160 of a redeemScript.
        case p2sh(Bytes20)
        /// A witness program; version 0 has 20 or 32 bytes, later ones 2 to 40.
        case witness(version: Int, program: [UInt8])
    }

    /// The network that it was read for or made for.
    public let network: Network
    /// What it pays to.
    public let payload: Payload

    /// The address of a scriptPubKey; nil for scripts that have none, such as P2PK and OP_RETURN.
    public init?(scriptPubKey: Script, network: Network) {
        self.network = network
        switch scriptPubKey.template {
        case .p2pkh(let hash): payload = .p2pkh(hash)
        case .p2sh(let hash): payload = .p2sh(hash)
        case .p2wpkh, .p2wsh, .p2tr, .p2a, .unknownWitness:
            guard let (version, program) = scriptPubKey.witnessProgram else { return nil }
            payload = .witness(version: version, program: Array(program))
        case .p2pk, .multisig, .opReturn, .nonstandard: return nil
        }
    }

    init(network: Network, payload: Payload) {
        self.network = network
        self.payload = payload
    }

    /// What outputs to this address carry.
    public var scriptPubKey: Script {
        switch payload {
        case .p2pkh(let hash): .p2pkh(hash)
        case .p2sh(let hash): .p2sh(hash)
        case .witness(let version, let program):
            Script([version == 0 ? 0 : UInt8(0x50 + version), UInt8(program.count)] + program)
        }
    }

    /// The text, in lower case where case does not matter.
    public var text: String {
        switch payload {
        case .p2pkh(let hash):
            Base58Check.encode([network.addressVersions.p2pkh] + hash.array)
        case .p2sh(let hash):
            Base58Check.encode([network.addressVersions.p2sh] + hash.array)
        case .witness(let version, let program):
            Bech32.encode(
                prefix: network.bech32Prefix,
                groups: [UInt8(version)] + Bech32.groups(of: program),
                variant: version == 0 ? .bech32 : .bech32m)
        }
    }
}

extension Address: CustomStringConvertible {
    /// The text.
    public var description: String { text }
}

extension Network {
    /// The first byte of base58 addresses.
    var addressVersions: (p2pkh: UInt8, p2sh: UInt8) {
        self == .mainnet ? (0x00, 0x05) : (0x6F, 0xC4)
    }
}
