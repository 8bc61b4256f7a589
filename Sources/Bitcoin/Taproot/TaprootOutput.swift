public import Curve
import Hashing
public import Wire

/// A taproot output as its owner knows it: internal key and scripts (BIP341).
public struct TaprootOutput: Hashable, Sendable {
    /// Signs alone, by the key path.
    public let internalKey: XOnlyPublicKey
    /// The scripts, if there are any.
    public let tree: TapTree?
    /// The key in the scriptPubKey.
    public let outputKey: XOnlyPublicKey
    /// Whether the y coordinate of the output key is odd; control blocks say it.
    public let outputKeyIsOdd: Bool

    /// Tweaks the internal key with the scripts, or with nothing but itself.
    ///
    /// - Throws: `scalarOutOfRange` or `infinity`, with a chance of 1 in 2^128.
    public init(internalKey: XOnlyPublicKey, tree: TapTree? = nil) throws(CurveError) {
        self.internalKey = internalKey
        self.tree = tree
        let tweak = TaprootOutput.tweak(internalKey: internalKey, merkleRoot: tree?.merkleRoot)
        (outputKey, outputKeyIsOdd) = try internalKey.tweaked(by: tweak)
    }

    /// What locks the output.
    public var scriptPubKey: Script { .p2tr(outputKey: outputKey.bytes) }

    /// Proves the leaf at `index` of the tree when it is spent; nil if there is no such leaf.
    public func controlBlock(leaf index: Int) -> ControlBlock? {
        guard let tree, tree.nodes.indices.contains(index) else { return nil }
        return ControlBlock(
            leafVersion: tree.nodes[index].leaf.version, outputKeyIsOdd: outputKeyIsOdd,
            internalKey: internalKey, merklePath: tree.merklePaths[index])
    }

    private static let tag = TaggedHash(tag: "TapTweak")

    /// The number that is added to the internal key: its tagged hash with the merkle root, or with
    /// nothing when there are no scripts.
    public static func tweak(internalKey: XOnlyPublicKey, merkleRoot: Bytes32?) -> Bytes32 {
        var hash = tag.hasher()
        hash.update(internalKey.bytes)
        if let merkleRoot { hash.update(merkleRoot) }
        return hash.finalize()
    }
}
