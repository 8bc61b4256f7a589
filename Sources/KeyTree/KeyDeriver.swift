public import Bitcoin
public import Signing

/// The keys below one master key: each parent is derived once, however many of its children are
/// asked for, so that a transaction of many inputs costs one step an input.
public final class KeyDeriver {
    private let master: Node
    /// The parents met so far, by their steps from the master key.
    private(set) var parents: [[ChildNumber]: Node] = [:]

    /// How many parents are kept: beyond, all are forgotten and derived anew.
    static let maximumParents = 256

    /// A key that several can refer to; wiped with the last reference.
    final class Node {
        let key: ExtendedPrivateKey

        init(_ key: consuming ExtendedPrivateKey) { self.key = key }
    }

    /// Takes the master key.
    public init(master: consuming ExtendedPrivateKey) { self.master = Node(master) }

    /// The key at the end of `path`.
    ///
    /// - Throws: as `ExtendedPrivateKey.derive`.
    public func key(
        at path: DerivationPath, _ context: borrowing SigningContext
    ) throws(ExtendedKeyError) -> ExtendedPrivateKey {
        guard let last = path.steps.last else { return master.key.duplicate() }
        let steps = Array(path.steps.dropLast())
        var known = steps.count
        while known > 0, parents[Array(steps[..<known])] == nil { known -= 1 }
        var node = parents[Array(steps[..<known])] ?? master
        while known < steps.count {
            node = Node(try node.key.derive(steps[known], context))
            known += 1
            if parents.count >= KeyDeriver.maximumParents { parents.removeAll() }
            parents[Array(steps[..<known])] = node
        }
        return try node.key.derive(last, context)
    }
}
