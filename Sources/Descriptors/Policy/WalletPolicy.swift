import Bitcoin

/// A wallet as BIP388 registers it on a signer: a short template such as
/// `wsh(sortedmulti(2,@0/**,@1/**))`, and the keys that its placeholders stand for.
///
/// Every key is an extended public key and is followed by exactly two branches and a wildcard, so
/// the wallet has receiving and change outputs and no key signs for two purposes.
public struct WalletPolicy: Hashable, Sendable {
    /// The wallet as a descriptor.
    public let descriptor: Descriptor
    /// What `@0`, `@1` and so on stand for, in the order of their first use: an extended public key
    /// with or without origin, and nothing below it.
    public let keys: [KeyExpression]
    private let form: OutputForm<Placeholder>

    /// The template in its canonical spelling.
    public var template: String { form.text }

    /// The policy of a descriptor.
    ///
    /// - Throws: what of BIP388's rules the descriptor breaks.
    public init(_ descriptor: Descriptor) throws(WalletPolicyError) {
        switch descriptor.form {
        case .bare(.pkh), .sh(.multisig), .wpkh, .shWpkh, .wsh, .shWsh, .tr: break
        case .bare, .sh, .rawtr, .combo, .raw, .addr: throw .unsupportedForm
        }
        var keys: [KeyExpression] = []
        form = try descriptor.form.map { key throws(WalletPolicyError) in
            let indices = try key.leafKeys.map(throwing: WalletPolicyError.self) {
                leaf throws(WalletPolicyError) in
                try WalletPolicy.index(of: leaf, alone: key.participants.isEmpty, in: &keys)
            }
            return try Placeholder(key, indices: indices)
        }
        self.descriptor = descriptor
        self.keys = keys
        try checkKeys()
        try checkDisjoint()
    }

    /// The policy of a template and the keys in the order of their numbers, each
    /// `[fingerprint/path]xpub` or a bare extended public key.
    ///
    /// - Throws: what is wrong; positions count characters of the template from 0.
    public init(template: String, keys texts: [String]) throws(WalletPolicyError) {
        var keys: [KeyExpression] = []
        for (index, text) in texts.enumerated() {
            do throws(DescriptorError) {
                keys.append(try KeyExpression(text))
            } catch {
                throw .keyInformation(index: index, error)
            }
            guard keys[index].isKeyInformation else {
                throw .keyInformation(index: index, DescriptorError(.invalidKey, at: 0))
            }
        }
        let descriptor: Descriptor
        var reader = TemplateReader(keys: keys)
        do throws(DescriptorError) {
            descriptor = try Descriptor(reader.substitute(Expression(template)))
        } catch {
            throw .template(error)
        }
        guard reader.used == keys.count else {
            throw .unusedKeys(found: keys.count, used: reader.used)
        }
        guard descriptor.keys.flatMap(\.leafKeys).count == reader.placeholders else {
            throw .literalKey
        }
        try self.init(descriptor)
    }

    /// The number of a key, which is a new one at its first use.
    private static func index(
        of key: KeyExpression, alone: Bool, in keys: inout [KeyExpression]
    ) throws(WalletPolicyError) -> Int {
        guard case .extended = key.base, alone || key.steps.isEmpty && key.wildcard == .none else {
            throw .notExtendedKeys
        }
        let information = KeyExpression(origin: key.origin, base: key.base)
        if let index = keys.firstIndex(of: information) { return index }
        keys.append(information)
        return keys.count - 1
    }

    private func checkKeys() throws(WalletPolicyError) {
        var seen: Set<KeyExpression.Base> = []
        for (index, key) in keys.enumerated() where !seen.insert(key.base).inserted {
            throw .repeatedKey(index: index)
        }
        guard descriptor.network != nil else { throw .mixedNetworks }
    }

    /// No two placeholders may lead to the same key: for one key, or one set of keys in `musig`,
    /// each number in `<...>` is used once.
    private func checkDisjoint() throws(WalletPolicyError) {
        var seen: Set<[UInt32]> = []
        for placeholder in form.keys {
            let group =
                [placeholder.isAggregate ? 1 : 0] + placeholder.indices.sorted().map(UInt32.init)
            for number in placeholder.branches
            where !seen.insert(group + [number.rawValue]).inserted {
                throw .notDisjoint(indices: placeholder.indices)
            }
        }
    }
}

/// `@0/**`, `@0/<2;3>/*` or `musig(@0,@1)/**`.
struct Placeholder: Hashable, Sendable, CustomStringConvertible {
    /// One number, or those in `musig`.
    let indices: [Int]
    /// Whether they stand in `musig`, which may hold one key only.
    let isAggregate: Bool
    /// The two numbers in `<...>`.
    let branches: [ChildNumber]

    init(_ key: KeyExpression, indices: [Int]) throws(WalletPolicyError) {
        guard key.steps.count == 1, case .branches(let branches) = key.steps[0],
            branches.count == 2, key.wildcard == .unhardened
        else { throw .notTwoBranches }
        self.indices = indices
        isAggregate = !key.participants.isEmpty
        self.branches = branches
    }

    var description: String {
        let names = indices.map { "@\($0)" }
        let list = names.joined(separator: ",")
        let key = isAggregate ? "musig(\(list))" : list
        let numbers = branches.map(\.description)
        return key
            + (numbers == ["0", "1"] ? "/**" : "/<" + numbers.joined(separator: ";") + ">/*")
    }
}

extension KeyExpression {
    /// Whether it can stand in a list of keys: an extended key and nothing below it.
    var isKeyInformation: Bool {
        if case .extended = base { steps.isEmpty && wildcard == .none } else { false }
    }
}

extension Array {
    /// `map` for closures that throw one type.
    func map<New, Failure: Error>(
        throwing: Failure.Type, _ transform: (Element) throws(Failure) -> New
    ) throws(Failure) -> [New] {
        var mapped: [New] = []
        mapped.reserveCapacity(count)
        for element in self { mapped.append(try transform(element)) }
        return mapped
    }
}
