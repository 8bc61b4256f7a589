public import Curve
import Hashing
import Wire

extension ExtendedPublicKey {
    /// The extended key that stands for a MuSig2 aggregate, so that children can be derived from
    /// it (BIP328).
    public init(aggregate: PublicKey, network: KeyNetwork = .main) {
        self.init(network: network, chainCode: Self.aggregateChainCode, publicKey: aggregate)
    }

    /// The hash of a name, so that nobody chose it.
    private static let aggregateChainCode = SHA256.hash(Array("MuSig2MuSig2MuSig2".utf8))
}
