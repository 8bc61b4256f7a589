public import Hashing
public import Wire

/// Why a text is no address of the network at hand.
public enum AddressError: Error, Hashable, Sendable {
    /// No text.
    case empty
    /// A good address, of networks other than the one that is wanted.
    case wrongNetwork(found: [Network], wanted: Network)
    /// No base58check, and no Bech32 either.
    case base58(Base58Check.Failure)
    /// It starts like a segwit address and is none.
    case bech32(Bech32.Failure)
    /// A Bech32 text with a prefix of no Bitcoin network.
    case unknownPrefix(String)
    /// A base58check text with a first byte of no Bitcoin address.
    case unknownVersion(UInt8)
    /// A base58check text with a first byte of addresses, and not the 21 bytes they have.
    case wrongLength(found: Int)
    /// A private key where an address is expected.
    case privateKey
    /// An extended key where an address is expected.
    case extendedKey
    /// Witness versions go up to 16.
    case invalidWitnessVersion(Int)
    /// Version 0 programs have 20 or 32 bytes, later ones 2 to 40.
    case invalidProgramLength(version: Int, found: Int)
    /// Version 0 goes with Bech32, later ones with Bech32m.
    case wrongChecksumVariant(version: Int)
}

extension AddressError: CustomStringConvertible {
    /// A sentence: what, where, and what to do.
    public var description: String {
        switch self {
        case .empty: "no address given"
        case .wrongNetwork(let found, let wanted):
            "this is an address of \(found.map(\.rawValue).joined(separator: " or ")), "
                + "an address of \(wanted) is needed"
        case .base58(let failure): "this is no Bitcoin address: \(failure)"
        case .bech32(let failure): "this is no Bitcoin address: \(failure)"
        case .unknownPrefix(let prefix): "addresses that start with \(prefix)1 are not Bitcoin's"
        case .unknownVersion(let version):
            "addresses of type \(version) are not Bitcoin's"
        case .wrongLength(let found): "an address of \(found) bytes, base58 ones have 21"
        case .privateKey: "this is a private key, not an address; keep it secret"
        case .extendedKey: "this is an extended key, not an address"
        case .invalidWitnessVersion(let version): "witness version \(version), 0 to 16 are possible"
        case .invalidProgramLength(let version, let found):
            "a witness program of \(found) bytes, version \(version) has "
                + (version == 0 ? "20 or 32" : "2 to 40")
        case .wrongChecksumVariant(let version):
            "witness version \(version) needs a \(version == 0 ? "Bech32" : "Bech32m") checksum; "
                + "ask for the address again"
        }
    }
}
