public import Bitcoin
public import Curve
import Hashing

/// A public key that a descriptor uses at one index, with where it comes from.
public struct DerivedKey: Hashable, Sendable {
    /// The key; of a key that was given by 32 bytes the point with the even y coordinate.
    public let publicKey: PublicKey
    /// How scripts without taproot serialise it; in taproot every key has 32 bytes.
    public let form: KeyExpression.Form
    /// The origin in the descriptor and all steps below it. Of a key without origin it is the
    /// fingerprint of what stands there, and of an aggregate that of the aggregate.
    public let origin: KeyOrigin
    /// What the key was aggregated from; nil for other keys.
    public let aggregate: Aggregate?

    /// Several keys as one (BIP327).
    public struct Aggregate: Hashable, Sendable {
        /// The aggregate before any step below it (BIP328).
        public let publicKey: PublicKey
        /// The keys in the order in which they were aggregated, the one of BIP327's KeySort.
        public let participants: [DerivedKey]
    }

    init(
        _ publicKey: PublicKey, form: KeyExpression.Form = .compressed, origin: KeyOrigin,
        aggregate: Aggregate? = nil
    ) {
        self.publicKey = publicKey
        self.form = form
        self.origin = origin
        self.aggregate = aggregate
    }

    /// The 33 or 65 bytes of the key in scripts without taproot.
    public var bytes: [UInt8] {
        form == .compressed ? publicKey.compressed : publicKey.uncompressed
    }

    /// Itself, or the keys that were aggregated.
    public var leafKeys: [DerivedKey] { aggregate?.participants ?? [self] }
}

extension DerivedKey: ScriptKey {
    /// 33 bytes in wsh, 32 in tapscript.
    public func bytes(in context: ScriptContext) -> [UInt8] {
        context == .wsh ? publicKey.compressed : publicKey.xOnly.bytes.array
    }
}

/// Why there is no output at an index.
public enum DerivationError: Error, Hashable, Sendable {
    /// An index of 2^31 or more.
    case indexTooLarge(UInt32)
    /// The descriptor has fewer branches.
    case noSuchBranch(found: Int, count: Int)
    /// `combo` stands for several outputs: derive each of `outputs`.
    case severalOutputs
    /// A step that leads to no key, or needs the private key.
    case key(ExtendedKeyError)
    /// Keys whose sum is none, or a tweak that leads to no key (a chance of 2^-127 for honest keys).
    case curve(CurveError)
}

extension DerivationError: CustomStringConvertible {
    /// One sentence: what, found, allowed.
    public var description: String {
        switch self {
        case .indexTooLarge(let index):
            "index \(index) is too large, at most \(ChildNumber.maximumIndex) is possible"
        case .noSuchBranch(let found, let count):
            "branch \(found) does not exist, the descriptor has \(count), from 0"
        case .severalOutputs: "combo() stands for several outputs; each has to be derived by itself"
        case .key(let error): error.description
        case .curve(let error): error.description
        }
    }
}

/// A key of one branch with all the work done that its indices share.
struct KeyDerivation: Hashable, Sendable {
    private let kind: Kind

    private enum Kind: Hashable {
        case fixed(DerivedKey)
        /// The child at each index.
        case children(of: ExtendedPublicKey, KeyOrigin, DerivedKey.Aggregate?)
        /// The aggregate of what the participants are at each index.
        case aggregates(of: [KeyDerivation])
    }

    /// - Precondition: the expression has no branches.
    init(_ key: KeyExpression) throws(DerivationError) {
        switch key.base {
        case .single(let publicKey, let form):
            let bytes = form == .compressed ? publicKey.compressed : publicKey.uncompressed
            let origin = key.origin ?? KeyDerivation.origin(ofKey: bytes)
            kind = .fixed(DerivedKey(publicKey, form: form, origin: origin))
        case .xOnly(let xOnly):
            let publicKey = xOnly.publicKey
            let origin = key.origin ?? KeyDerivation.origin(ofKey: publicKey.compressed)
            kind = .fixed(DerivedKey(publicKey, origin: origin))
        case .extended(let parent):
            let origin = key.origin ?? KeyDerivation.origin(ofKey: parent.publicKey.compressed)
            kind = try KeyDerivation.descend(from: parent, origin, key)
        case .musig(let keys):
            kind = try KeyDerivation.aggregate(keys, key)
        }
    }

    /// The key at an index; the same at each, if it is not ranged.
    func key(at index: ChildNumber) throws(DerivationError) -> DerivedKey {
        switch kind {
        case .fixed(let key): return key
        case .children(let parent, let origin, let aggregate):
            let child = try KeyDerivation.child(of: parent, index)
            return DerivedKey(
                child.publicKey, origin: try origin.appending([index]), aggregate: aggregate)
        case .aggregates(let participants):
            var keys: [DerivedKey] = []
            for participant in participants { keys.append(try participant.key(at: index)) }
            let aggregate = try DerivedKey.Aggregate(of: keys)
            return DerivedKey(
                aggregate.publicKey,
                origin: KeyDerivation.origin(ofKey: aggregate.publicKey.compressed),
                aggregate: aggregate)
        }
    }

    private static func descend(
        from key: ExtendedPublicKey, _ origin: KeyOrigin, _ expression: KeyExpression,
        aggregate: DerivedKey.Aggregate? = nil
    ) throws(DerivationError) -> Kind {
        var (parent, numbers) = (key, [ChildNumber]())
        for step in expression.steps {
            guard case .child(let number) = step else {
                preconditionFailure("a branch was not chosen")
            }
            parent = try child(of: parent, number)
            numbers.append(number)
        }
        let origin = try origin.appending(numbers)
        switch expression.wildcard {
        case .none:
            return .fixed(DerivedKey(parent.publicKey, origin: origin, aggregate: aggregate))
        case .unhardened: return .children(of: parent, origin, aggregate)
        case .hardened: throw .key(.hardened(ChildNumber(rawValue: 1 << 31)))
        }
    }

    private static func aggregate(
        _ keys: [KeyExpression], _ expression: KeyExpression
    ) throws(DerivationError) -> Kind {
        var participants: [KeyDerivation] = []
        for key in keys { participants.append(try KeyDerivation(key)) }
        if keys.contains(where: \.isRanged) { return .aggregates(of: participants) }
        var derived: [DerivedKey] = []
        for participant in participants {
            derived.append(try participant.key(at: ChildNumber(rawValue: 0)))
        }
        let aggregate = try DerivedKey.Aggregate(of: derived)
        let origin = origin(ofKey: aggregate.publicKey.compressed)
        return try descend(
            from: ExtendedPublicKey(aggregate: aggregate.publicKey), origin, expression,
            aggregate: aggregate)
    }

    private static func child(
        of parent: ExtendedPublicKey, _ number: ChildNumber
    ) throws(DerivationError) -> ExtendedPublicKey {
        do throws(ExtendedKeyError) {
            return try parent.derive(number)
        } catch {
            throw .key(error)
        }
    }

    /// A key is its own master key, when nothing else is known.
    private static func origin(ofKey bytes: [UInt8]) -> KeyOrigin {
        KeyOrigin(fingerprint: Fingerprint(identifier: hash160(bytes)), path: .empty)
    }
}

extension KeyOrigin {
    fileprivate func appending(_ steps: [ChildNumber]) throws(DerivationError) -> KeyOrigin {
        guard let path = try? DerivationPath(path.steps + steps) else { throw .key(.tooDeep) }
        return KeyOrigin(fingerprint: fingerprint, path: path)
    }
}

extension DerivedKey.Aggregate {
    fileprivate init(of keys: [DerivedKey]) throws(DerivationError) {
        let sorted = keys.sorted { $0.publicKey < $1.publicKey }
        do throws(CurveError) {
            publicKey = try MuSig2.aggregate(sorted.map(\.publicKey))
        } catch {
            throw .curve(error)
        }
        participants = sorted
    }
}
