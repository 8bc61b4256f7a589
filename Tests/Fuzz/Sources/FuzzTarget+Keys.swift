import Bitcoin
import Curve
import Hashing
import KeyTree
import SecretMemory
import Signing
import Wire

extension FuzzTarget {
    /// The parsers of keys, signatures, paths and payment requests.
    func checkKeys(_ bytes: [UInt8]) {
        let text = String(decoding: bytes, as: UTF8.self)
        switch self {
        case .base58Check:
            if let payload = try? Base58Check.decode(text) {
                expect(Base58Check.encode(payload) == text)
            }
        case .base64:
            if let decoded = try? Base64.decode(utf8: bytes) {
                expect(Base64.encode(decoded).utf8.elementsEqual(bytes))
            }
        case .extendedKey:
            if let key = try? ExtendedPublicKey(serialized: bytes) {
                expect(key.serialized == bytes)
            }
        case .derivationPath: checkPath(text)
        case .paymentURI:
            if let uri = try? PaymentURI(text) {
                expect((try? PaymentURI(uri.description)) == uri)
            }
        case .derSignature:
            if let signature = try? ECDSASignature(der: bytes) { expect(signature.der == bytes) }
        case .mnemonic: checkMnemonic(bytes)
        default: expect(false)
        }
    }

    private func checkPath(_ text: String) {
        guard let path = try? DerivationPath(text) else { return }
        expect((try? DerivationPath(path.description)) == path)
        expect(path.steps.count <= DerivationPath.maximumDepth)
    }

    /// The phrase in the first line, a passphrase in the rest.
    private func checkMnemonic(_ bytes: [UInt8]) {
        let parts = bytes.split(separator: 0x0A, maxSplits: 1, omittingEmptySubsequences: false)
        let phrase = SecretBytes(count: parts[0].count) { $0.copyBytes(from: parts[0]) }
        guard let mnemonic = try? Mnemonic(text: phrase) else { return }
        let entropy = mnemonic.entropy()
        guard let again = try? Mnemonic(entropy: entropy) else { return expect(false) }
        let isSame = again.entropy().isEqual(to: entropy)
        expect(isSame)
        let rest = parts[parts.count - 1]
        let passphrase = SecretBytes(count: rest.count) { $0.copyBytes(from: rest) }
        if let seed = try? mnemonic.seed(passphrase: passphrase) { expect(seed.count == 64) }
    }
}
