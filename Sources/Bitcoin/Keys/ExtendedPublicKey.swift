public import Curve
public import Hashing
public import Wire

/// A BIP32 extended public key.
public struct ExtendedPublicKey: Hashable, Sendable {
    /// Mainnet, or any of the test networks, which share their version bytes.
    public let network: KeyNetwork
    /// Steps from the master key.
    public let depth: UInt8
    /// The key this one was derived from; `none` for a master key.
    public let parentFingerprint: Fingerprint
    /// The last step; 0 for a master key.
    public let childNumber: ChildNumber
    /// The part that children are mixed from.
    public let chainCode: Bytes32
    /// The key itself.
    public let publicKey: PublicKey

    /// A key without a parent, such as a master key or a BIP328 aggregate.
    public init(network: KeyNetwork, chainCode: Bytes32, publicKey: PublicKey) {
        self.init(
            network: network, depth: 0, parentFingerprint: .none,
            childNumber: ChildNumber(rawValue: 0), chainCode: chainCode, publicKey: publicKey)
    }

    /// A key at any depth, as whoever derived it knows it.
    public init(
        network: KeyNetwork, depth: UInt8, parentFingerprint: Fingerprint, childNumber: ChildNumber,
        chainCode: Bytes32, publicKey: PublicKey
    ) {
        self.network = network
        self.depth = depth
        self.parentFingerprint = parentFingerprint
        self.childNumber = childNumber
        self.chainCode = chainCode
        self.publicKey = publicKey
    }

    /// HASH160 of the compressed key.
    public var identifier: Bytes20 { publicKey.withCompressed { hash160($0) } }

    /// The first four bytes of the identifier.
    public var fingerprint: Fingerprint { Fingerprint(identifier: identifier) }

    /// The child of one unhardened step (CKDpub).
    ///
    /// - Throws: `hardened`, `tooDeep`, or, with a chance of 2^-127, `noSuchChild`.
    public func derive(_ step: ChildNumber) throws(ExtendedKeyError) -> ExtendedPublicKey {
        guard !step.isHardened else { throw .hardened(step) }
        guard depth < .max else { throw .tooDeep }
        var (tweak, chainCode) = (Bytes32.zero, Bytes32.zero)
        let identifier = publicKey.withCompressed { parent in
            (tweak, chainCode) = childHash(of: parent, step)
            return hash160(parent)
        }
        let key: PublicKey
        do throws(CurveError) {
            key = try publicKey.adding(tweak: tweak)
        } catch {
            throw .noSuchChild(step)
        }
        return ExtendedPublicKey(
            network: network, depth: depth + 1,
            parentFingerprint: Fingerprint(identifier: identifier), childNumber: step,
            chainCode: chainCode, publicKey: key)
    }

    /// The descendant at the end of `path`.
    ///
    /// - Throws: as `derive` of one step.
    public func derive(_ path: DerivationPath) throws(ExtendedKeyError) -> ExtendedPublicKey {
        var key = self
        for step in path.steps { key = try key.derive(step) }
        return key
    }

    /// HMAC-SHA512 of the parent key and the step under the chain code, cut into halves.
    private func childHash(
        of parent: UnsafeRawBufferPointer, _ step: ChildNumber
    ) -> (Bytes32, Bytes32) {
        var mac = HMACSHA512()
        chainCode.withUnsafeBytes { mac.setKey($0) }
        mac.update(parent)
        withUnsafeBytes(of: step.rawValue.bigEndian) { mac.update($0) }
        return withUnsafeTemporaryAllocation(byteCount: 64, alignment: 8) { out in
            mac.finalize(into: out)
            let out = UnsafeRawBufferPointer(out)
            return (Bytes32(rebasing: out, at: 0), Bytes32(rebasing: out, at: 32))
        }
    }
}

/// What an extended key's version bytes tell networks apart by.
public enum KeyNetwork: Hashable, Sendable {
    /// Mainnet.
    case main
    /// testnet3, testnet4, signet and regtest.
    case test
}

/// What is wrong with an extended key or a derivation from it.
public enum ExtendedKeyError: Error, Hashable, Sendable {
    /// A public key cannot take a hardened step.
    case hardened(ChildNumber)
    /// The child would be deeper than 255.
    case tooDeep
    /// The step leads to no key; BIP32 says to take the next index.
    case noSuchChild(ChildNumber)
    /// A seed shorter or longer than BIP32 allows.
    case seedLength(found: Int, allowed: ClosedRange<Int>)
    /// Not base58check.
    case notBase58Check(Base58Check.Failure)
    /// Not 78 bytes.
    case wrongLength(found: Int, allowed: Int)
    /// Version bytes that belong to no known form.
    case unknownVersion(UInt32)
    /// An extended private key where a public one is expected, or the other way round.
    case wrongKind
    /// A master key (depth 0) that names a parent.
    case masterWithParent(Fingerprint)
    /// A master key (depth 0) that names a step.
    case masterWithChildNumber(ChildNumber)
    /// The key bytes are no key.
    case invalidKey(CurveError)
}

extension ExtendedKeyError: CustomStringConvertible {
    /// One sentence: what and how much.
    public var description: String {
        switch self {
        case .hardened(let step): "step \(step) is hardened and needs the private key"
        case .tooDeep: "an extended key can be at most 255 steps deep"
        case .noSuchChild(let step): "there is no child key at step \(step)"
        case .seedLength(let found, let allowed):
            "seed of \(found) bytes, \(allowed.lowerBound) to \(allowed.upperBound) needed"
        case .notBase58Check(let failure): "extended key: \(failure)"
        case .wrongLength(let found, let allowed):
            "extended key has \(found) bytes, \(allowed) needed"
        case .unknownVersion(let version):
            "extended key has unknown version bytes 0x" + String(version, radix: 16)
        case .wrongKind: "a private key stands where a public key belongs, or the other way round"
        case .masterWithParent(let parent): "a master key (depth 0) names a parent, \(parent)"
        case .masterWithChildNumber(let number):
            "a master key (depth 0) names a step, \(number)"
        case .invalidKey(let error): "extended key: \(error)"
        }
    }
}
