public import Bitcoin
import Curve
import Hashing
public import SecretMemory
public import Signing
import Wire

extension ExtendedPrivateKey {
    // DECLASSIFY: an error says what is wrong with the form of the text; depth, network, parent and
    // step of a key are public.
    /// Reads the ASCII text of an xprv or tprv, or of a key under a SLIP-132 prefix (yprv, Zprv and
    /// so on), whose meaning `scriptKind` keeps. `text()` writes all of them as xprv or tprv.
    public init(
        text: borrowing SecretBytes, _ context: borrowing SigningContext
    ) throws(ExtendedKeyError) {
        let payload: SecretBytes
        do throws(Base58Check.Failure) {
            payload = try SecretBase58Check.decode(text)
        } catch {
            throw .notBase58Check(error)
        }
        let header = try payload.withUnsafeBytes { bytes throws(ExtendedKeyError) in
            let header = try ExtendedKeyHeader(bytes)
            guard header.version.isPrivate else { throw .wrongKind }
            let prefix = bytes[ExtendedKeyHeader.byteCount]
            guard prefix != 2, prefix != 3 else { throw .wrongKind }
            guard prefix == 0 else { throw .invalidKey(.wrongPrefix(prefix)) }
            return header
        }
        self.init(
            network: header.version.network, depth: header.depth,
            parentFingerprint: header.parentFingerprint, childNumber: header.childNumber,
            key: try SecretKey.reading(payload, at: ExtendedKeyHeader.byteCount + 1, context),
            scriptKind: header.version.scriptKind,
            chainCode: payload.slice(ExtendedKeyHeader.chainCodeRange))
    }

    /// The xprv or tprv as ASCII text.
    public borrowing func text() -> SecretBytes {
        let version = ExtendedKeyVersion(network: network, isPrivate: true).rawValue
        let parent = parentFingerprint.rawValue
        let number = childNumber.rawValue
        let depth = depth
        return key.withUnsafeBytes { key in
            chainCode.withUnsafeBytes { chainCode in
                SecretBase58Check.encode(count: ExtendedPublicKey.byteCount) { out in
                    out.storeBytes(of: version.bigEndian, as: UInt32.self)
                    out[4] = depth
                    out.storeBytes(of: parent.bigEndian, toByteOffset: 5, as: UInt32.self)
                    out.storeBytes(of: number.bigEndian, toByteOffset: 9, as: UInt32.self)
                    UnsafeMutableRawBufferPointer(rebasing: out[13..<45]).copyMemory(
                        from: chainCode)
                    out[45] = 0
                    UnsafeMutableRawBufferPointer(rebasing: out[46...]).copyMemory(from: key)
                }
            }
        }
    }
}
