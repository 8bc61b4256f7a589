public import Curve
import Hashing
public import Wire

/// Messages signed by one key, as Bitcoin Core does for P2PKH and BIP137 for segwit addresses.
public enum LegacySignedMessage {
    /// What the signature is over: the double SHA-256 of the text behind Bitcoin's magic words, each
    /// with its length in front. Texts are usually UTF-8 in NFC.
    public static func hash(_ message: [UInt8]) -> Bytes32 {
        var writer = Writer(capacity: message.count + 40)
        writer.writeVarBytes(Array("Bitcoin Signed Message:\n".utf8))
        writer.writeVarBytes(message)
        return SHA256.doubleHash(writer.bytes)
    }

    /// What a header byte says of the address.
    public enum Kind: UInt8, Hashable, Sendable, CaseIterable {
        /// 27 to 30.
        case p2pkhUncompressed = 27
        /// 31 to 34; Electrum uses them for segwit addresses as well.
        case p2pkh = 31
        /// 35 to 38.
        case p2shP2WPKH = 35
        /// 39 to 42.
        case p2wpkh = 39
    }

    /// 65 bytes in base 64: header, r, s.
    public static func encode(_ signature: RecoverableSignature, kind: Kind) -> String {
        Base64.encode([kind.rawValue + signature.recoveryNumber] + signature.signature.compact)
    }

    /// Reads 65 bytes in base 64.
    public static func decode(
        _ text: String
    ) throws(MessageVerdict.Fault) -> (signature: RecoverableSignature, kind: Kind) {
        guard let bytes = try? Base64.decode(text) else { throw .notBase64 }
        guard bytes.count == 65 else { throw .malformed }
        let number = (bytes[0] &- 27) & 3
        guard let kind = Kind(rawValue: bytes[0] &- number) else {
            throw .unknownHeader
        }
        guard let compact = try? ECDSASignature(compact: Array(bytes[1...])),
            let signature = try? RecoverableSignature(signature: compact, recoveryNumber: number)
        else { throw .noPublicKey }
        return (signature, kind)
    }

    /// Checks a signature in base 64 against a single-key address of any kind.
    public static func verify(
        _ signature: String, message: [UInt8], address: Address
    ) -> MessageVerdict {
        do throws(MessageVerdict.Fault) {
            try check(signature, message: message, address: address)
            return .valid
        } catch {
            return .invalid(error)
        }
    }

    private static func check(
        _ signature: String, message: [UInt8], address: Address
    ) throws(MessageVerdict.Fault) {
        let decoded = try decode(signature)
        guard let key = decoded.signature.recover(digest: hash(message)) else {
            throw .noPublicKey
        }
        let compressed = hash160(key.compressed)
        let scripts: [Script]
        switch decoded.kind {
        case .p2pkhUncompressed: scripts = [.p2pkh(hash160(key.uncompressed))]
        case .p2pkh: scripts = [.p2pkh(compressed), nested(compressed), .p2wpkh(compressed)]
        case .p2shP2WPKH: scripts = [nested(compressed)]
        case .p2wpkh: scripts = [.p2wpkh(compressed)]
        }
        guard !scripts.contains(address.scriptPubKey) else { return }
        // The four kinds have scripts of different lengths.
        let sizes = scripts.map(\.bytes.count)
        throw sizes.contains(address.scriptPubKey.bytes.count) ? .wrongSignature : .wrongAddressKind
    }

    private static func nested(_ hash: Bytes20) -> Script {
        .p2sh(hash160(Script.p2wpkh(hash).bytes))
    }
}
