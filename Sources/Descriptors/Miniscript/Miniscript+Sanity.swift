/// Why money should not be sent to a well-typed miniscript, and where.
public struct InsaneMiniscript: Error, Hashable, Sendable {
    /// What is wrong.
    public let reason: Reason
    /// Where the innermost expression that is wrong was read, from 0.
    public let position: Int

    /// What can be wrong.
    public enum Reason: Hashable, Sendable {
        /// Nothing can satisfy it.
        case unsatisfiable
        /// Someone without keys could change a witness, or one that cannot be changed may not exist.
        case malleable
        /// Some way to spend needs no signature.
        case noSignature
        /// Some way to spend needs a lock by height and one by time, which no transaction has.
        case mixedTimelocks
        /// A key occurs twice, so signatures could be used where they were not meant.
        case duplicateKey
        /// `older(n)` with bits that consensus ignores, or with a lock of zero.
        case meaninglessOlder(UInt32)
        /// More opcodes may run than consensus allows.
        case opcodes(found: Int, allowed: Int)
        /// A witness may have more items than nodes relay.
        case witnessItems(found: Int, allowed: Int)
        /// The stack may hold more items than consensus allows.
        case stackItems(found: Int, allowed: Int)
    }
}

extension InsaneMiniscript: CustomStringConvertible {
    /// One sentence: what and where.
    public var description: String { "at \(position + 1): \(reason.description)" }
}

extension InsaneMiniscript.Reason: CustomStringConvertible {
    /// What is wrong, without the place.
    public var description: String {
        switch self {
        case .unsatisfiable: "nothing can ever spend this"
        case .malleable: "a witness of this could be changed by others"
        case .noSignature: "this can be spent without a signature"
        case .mixedTimelocks: "this needs a block height and a time at once, which cannot be"
        case .duplicateKey: "a key stands here for the second time; use another derivation of it"
        case .meaninglessOlder(let value):
            "older(\(value)) does not mean what it says: blocks are 1 to 65535, "
                + "units of 512 seconds 4194305 to 4259839"
        case .opcodes(let found, let allowed):
            "spending may take \(found) opcodes, \(allowed) are allowed"
        case .witnessItems(let found, let allowed):
            "spending may take \(found) witness items, nodes relay \(allowed)"
        case .stackItems(let found, let allowed):
            "spending may put \(found) items on the stack, \(allowed) are allowed"
        }
    }
}

extension Miniscript {
    /// Whether every satisfaction can be made so that nobody else can change it.
    public var isNonMalleable: Bool { type.contains(.m) }

    /// Whether every way to spend needs a signature.
    public var needsSignature: Bool { type.contains(.s) }

    /// Whether some way to spend needs a lock by height and one by time at once.
    public var mixesTimelocks: Bool { !type.contains(.k) }

    /// Whether `checkSanity` passes.
    public var isSane: Bool { (try? checkSanity()) != nil }

    /// Fails unless money can be sent here and got back by those and only those that the text names.
    ///
    /// Keys are compared as values. Where different values may be the same key (two origins of one
    /// extended key, two parities of an x-only key), check the derived keys too.
    public func checkSanity() throws(InsaneMiniscript) {
        try checkDuplicateKeys()
        try checkMeaning()
        try checkResources()
        guard needsSignature else { throw InsaneMiniscript(.noSignature, at: root.position) }
    }

    /// Types and locks, innermost expression first.
    private func checkMeaning() throws(InsaneMiniscript) {
        for node in nodes {
            if case .older(let value) = node.fragment, !Self.meansWhatItSays(older: value) {
                throw InsaneMiniscript(.meaninglessOlder(value), at: node.position)
            }
            guard node.type.contains(.k) else {
                throw InsaneMiniscript(.mixedTimelocks, at: node.position)
            }
            guard node.type.contains(.m) else {
                throw InsaneMiniscript(.malleable, at: node.position)
            }
        }
    }

    /// Consensus looks at 16 bits and at the one that makes them units of 512 seconds (BIP68).
    private static func meansWhatItSays(older value: UInt32) -> Bool {
        value & ~0x0040_FFFF == 0 && value & 0xFFFF != 0
    }

    private func checkDuplicateKeys() throws(InsaneMiniscript) {
        var seen: Set<Key> = []
        for node in nodes {
            for key in node.fragment.keys where !seen.insert(key).inserted {
                throw InsaneMiniscript(.duplicateKey, at: node.position)
            }
        }
    }

    private func checkResources() throws(InsaneMiniscript) {
        guard let bounds = resourceBounds else {
            throw InsaneMiniscript(.unsatisfiable, at: root.position)
        }
        if let allowed = context.maximumOpcodes, bounds.opcodes > allowed {
            throw InsaneMiniscript(
                .opcodes(found: bounds.opcodes, allowed: allowed), at: root.position)
        }
        if let allowed = context.maximumWitnessItems, bounds.witnessItems > allowed {
            throw InsaneMiniscript(
                .witnessItems(found: bounds.witnessItems, allowed: allowed), at: root.position)
        }
        guard bounds.stackItems <= context.maximumStackItems else {
            throw InsaneMiniscript(
                .stackItems(found: bounds.stackItems, allowed: context.maximumStackItems),
                at: root.position)
        }
    }
}

extension InsaneMiniscript {
    init(_ reason: Reason, at position: Int) {
        self.reason = reason
        self.position = position
    }
}
