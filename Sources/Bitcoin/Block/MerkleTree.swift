import Hashing
public import Wire

/// The tree of double hashes by which a header commits to its transactions.
public enum MerkleTree {
    /// The root over `leaves`, and whether two hashes that form a pair are the same.
    ///
    /// An odd level repeats its last hash, so a list that repeats its end has the same root as the
    /// shorter one (CVE-2012-2459). Such a list is never valid, and must not make the block's hash
    /// known as that of an invalid block.
    public static func root(of leaves: [Bytes32]) -> (root: Bytes32, isMutated: Bool) {
        var level = leaves
        var isMutated = false
        while level.count > 1 {
            for pair in stride(from: 0, to: level.count - 1, by: 2)
            where level[pair] == level[pair + 1] {
                isMutated = true
            }
            if level.count % 2 == 1 { level.append(level[level.count - 1]) }
            level = stride(from: 0, to: level.count, by: 2).map { hash(level[$0], level[$0 + 1]) }
        }
        return (level.first ?? .zero, isMutated)
    }

    /// The node above two others.
    public static func hash(_ left: Bytes32, _ right: Bytes32) -> Bytes32 {
        var hash = SHA256()
        hash.update(left)
        hash.update(right)
        return hash.finalizeDouble()
    }
}

extension Transaction {
    /// Whether it has 64 bytes without witnesses, as two hashes side by side have. A merkle proof
    /// that ends at such a transaction may end at an inner node of the tree instead: refuse it.
    /// In a whole block the depth is known and nothing is ambiguous once its first transaction is
    /// a coinbase, which `Block.check()` asks for.
    public var canPoseAsMerkleNode: Bool { baseSize == 64 }
}
