import Curve
import Hashing
import Wire

extension ExtendedPublicKey {
    /// The length of a serialised extended key.
    public static let byteCount = 78

    /// Reads an xpub or tpub.
    public init(_ text: some StringProtocol) throws(ExtendedKeyError) {
        let (key, kind) = try ExtendedPublicKey.importing(text)
        guard kind == .unspecified else {
            throw .unknownVersion(
                ExtendedKeyVersion(network: key.network, scriptKind: kind, isPrivate: false)
                    .rawValue)
        }
        self = key
    }

    /// Reads an xpub or tpub, or a key under a SLIP-132 prefix (ypub, Zpub and so on), and says
    /// which script the prefix implies. `description` writes all of them as xpub or tpub.
    public static func importing(
        _ text: some StringProtocol
    ) throws(ExtendedKeyError) -> (key: ExtendedPublicKey, kind: ExtendedKeyVersion.ScriptKind) {
        let payload: [UInt8]
        do throws(Base58Check.Failure) {
            payload = try Base58Check.decode(text)
        } catch {
            throw .notBase58Check(error)
        }
        return try parse(payload)
    }

    /// Reads the 78 bytes of an xpub or tpub, as PSBT holds them.
    public init(serialized bytes: [UInt8]) throws(ExtendedKeyError) {
        let (key, kind) = try ExtendedPublicKey.parse(bytes)
        guard kind == .unspecified else {
            throw .unknownVersion(
                ExtendedKeyVersion(network: key.network, scriptKind: kind, isPrivate: false)
                    .rawValue)
        }
        self = key
    }

    private static func parse(
        _ bytes: [UInt8]
    ) throws(ExtendedKeyError) -> (ExtendedPublicKey, ExtendedKeyVersion.ScriptKind) {
        let header = try ExtendedKeyHeader(bytes)
        guard !header.version.isPrivate else { throw .wrongKind }
        let key: PublicKey
        do throws(CurveError) {
            key = try PublicKey(Array(bytes[ExtendedKeyHeader.byteCount...]))
        } catch {
            throw .invalidKey(error)
        }
        guard let chainCode = Bytes32(bytes[ExtendedKeyHeader.chainCodeRange]) else {
            throw .wrongLength(found: bytes.count, allowed: byteCount)
        }
        return (
            ExtendedPublicKey(
                network: header.version.network, depth: header.depth,
                parentFingerprint: header.parentFingerprint, childNumber: header.childNumber,
                chainCode: chainCode, publicKey: key),
            header.version.scriptKind
        )
    }

    /// The 78 bytes under BIP32's version bytes.
    public var serialized: [UInt8] {
        var writer = Writer(capacity: ExtendedPublicKey.byteCount)
        writer.writeBigEndian(ExtendedKeyVersion(network: network, isPrivate: false).rawValue)
        writer.write(depth)
        writer.writeBigEndian(parentFingerprint.rawValue)
        writer.writeBigEndian(childNumber.rawValue)
        writer.write(chainCode)
        writer.write(publicKey.compressed)
        return writer.bytes
    }
}

extension ExtendedPublicKey: CustomStringConvertible {
    /// The xpub or tpub.
    public var description: String { Base58Check.encode(serialized) }
}

/// What stands before the key in the 78 bytes, held to the rules of BIP32.
public struct ExtendedKeyHeader: Sendable {
    /// Network, script and whether the key is private.
    public let version: ExtendedKeyVersion
    /// Steps from the master key.
    public let depth: UInt8
    /// The key this one was derived from.
    public let parentFingerprint: Fingerprint
    /// The last step.
    public let childNumber: ChildNumber

    /// The bytes it takes.
    public static let byteCount = 45
    /// Where the chain code lies, the last part of it.
    public static let chainCodeRange = 13..<45

    /// Reads the first 45 of exactly 78 bytes.
    public init(_ bytes: [UInt8]) throws(ExtendedKeyError) {
        self = try bytes.withUnsafeBytes { bytes in
            Result { () throws(ExtendedKeyError) in try ExtendedKeyHeader(bytes) }
        }.get()
    }

    /// Reads the first 45 of exactly 78 bytes.
    public init(_ bytes: UnsafeRawBufferPointer) throws(ExtendedKeyError) {
        guard bytes.count == ExtendedPublicKey.byteCount else {
            throw .wrongLength(found: bytes.count, allowed: ExtendedPublicKey.byteCount)
        }
        func number(at offset: Int) -> UInt32 {
            UInt32(bigEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self))
        }
        guard let version = ExtendedKeyVersion(rawValue: number(at: 0)) else {
            throw .unknownVersion(number(at: 0))
        }
        self.version = version
        depth = bytes[4]
        parentFingerprint = Fingerprint(rawValue: number(at: 5))
        childNumber = ChildNumber(rawValue: number(at: 9))
        guard depth > 0 || parentFingerprint == .none else {
            throw .masterWithParent(parentFingerprint)
        }
        guard depth > 0 || childNumber.rawValue == 0 else {
            throw .masterWithChildNumber(childNumber)
        }
    }
}
