public import Bitcoin
import Hashing
public import Wire

/// An output script descriptor (BIPs 380 to 390): which outputs belong to a wallet, and how they
/// are spent.
///
/// A value has one spelling: `h` and `'`, the letters of hexadecimal digits and a checksum make
/// no difference between two descriptors.
public struct Descriptor: Hashable, Sendable {
    /// What it makes of its keys.
    public let form: OutputForm<KeyExpression>

    /// Takes what was checked by whoever composed it.
    init(checked form: OutputForm<KeyExpression>) { self.form = form }

    /// All keys in the order of the text; a `musig(...)` is one key.
    public var keys: [KeyExpression] { form.keys }

    /// Whether it stands for one output for each index (BIP380's `*`).
    public var isRanged: Bool { keys.contains(where: \.isRanged) }

    /// How many descriptors it stands for (BIP389): 2 for `<0;1>`, 1 without such a step.
    public var branchCount: Int { keys.lazy.compactMap { $0.branches?.count }.first ?? 1 }

    /// The descriptor of one branch, such as 0 for receiving and 1 for change.
    ///
    /// - Precondition: there is that branch.
    public func branch(_ index: Int) -> Descriptor {
        precondition((0..<branchCount).contains(index))
        return Descriptor(checked: form.map { $0.branch(index) })
    }

    /// The descriptors of all branches (BIP389); itself alone where there is one.
    public var branches: [Descriptor] {
        branchCount == 1 ? [self] : (0..<branchCount).map(branch)
    }

    /// The descriptors of the outputs that `combo(...)` stands for (BIP384); itself alone for every
    /// other.
    public var outputs: [Descriptor] {
        guard case .combo(let key) = form else { return [self] }
        var forms: [OutputForm<KeyExpression>] = [.bare(.pk(key)), .bare(.pkh(key))]
        if case .single(_, .uncompressed) = key.base {
        } else {
            forms += [.wpkh(key), .shWpkh(key)]
        }
        return forms.map(Descriptor.init(checked:))
    }

    /// Which version bytes its extended keys have; nil when it has none, or of both kinds.
    public var network: KeyNetwork? {
        let networks = Set(
            keys.flatMap(\.leafKeys).compactMap { key -> KeyNetwork? in
                if case .extended(let extended) = key.base { extended.network } else { nil }
            })
        return networks.count == 1 ? networks.first : nil
    }
}

extension Descriptor {
    /// The same wallet with the keys of `sortedmulti` and `musig` in one order: for these the
    /// order in the text makes no difference to any output. `multi` keeps its own.
    public var canonical: Descriptor {
        Descriptor(
            checked: form.sortingMultisigs.map { key in
                guard case .musig(let keys) = key.base else { return key }
                return KeyExpression(
                    origin: key.origin,
                    base: .musig(keys.sortedByText),
                    steps: key.steps, wildcard: key.wildcard)
            })
    }

    /// Names the wallet: equal for descriptors that differ only in spelling or in an order that
    /// makes no difference.
    public var identifier: Bytes32 {
        TaggedHash(tag: "bulkhead/descriptor").hash(Array(canonical.body.utf8))
    }
}

extension OutputForm<KeyExpression> {
    fileprivate var sortingMultisigs: Self {
        switch self {
        case .bare(.multisig(let multisig)): .bare(.multisig(multisig.sortingIfSorted))
        case .sh(.multisig(let multisig)): .sh(.multisig(multisig.sortingIfSorted))
        case .wsh(let script): .wsh(script.sortingMultisig)
        case .shWsh(let script): .shWsh(script.sortingMultisig)
        case .tr(let key, let tree?):
            .tr(
                key,
                ScriptTree(
                    leaves: tree.leaves.map {
                        .init(depth: $0.depth, script: $0.script.sortingMultisig)
                    }))
        default: self
        }
    }
}

extension WitnessScript<KeyExpression> {
    fileprivate var sortingMultisig: Self {
        isSorted ? replacingKeys(with: keys.sortedByText) : self
    }
}

extension Multisig<KeyExpression> {
    fileprivate var sortingIfSorted: Self {
        guard isSorted else { return self }
        return Multisig(
            required: required, keys: keys.sortedByText,
            isSorted: true)
    }
}

extension Array where Element == KeyExpression {
    /// In the order of their texts, each of which is made once.
    fileprivate var sortedByText: [KeyExpression] {
        map { (text: $0.description, key: $0) }.sorted { $0.text < $1.text }.map(\.key)
    }
}
