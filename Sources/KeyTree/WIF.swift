public import Bitcoin
public import Hashing
public import SecretMemory
public import Signing

/// A single private key in the wallet import format.
public struct WIF: ~Copyable {
    /// The key.
    public let key: SecretKey
    /// Mainnet, or any of the test networks.
    public let network: KeyNetwork
    /// Whether the key's scripts use the 33-byte form of its public key.
    public let isCompressed: Bool

    /// Takes the parts.
    public init(key: consuming SecretKey, network: KeyNetwork, isCompressed: Bool = true) {
        self.key = key
        self.network = network
        self.isCompressed = isCompressed
    }

    /// Reads the ASCII text.
    public init(
        text: borrowing SecretBytes, _ context: borrowing SigningContext
    ) throws(WIFError) {
        let payload = try WIF.payload(of: text)
        // Version, key, and 01 where the public key is compressed.
        let (version, suffix) = payload.withUnsafeBytes { bytes in
            (bytes.first ?? 0, bytes.count == 34 ? bytes[33] : 1)
        }
        guard payload.count == 33 || payload.count == 34, suffix == 1 else {
            throw .wrongForm(length: payload.count)
        }
        let networks: [UInt8: KeyNetwork] = [0x80: .main, 0xEF: .test]
        guard let network = networks[version] else { throw .unknownVersion(version) }
        self.init(
            key: try WIF.key(in: payload, context), network: network,
            isCompressed: payload.count == 34)
    }

    private static func payload(
        of text: borrowing SecretBytes
    ) throws(WIFError) -> SecretBytes {
        do throws(Base58Check.Failure) {
            return try SecretBase58Check.decode(text)
        } catch {
            throw .notBase58Check(error)
        }
    }

    private static func key(
        in payload: borrowing SecretBytes, _ context: borrowing SigningContext
    ) throws(WIFError) -> SecretKey {
        do throws(ExtendedKeyError) {
            return try SecretKey.reading(payload, at: 1, context)
        } catch {
            throw .invalidKey
        }
    }

    /// The ASCII text.
    public borrowing func text() -> SecretBytes {
        let version: UInt8 = network == .main ? 0x80 : 0xEF
        let isCompressed = isCompressed
        return key.withUnsafeBytes { key in
            SecretBase58Check.encode(count: isCompressed ? 34 : 33) { out in
                out[0] = version
                UnsafeMutableRawBufferPointer(rebasing: out[1..<33]).copyMemory(from: key)
                if isCompressed { out[33] = 1 }
            }
        }
    }
}

/// What is wrong with a private key in the wallet import format.
public enum WIFError: Error, Hashable, Sendable {
    /// Not base58check.
    case notBase58Check(Base58Check.Failure)
    /// Not 33 bytes, or 34 of which the last is 01.
    case wrongForm(length: Int)
    /// A version byte of no known network.
    case unknownVersion(UInt8)
    /// Zero, or not below the order of the curve.
    case invalidKey
}

extension WIFError: CustomStringConvertible {
    /// One sentence: what is wrong. It holds no part of the key.
    public var description: String {
        switch self {
        case .notBase58Check(let failure): "private key: \(failure)"
        case .wrongForm(let length): "private key has \(length) bytes, 33 or 34 needed"
        case .unknownVersion(let version):
            "private key has unknown version byte 0x" + String(version, radix: 16)
        case .invalidKey: "the private key is zero or not below the order of the curve"
        }
    }
}
