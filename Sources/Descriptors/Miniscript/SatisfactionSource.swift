public import Wire

/// What is at hand to satisfy a miniscript with.
public protocol SatisfactionSource<Key> {
    /// The keys that it knows signatures of.
    associatedtype Key: Hashable & Sendable

    /// The signature of a key with its sighash byte, as a witness shows it (in tapscript without that
    /// byte for SIGHASH_DEFAULT); nil where there is none.
    func signature(for key: Key) -> [UInt8]?

    /// The bytes of a key as `pk_h` wants them in a witness; nil where only its hash is known.
    func bytes(of key: Key, in context: ScriptContext) -> [UInt8]?

    /// The 32 bytes that have this hash; nil where they are not known.
    func preimage(of lock: HashLock) -> Bytes32?

    /// Whether the input's sequence and the transaction's version pass `older(value)` (BIP112).
    func isMet(older value: UInt32) -> Bool

    /// Whether the transaction's lock time and the input's sequence pass `after(value)` (BIP65).
    func isMet(after value: UInt32) -> Bool
}

extension SatisfactionSource where Key: ScriptKey {
    /// What a script would push.
    public func bytes(of key: Key, in context: ScriptContext) -> [UInt8]? {
        key.bytes(in: context)
    }
}

/// One thing that is missing to satisfy a miniscript.
public enum Requirement<Key: Hashable & Sendable>: Hashable, Sendable {
    /// Signatures of any so many of these keys.
    case signatures(Int, of: [Key])
    /// 32 bytes that have this hash.
    case preimage(HashLock)
    /// The relative lock of `older`.
    case older(UInt32)
    /// The absolute lock of `after`.
    case after(UInt32)

    /// How many things it stands for.
    var count: Int { if case .signatures(let count, _) = self { count } else { 1 } }

    /// What is missing, for a person; `key` names the keys.
    public func text(key: (Key) -> String) -> String {
        switch self {
        case .signatures(1, let keys) where keys.count == 1: "a signature of \(key(keys[0]))"
        case .signatures(let count, let keys):
            "\(counted(count, "signature")) of \(keys.map(key).joined(separator: ", "))"
        case .preimage(let lock):
            "the preimage of \(lock.function.rawValue)(\(Hex.encode(lock.digest)))"
        case .older(let value) where value & 1 << 22 != 0:
            "\(UInt64(value & 0xFFFF) * 512) seconds since the output was confirmed"
        case .older(let value): "\(counted(value & 0xFFFF, "block")) since the output was confirmed"
        case .after(let value) where value >= 500_000_000:
            "a transaction lock time of \(value) (Unix seconds) or later"
        case .after(let value): "a transaction lock time of block \(value) or later"
        }
    }
}

/// Why a miniscript cannot be satisfied with what is at hand.
public enum Unsatisfied<Key: Hashable & Sendable>: Error, Hashable, Sendable {
    /// The fewest things that would have to come.
    case missing([Requirement<Key>])
    /// What is at hand would do, but others could change the witness or spend without a signature.
    case onlyMalleable
    /// Nothing can ever satisfy it.
    case impossible
}
