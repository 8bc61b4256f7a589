public import Bitcoin

/// `k` of some keys, in their order or sorted (BIP383, BIP387).
public struct Multisig<Key: Hashable & Sendable>: Hashable, Sendable {
    /// Signatures that are needed.
    public let required: Int
    /// The keys as they stand in the descriptor.
    public let keys: [Key]
    /// Whether the script has the derived keys in the order of BIP67.
    public let isSorted: Bool

    /// Takes the parts.
    ///
    /// - Precondition: `required` lies between 1 and the number of keys.
    public init(required: Int, keys: [Key], isSorted: Bool) {
        precondition((1...max(1, keys.count)).contains(required))
        self.required = required
        self.keys = keys
        self.isSorted = isSorted
    }
}

/// What can stand at the top or in `sh(...)` without segwit.
public enum LegacyScript<Key: Hashable & Sendable>: Hashable, Sendable {
    /// `pk(KEY)`
    case pk(Key)
    /// `pkh(KEY)`
    case pkh(Key)
    /// `multi(k,...)` and `sortedmulti(k,...)`
    case multisig(Multisig<Key>)
}

/// What can stand in `wsh(...)` and in a leaf of `tr(...)`: a miniscript (BIP379), as `pk`, `pkh`,
/// `multi` and `multi_a` are too, or `sortedmulti` and `sortedmulti_a`.
public struct WitnessScript<Key: Hashable & Sendable>: Hashable, Sendable {
    /// The script; for a sorted one `multi` or `multi_a` with the keys as they stand in the text.
    public let miniscript: Miniscript<Key>
    /// Whether the script has the derived keys in the order of BIP67.
    public let isSorted: Bool
}

/// The leaves of a taproot script tree from left to right, each with its depth.
public struct ScriptTree<Key: Hashable & Sendable>: Hashable, Sendable {
    /// A script and how many branches lie above it.
    public struct Leaf: Hashable, Sendable {
        /// Branches above it: 0 for the only leaf.
        public let depth: Int
        /// What it needs to be spent.
        public let script: WitnessScript<Key>
    }

    /// From left to right; the depths make a complete tree.
    public let leaves: [Leaf]
}

/// What a descriptor makes of its keys.
public enum OutputForm<Key: Hashable & Sendable>: Hashable, Sendable {
    /// The script itself: `pk`, `pkh`, `multi`, `sortedmulti`.
    case bare(LegacyScript<Key>)
    /// `sh(...)` around one of them.
    case sh(LegacyScript<Key>)
    /// `wpkh(KEY)`
    case wpkh(Key)
    /// `sh(wpkh(KEY))`
    case shWpkh(Key)
    /// `wsh(...)`
    case wsh(WitnessScript<Key>)
    /// `sh(wsh(...))`
    case shWsh(WitnessScript<Key>)
    /// `tr(KEY)` and `tr(KEY,TREE)`
    case tr(Key, ScriptTree<Key>?)
    /// `rawtr(KEY)`: the key is the output key.
    case rawtr(Key)
    /// `combo(KEY)`: several outputs.
    case combo(Key)
    /// `raw(HEX)`
    case raw(Script)
    /// `addr(ADDRESS)`
    case addr(Address)
}

extension OutputForm {
    /// All keys in the order of the text; a `musig(...)` is one key.
    public var keys: [Key] {
        switch self {
        case .bare(let script), .sh(let script): script.keys
        case .wpkh(let key), .shWpkh(let key), .rawtr(let key), .combo(let key): [key]
        case .wsh(let script), .shWsh(let script): script.keys
        case .tr(let key, let tree): [key] + (tree?.leaves.flatMap(\.script.keys) ?? [])
        case .raw, .addr: []
        }
    }

    /// The same form over other keys.
    public func map<NewKey, Failure: Error>(
        _ transform: (Key) throws(Failure) -> NewKey
    ) throws(Failure) -> OutputForm<NewKey> {
        switch self {
        case .bare(let script): return .bare(try script.map(transform))
        case .sh(let script): return .sh(try script.map(transform))
        case .wpkh(let key): return .wpkh(try transform(key))
        case .shWpkh(let key): return .shWpkh(try transform(key))
        case .wsh(let script): return .wsh(try script.map(transform))
        case .shWsh(let script): return .shWsh(try script.map(transform))
        case .tr(let key, let tree): return .tr(try transform(key), try tree?.map(transform))
        case .rawtr(let key): return .rawtr(try transform(key))
        case .combo(let key): return .combo(try transform(key))
        case .raw(let script): return .raw(script)
        case .addr(let address): return .addr(address)
        }
    }
}

extension Multisig {
    func map<NewKey, Failure: Error>(
        _ transform: (Key) throws(Failure) -> NewKey
    ) throws(Failure) -> Multisig<NewKey> {
        var mapped: [NewKey] = []
        mapped.reserveCapacity(keys.count)
        for key in keys { mapped.append(try transform(key)) }
        return Multisig<NewKey>(required: required, keys: mapped, isSorted: isSorted)
    }
}

extension LegacyScript {
    var keys: [Key] {
        switch self {
        case .pk(let key), .pkh(let key): [key]
        case .multisig(let multisig): multisig.keys
        }
    }

    func map<NewKey, Failure: Error>(
        _ transform: (Key) throws(Failure) -> NewKey
    ) throws(Failure) -> LegacyScript<NewKey> {
        switch self {
        case .pk(let key): return .pk(try transform(key))
        case .pkh(let key): return .pkh(try transform(key))
        case .multisig(let multisig): return .multisig(try multisig.map(transform))
        }
    }
}

extension WitnessScript {
    var keys: [Key] { miniscript.keys }

    func map<NewKey, Failure: Error>(
        _ transform: (Key) throws(Failure) -> NewKey
    ) throws(Failure) -> WitnessScript<NewKey> {
        WitnessScript<NewKey>(miniscript: try miniscript.map(transform), isSorted: isSorted)
    }

    /// The same script with its keys, which are all those of one `multi`, in another order.
    ///
    /// - Precondition: there are as many.
    func replacingKeys(with keys: [Key]) -> WitnessScript {
        var rest = keys[...]
        return map { key in rest.popFirst() ?? key }
    }
}

extension ScriptTree {
    func map<NewKey, Failure: Error>(
        _ transform: (Key) throws(Failure) -> NewKey
    ) throws(Failure) -> ScriptTree<NewKey> {
        var mapped: [ScriptTree<NewKey>.Leaf] = []
        mapped.reserveCapacity(leaves.count)
        for leaf in leaves {
            mapped.append(
                ScriptTree<NewKey>.Leaf(
                    depth: leaf.depth, script: try leaf.script.map(transform)))
        }
        return ScriptTree<NewKey>(leaves: mapped)
    }
}
