/// A miniscript (BIP379): a script that can be read, analysed and satisfied by machine.
///
/// Its nodes lie in one array, arguments before what takes them, so that every question is one loop
/// and no depth can exhaust a thread's stack. A value is well typed and within the script size of its
/// context; whether money should be sent to it is another question (`checkSanity`).
public struct Miniscript<Key: Hashable & Sendable>: Sendable {
    /// Where it stands.
    public let context: ScriptContext
    /// All nodes in postfix order; the last is the root.
    public let nodes: [Node]

    /// A fragment with what is known of the expression that it is the root of.
    public struct Node: Sendable {
        /// What it is.
        public let fragment: Fragment<Key>
        /// The type of the expression.
        public let type: MiniscriptType
        /// The index of the expression's first node.
        public let start: Int
        /// Bytes of the expression's script.
        public let scriptSize: Int
        /// Where it was read: a character of a text or a byte of a script, from 0.
        public let position: Int
    }

    /// Nodes that a miniscript may have; far more than any script that can be spent.
    public static var maximumNodes: Int { 10_000 }

    init(context: ScriptContext, nodes: [Node]) {
        precondition(!nodes.isEmpty)
        self.context = context
        self.nodes = nodes
    }

    /// The node that everything else is an argument of.
    public var root: Node { nodes[nodes.count - 1] }

    /// Its type.
    public var type: MiniscriptType { root.type }

    /// Bytes of its script.
    public var scriptSize: Int { root.scriptSize }

    /// Its keys in the order they are written, repeated ones too.
    public var keys: [Key] { nodes.flatMap(\.fragment.keys) }

    /// The indices of the roots of a node's arguments, in order.
    func arguments(of index: Int) -> [Int] {
        var roots: [Int] = []
        var last = index - 1
        for _ in 0..<nodes[index].fragment.arity {
            roots.append(last)
            last = nodes[last].start - 1
        }
        return roots.reversed()
    }

    /// What `combine` makes of the root, given for each node what it made of the arguments.
    func fold<Result>(_ combine: (Node, ArraySlice<Result>) -> Result) -> Result {
        var results: [Result] = []
        for node in nodes {
            let arguments = results.suffix(node.fragment.arity)
            let result = combine(node, arguments)
            results.removeLast(arguments.count)
            results.append(result)
        }
        return results[0]
    }

    /// The same miniscript over other keys, such as those that a descriptor derives.
    ///
    /// A type never depends on keys, so this cannot fail but by `transform`.
    public func map<NewKey, Failure: Error>(
        _ transform: (Key) throws(Failure) -> NewKey
    ) throws(Failure) -> Miniscript<NewKey> {
        var mapped: [Miniscript<NewKey>.Node] = []
        mapped.reserveCapacity(nodes.count)
        for node in nodes {
            mapped.append(
                Miniscript<NewKey>.Node(
                    fragment: try node.fragment.map(transform), type: node.type,
                    start: node.start, scriptSize: node.scriptSize, position: node.position))
        }
        return Miniscript<NewKey>(context: context, nodes: mapped)
    }
}

extension Miniscript: Hashable {
    /// Compares context and fragments, not where they were read.
    public static func == (left: Miniscript, right: Miniscript) -> Bool {
        left.context == right.context && left.nodes.count == right.nodes.count
            && zip(left.nodes, right.nodes).allSatisfy { $0.fragment == $1.fragment }
    }

    /// Feeds the fragments.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(context)
        for node in nodes { hasher.combine(node.fragment) }
    }
}
