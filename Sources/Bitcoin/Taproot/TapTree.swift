public import Wire

/// A tree of scripts, given as its leaves from left to right, each with its depth: the shape of
/// BIP371. The root has depth 0.
public struct TapTree: Hashable, Sendable {
    /// A leaf in its place.
    public struct Node: Hashable, Sendable {
        /// Branches between the root and the leaf, at most 128.
        public let depth: Int
        /// The leaf.
        public let leaf: TapLeaf

        /// A leaf at a depth.
        public init(depth: Int, leaf: TapLeaf) {
            self.depth = depth
            self.leaf = leaf
        }
    }

    /// The leaves from left to right.
    public let nodes: [Node]
    /// Commits to all scripts.
    public let merkleRoot: Bytes32
    /// For each leaf the hashes beside its way to the root, lowest first.
    public let merklePaths: [[Bytes32]]

    /// Consensus allows no deeper leaf.
    public static let maximumDepth = 128

    /// Why leaves form no tree.
    public enum Failure: Error, Hashable, Sendable {
        /// There is no leaf.
        case empty
        /// A leaf lies deeper than 128 or above the root.
        case invalidDepth(leaf: Int, found: Int)
        /// A leaf stands where an earlier one has closed the tree, or lies too near to the root to
        /// complete a branch to its left.
        case misplacedLeaf(Int)
        /// The last leaf leaves a branch with only one side.
        case incomplete
    }

    /// A tree of one script.
    public init(_ leaf: TapLeaf) {
        nodes = [Node(depth: 0, leaf: leaf)]
        merkleRoot = leaf.hash
        merklePaths = [[]]
    }

    /// A tree from its leaves, left to right.
    public init(_ nodes: [Node]) throws(Failure) {
        // Finished left subtrees, each deeper than the one before it.
        var open: [(depth: Int, hash: Bytes32, leaves: Range<Int>)] = []
        var paths = [[Bytes32]](repeating: [], count: nodes.count)
        for (index, node) in nodes.enumerated() {
            guard (0...TapTree.maximumDepth).contains(node.depth) else {
                throw .invalidDepth(leaf: index, found: node.depth)
            }
            guard open.last.map({ $0.depth <= node.depth && $0.depth > 0 }) ?? true else {
                throw .misplacedLeaf(index)
            }
            var subtree = (node.depth, node.leaf.hash, index..<index + 1)
            while let left = open.last, left.depth == subtree.0, subtree.0 > 0 {
                open.removeLast()
                for leaf in left.leaves { paths[leaf].append(subtree.1) }
                for leaf in subtree.2 { paths[leaf].append(left.hash) }
                subtree = (
                    left.depth - 1, TapBranch.hash(left.hash, subtree.1),
                    left.leaves.lowerBound..<subtree.2.upperBound
                )
            }
            open.append((subtree.0, subtree.1, subtree.2))
        }
        guard let root = open.first else { throw .empty }
        guard open.count == 1, root.depth == 0 else { throw .incomplete }
        self.nodes = nodes
        merkleRoot = root.hash
        merklePaths = paths
    }
}

extension TapTree.Failure: CustomStringConvertible {
    /// One sentence: what and where. Leaves count from 0.
    public var description: String {
        switch self {
        case .empty: "a script tree needs at least one leaf"
        case .invalidDepth(let leaf, let found):
            "leaf \(leaf) of the script tree has depth \(found), 0 to 128 are possible"
        case .misplacedLeaf(let leaf): "leaf \(leaf) of the script tree has no place at its depth"
        case .incomplete: "the script tree ends with a branch that has only one side"
        }
    }
}
