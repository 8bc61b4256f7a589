/// Where a key comes from: the fingerprint of a master key and the path to it (BIP380, BIP174).
public struct KeyOrigin: Hashable, Sendable {
    /// The master key.
    public let fingerprint: Fingerprint
    /// The steps from there.
    public let path: DerivationPath

    /// Takes both parts.
    public init(fingerprint: Fingerprint, path: DerivationPath) {
        self.fingerprint = fingerprint
        self.path = path
    }
}

extension KeyOrigin: CustomStringConvertible {
    /// As in descriptors, without the brackets: `d34db33f/84h/0h/0h`.
    public var description: String {
        path.steps.isEmpty
            ? fingerprint.description : "\(fingerprint)/\(path.relativeDescription)"
    }
}
