public import Bitcoin
public import Curve
import Hashing
import Wire

/// Keys and scripts that are known to belong to someone, from which the descriptor of an output can
/// be inferred.
public struct KnownScripts: Sendable {
    private var keys: [Bytes20: KeyExpression] = [:]
    private var origins: [Bytes32: KeyOrigin] = [:]
    private var redeemScripts: [Bytes20: Script] = [:]
    private var witnessScripts: [Bytes32: Script] = [:]
    private var outputs: [Bytes32: TaprootOutput] = [:]

    /// Nothing is known.
    public init() {}

    /// Adds a public key, with its origin if that is known.
    public mutating func insert(
        _ key: PublicKey, form: KeyExpression.Form = .compressed, origin: KeyOrigin? = nil
    ) {
        let expression = KeyExpression(origin: origin, base: .single(key, form: form))
        let bytes = form == .compressed ? key.compressed : key.uncompressed
        keys[hash160(bytes)] = expression
        if let origin { origins[key.xOnly.bytes] = origin }
    }

    /// Adds a redeemScript or witnessScript.
    public mutating func insert(_ script: Script) {
        redeemScripts[hash160(script.bytes)] = script
        witnessScripts[SHA256.hash(script.bytes)] = script
    }

    /// Adds the inside of a taproot output.
    public mutating func insert(_ output: TaprootOutput) {
        outputs[output.outputKey.bytes] = output
    }

    /// The most telling descriptor of a scriptPubKey: one that says how to spend it where that is
    /// known, else `addr(...)` where it has an address, else `raw(...)`.
    ///
    /// Keys in a script are taken in their order: `sortedmulti` cannot be told from `multi`.
    public func descriptor(of scriptPubKey: Script, network: Network) -> Descriptor {
        let inferred = output(scriptPubKey).map(Descriptor.init(checked:))
        // Nothing is inferred that could not be written down and read again.
        if let inferred, (try? Descriptor(inferred.body)) == inferred { return inferred }
        let address = Address(scriptPubKey: scriptPubKey, network: network)
        return Descriptor(checked: address.map { .addr($0) } ?? .raw(scriptPubKey))
    }

    private func output(_ script: Script) -> OutputForm<KeyExpression>? {
        switch script.template {
        case .p2sh(let hash): redeemScripts[hash].flatMap(wrapped)
        case .p2wpkh(let hash): keys[hash].map { .wpkh($0) }
        case .p2wsh(let hash): witnessScript(hash).map { .wsh($0) }
        case .p2tr(let key): taproot(key)
        default: legacyScript(script).map { .bare($0) }
        }
    }

    /// What stands in `sh(...)`.
    private func wrapped(_ script: Script) -> OutputForm<KeyExpression>? {
        switch script.template {
        case .p2wpkh(let hash): keys[hash].map { .shWpkh($0) }
        case .p2wsh(let hash): witnessScript(hash).map { .shWsh($0) }
        default: legacyScript(script).map { .sh($0) }
        }
    }

    private func legacyScript(_ script: Script) -> LegacyScript<KeyExpression>? {
        switch script.template {
        case .p2pk(let bytes): return key(bytes).map { .pk($0) }
        case .p2pkh(let hash): return keys[hash].map { .pkh($0) }
        case .multisig(let required, let bytes):
            let keys = bytes.compactMap(key)
            guard keys.count == bytes.count else { return nil }
            return .multisig(Multisig(required: required, keys: keys, isSorted: false))
        default: return nil
        }
    }

    /// The key that these bytes are, known or not.
    private func key(_ bytes: [UInt8]) -> KeyExpression? {
        if let known = keys[hash160(bytes)] { return known }
        guard let key = try? PublicKey(bytes) else { return nil }
        return KeyExpression(
            base: .single(key, form: bytes.count == 33 ? .compressed : .uncompressed))
    }

    private func xOnlyKey(_ key: XOnlyPublicKey) -> KeyExpression {
        KeyExpression(origin: origins[key.bytes], base: .xOnly(key))
    }

    private func witnessScript(_ hash: Bytes32) -> WitnessScript<KeyExpression>? {
        witnessScripts[hash].flatMap { miniscript($0, in: .wsh) }
    }

    private func miniscript(
        _ script: Script, in context: ScriptContext
    ) -> WitnessScript<KeyExpression>? {
        let miniscript = try? Miniscript(script, in: context).map { encoded throws(Unknown) in
            guard let key = key(encoded, in: context) else { throw Unknown() }
            return key
        }
        return miniscript.map { WitnessScript(miniscript: $0, isSorted: false) }
    }

    private func key(_ encoded: EncodedKey, in context: ScriptContext) -> KeyExpression? {
        switch (encoded, context) {
        case (.key(let bytes), .wsh): key(bytes)
        case (.key(let bytes), .tapscript):
            Bytes32(bytes).flatMap { try? XOnlyPublicKey($0) }.map(xOnlyKey)
        case (.hash(let hash), .wsh): Bytes20(hash).flatMap { keys[$0] }
        case (.hash(let hash), .tapscript):
            // The hash is of the 32 bytes, which no other output commits to.
            keys.values.lazy.compactMap { known -> XOnlyPublicKey? in
                guard case .single(let key, _) = known.base else { return nil }
                return hash160(key.xOnly.bytes.array).array == hash ? key.xOnly : nil
            }.first.map(xOnlyKey)
        }
    }

    private func taproot(_ outputKey: Bytes32) -> OutputForm<KeyExpression>? {
        guard let output = outputs[outputKey] else {
            return (try? XOnlyPublicKey(outputKey)).map { .rawtr(xOnlyKey($0)) }
        }
        guard let tree = output.tree else { return .tr(xOnlyKey(output.internalKey), nil) }
        let leaves = tree.nodes.compactMap { node -> ScriptTree<KeyExpression>.Leaf? in
            guard node.leaf.version == .tapscript,
                let script = miniscript(node.leaf.script, in: .tapscript)
            else { return nil }
            return .init(depth: node.depth, script: script)
        }
        guard leaves.count == tree.nodes.count else { return nil }
        return .tr(xOnlyKey(output.internalKey), ScriptTree(leaves: leaves))
    }

    private struct Unknown: Error {}
}
