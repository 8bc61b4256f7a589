public import Bitcoin
import Curve
import Hashing
public import SecretMemory
public import Signing
import Wire

/// A BIP32 extended private key.
public struct ExtendedPrivateKey: ~Copyable {
    /// Mainnet, or any of the test networks.
    public let network: KeyNetwork
    /// Steps from the master key.
    public let depth: UInt8
    /// The key this one was derived from; `none` for a master key.
    public let parentFingerprint: Fingerprint
    /// The last step; 0 for a master key.
    public let childNumber: ChildNumber
    /// The secret key.
    public let key: SecretKey
    /// What the prefix of a text implied that the key was read from (SLIP-132); `unspecified` for
    /// every other key.
    public let scriptKind: ExtendedKeyVersion.ScriptKind
    /// Public in an extended public key that was shown, but with it and one child's private key
    /// the parent's private key can be computed.
    let chainCode: SecretBytes

    init(
        network: KeyNetwork, depth: UInt8 = 0, parentFingerprint: Fingerprint = .none,
        childNumber: ChildNumber = ChildNumber(rawValue: 0), key: consuming SecretKey,
        scriptKind: ExtendedKeyVersion.ScriptKind = .unspecified, chainCode: consuming SecretBytes
    ) {
        self.network = network
        self.depth = depth
        self.parentFingerprint = parentFingerprint
        self.childNumber = childNumber
        self.key = key
        self.scriptKind = scriptKind
        self.chainCode = chainCode
    }

    /// The bytes that a seed may have.
    public static let seedLength = 16...64

    /// The master key of a seed, such as BIP39 makes.
    ///
    /// - Throws: `seedLength`, or, with a chance of 2^-127, `invalidKey`.
    public init(
        seed: borrowing SecretBytes, network: KeyNetwork, _ context: borrowing SigningContext
    ) throws(ExtendedKeyError) {
        guard ExtendedPrivateKey.seedLength.contains(seed.count) else {
            throw .seedLength(found: seed.count, allowed: ExtendedPrivateKey.seedLength)
        }
        let halves = seed.withUnsafeBytes { seed in
            SecretBytes.hmacSHA512(label: "Bitcoin seed") { $0.update(seed) }
        }
        self.init(
            network: network, key: try halves.secretKey(context), chainCode: halves.secondHalf())
    }

    /// The child of one step (CKDpriv).
    ///
    /// - Throws: `tooDeep`, or, with a chance of 2^-127, `noSuchChild`.
    public borrowing func derive(
        _ step: ChildNumber, _ context: borrowing SigningContext
    ) throws(ExtendedKeyError) -> ExtendedPrivateKey {
        guard depth < .max else { throw .tooDeep }
        let publicKey = key.publicKey
        let halves = chainCode.withUnsafeBytes { chainCode in
            key.withUnsafeBytes { key in
                SecretBytes.hmacSHA512(key: chainCode) { mac in
                    if step.isHardened {
                        withUnsafeBytes(of: UInt8(0)) { mac.update($0) }
                        mac.update(key)
                    } else {
                        publicKey.withCompressed { mac.update($0) }
                    }
                    withUnsafeBytes(of: step.rawValue.bigEndian) { mac.update($0) }
                }
            }
        }
        let child: SecretKey
        do throws(SigningError) {
            child = try halves.withUnsafeBytes { halves throws(SigningError) in
                try key.adding(tweak: UnsafeRawBufferPointer(rebasing: halves[..<32]), context)
            }
        } catch {
            throw .noSuchChild(step)
        }
        return ExtendedPrivateKey(
            network: network, depth: depth + 1, parentFingerprint: fingerprint, childNumber: step,
            key: child, chainCode: halves.secondHalf())
    }

    /// The descendant at the end of `path`.
    ///
    /// - Throws: as `derive` of one step.
    public borrowing func derive(
        _ path: DerivationPath, _ context: borrowing SigningContext
    ) throws(ExtendedKeyError) -> ExtendedPrivateKey {
        guard let first = path.steps.first else { return duplicate() }
        var key = try derive(first, context)
        for step in path.steps.dropFirst() { key = try key.derive(step, context) }
        return key
    }

    /// The same key once more.
    public borrowing func duplicate() -> ExtendedPrivateKey {
        ExtendedPrivateKey(
            network: network, depth: depth, parentFingerprint: parentFingerprint,
            childNumber: childNumber, key: key.duplicate(), scriptKind: scriptKind,
            chainCode: chainCode.duplicate())
    }

    // DECLASSIFY: names the key; four bytes of a hash of the public key.
    /// The first four bytes of the identifier, which BIP32, PSBT and descriptors name keys by.
    public var fingerprint: Fingerprint {
        Fingerprint(identifier: key.publicKey.withCompressed { hash160($0) })
    }

    // DECLASSIFY: an extended public key is made to be shown to whoever may see all addresses
    // below it. No private key follows from it alone.
    /// The extended public key.
    public var publicKey: ExtendedPublicKey {
        let chainCode = chainCode.withUnsafeBytes { Bytes32(rebasing: $0, at: 0) }
        return ExtendedPublicKey(
            network: network, depth: depth, parentFingerprint: parentFingerprint,
            childNumber: childNumber, chainCode: chainCode, publicKey: key.publicKey)
    }
}
