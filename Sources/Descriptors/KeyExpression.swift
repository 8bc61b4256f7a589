public import Bitcoin
public import Curve
import Wire

/// A key as a descriptor writes it (BIP380, BIP389, BIP390): an optional origin, a public key, an
/// extended public key or `musig(...)`, and the steps below an extended key.
///
/// There are no private keys here; their place is a vault.
public struct KeyExpression: Hashable, Sendable {
    /// The master key's fingerprint and the path from it to the key that follows.
    public let origin: KeyOrigin?
    /// The key that stands in the text.
    public let base: Base
    /// The steps from the key that stands in the text to the one that is used.
    public let steps: [Step]
    /// Whether a last step takes every index.
    public let wildcard: Wildcard

    /// What stands between the origin and the steps.
    public enum Base: Hashable, Sendable {
        /// One public key; steps are not possible.
        case single(PublicKey, form: Form)
        /// A key of 32 bytes, as taproot uses it; steps are not possible.
        case xOnly(XOnlyPublicKey)
        /// An extended public key (BIP32).
        case extended(ExtendedPublicKey)
        /// The aggregate of several keys (BIP327), which may have steps below it (BIP328).
        case musig([KeyExpression])
    }

    /// How a public key is serialised.
    public enum Form: Hashable, Sendable {
        /// 33 bytes.
        case compressed
        /// 65 bytes.
        case uncompressed
    }

    /// One step below an extended key.
    public enum Step: Hashable, Sendable {
        /// The same child always.
        case child(ChildNumber)
        /// One child for each branch of the wallet, such as `<0;1>` for receiving and change.
        case branches([ChildNumber])
    }

    /// The last step of a key that stands for a range of keys.
    public enum Wildcard: Hashable, Sendable {
        /// One key only.
        case none
        /// `/*`
        case unhardened
        /// `/*h`, which only the holder of the private key can follow.
        case hardened
    }

    /// Puts the parts together as they are.
    public init(
        origin: KeyOrigin? = nil, base: Base, steps: [Step] = [], wildcard: Wildcard = .none
    ) {
        self.origin = origin
        self.base = base
        self.steps = steps
        self.wildcard = wildcard
    }
}

extension KeyExpression {
    /// Whether it stands for a range of keys.
    public var isRanged: Bool { wildcard != .none || participants.contains(where: \.isRanged) }

    /// The keys inside `musig(...)`; none for other keys.
    public var participants: [KeyExpression] {
        if case .musig(let keys) = base { keys } else { [] }
    }

    /// The key itself, or the keys inside `musig(...)`.
    public var leafKeys: [KeyExpression] {
        if case .musig(let keys) = base { keys } else { [self] }
    }

    /// The steps of `<...>` here or in a participant; nil when there is none.
    public var branches: [ChildNumber]? {
        for case .branches(let numbers) in steps { return numbers }
        for key in participants { if let numbers = key.branches { return numbers } }
        return nil
    }

    /// Whether a step below the key needs the private key.
    public var needsPrivateKey: Bool {
        wildcard == .hardened
            || steps.contains { step in
                switch step {
                case .child(let number): number.isHardened
                case .branches(let numbers): numbers.contains(where: \.isHardened)
                }
            } || participants.contains(where: \.needsPrivateKey)
    }

    /// The same key with one of its branches chosen.
    ///
    /// - Precondition: it has that branch or has none at all.
    public func branch(_ index: Int) -> KeyExpression {
        var base = base
        if case .musig(let keys) = base { base = .musig(keys.map { $0.branch(index) }) }
        let steps = steps.map { step in
            if case .branches(let numbers) = step { Step.child(numbers[index]) } else { step }
        }
        return KeyExpression(origin: origin, base: base, steps: steps, wildcard: wildcard)
    }
}

extension KeyExpression: CustomStringConvertible {
    /// The canonical text: `h` for hardened steps, hexadecimal digits in lower case.
    public var description: String {
        let origin = origin.map { "[\($0)]" } ?? ""
        let key =
            switch base {
            case .single(let key, .compressed): Hex.encode(key.compressed)
            case .single(let key, .uncompressed): Hex.encode(key.uncompressed)
            case .xOnly(let key): key.bytes.description
            case .extended(let key): key.description
            case .musig(let keys): "musig(" + keys.map(\.description).joined(separator: ",") + ")"
            }
        return origin + key + pathText
    }

    private var pathText: String {
        var text = ""
        for step in steps {
            switch step {
            case .child(let number): text += "/\(number)"
            case .branches(let numbers):
                text += "/<" + numbers.map(\.description).joined(separator: ";") + ">"
            }
        }
        switch wildcard {
        case .none: return text
        case .unhardened: return text + "/*"
        case .hardened: return text + "/*h"
        }
    }
}
