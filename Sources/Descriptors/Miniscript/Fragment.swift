/// One node of a miniscript without its arguments, which stand before it (BIP379).
///
/// Sugar is resolved: `pk(K)` is `c:pk_k(K)`, `pkh(K)` is `c:pk_h(K)`, `and_n(X,Y)` is
/// `andor(X,Y,0)`, `t:X` is `and_v(X,1)`, `l:X` is `or_i(0,X)` and `u:X` is `or_i(X,0)`.
public enum Fragment<Key: Hashable & Sendable>: Hashable, Sendable {
    /// `0`, never satisfied.
    case zero
    /// `1`, always satisfied.
    case one
    /// `pk_k(K)`: a key in full.
    case pkK(Key)
    /// `pk_h(K)`: a key by its HASH160.
    case pkH(Key)
    /// `older(n)`: a relative lock of 1 to 2^31-1 (BIP112).
    case older(UInt32)
    /// `after(n)`: an absolute lock of 1 to 2^31-1 (BIP65).
    case after(UInt32)
    /// `sha256(h)`, `hash256(h)`, `ripemd160(h)`, `hash160(h)`: a 32-byte preimage.
    case hash(HashLock)
    /// One of the wrappers that are no sugar.
    case wrap(Wrapper)
    /// `and_v(X,Y)`.
    case andV
    /// `and_b(X,Y)`.
    case andB
    /// `or_b(X,Z)`.
    case orB
    /// `or_c(X,Z)`.
    case orC
    /// `or_d(X,Z)`.
    case orD
    /// `or_i(X,Z)`.
    case orI
    /// `andor(X,Y,Z)`.
    case andOr
    /// `thresh(k,X1,...,Xn)` with its two numbers.
    case thresh(Int, of: Int)
    /// `multi(k,K1,...,Kn)`, in P2WSH only.
    case multi(Int, [Key])
    /// `multi_a(k,K1,...,Kn)`, in tapscript only.
    case multiA(Int, [Key])
}

/// A wrapper of one letter (BIP379).
public enum Wrapper: UInt8, CaseIterable, Hashable, Sendable {
    /// `a:`, by way of the alternative stack.
    case alt = 0x61
    /// `s:`, `OP_SWAP` first.
    case swap = 0x73
    /// `c:`, `OP_CHECKSIG` after.
    case check = 0x63
    /// `d:`, `OP_DUP OP_IF`.
    case dupIf = 0x64
    /// `v:`, `OP_VERIFY` or the verifying form of the last opcode.
    case verify = 0x76
    /// `j:`, `OP_SIZE OP_0NOTEQUAL OP_IF`.
    case nonZero = 0x6A
    /// `n:`, `OP_0NOTEQUAL` after.
    case zeroNotEqual = 0x6E

    /// Its letter.
    public var letter: Character { Character(Unicode.Scalar(rawValue)) }
}

/// A hash whose preimage of 32 bytes a witness must show.
public struct HashLock: Hashable, Sendable {
    /// Which hash.
    public enum Function: String, CaseIterable, Hashable, Sendable {
        /// SHA-256.
        case sha256
        /// SHA-256 twice.
        case hash256
        /// RIPEMD-160.
        case ripemd160
        /// RIPEMD-160 of SHA-256.
        case hash160

        /// Bytes of its digest: 32 or 20.
        public var length: Int { self == .sha256 || self == .hash256 ? 32 : 20 }
    }

    /// Which hash.
    public let function: Function
    /// The digest in the order it stands in the script.
    public let digest: [UInt8]

    /// Nil unless the digest has the length of the function.
    public init?(_ function: Function, digest: [UInt8]) {
        guard digest.count == function.length else { return nil }
        self.function = function
        self.digest = digest
    }
}

extension Fragment {
    /// How many arguments it takes that are miniscripts themselves.
    public var arity: Int {
        switch self {
        case .zero, .one, .pkK, .pkH, .older, .after, .hash, .multi, .multiA: 0
        case .wrap: 1
        case .andV, .andB, .orB, .orC, .orD, .orI: 2
        case .andOr: 3
        case .thresh(_, let count): count
        }
    }

    /// Its name as it is written; a wrapper's is its letter and a colon.
    public var name: String {
        switch self {
        case .zero: "0"
        case .one: "1"
        case .pkK: "pk_k"
        case .pkH: "pk_h"
        case .older: "older"
        case .after: "after"
        case .hash(let lock): lock.function.rawValue
        case .wrap(let wrapper): "\(wrapper.letter):"
        case .andV: "and_v"
        case .andB: "and_b"
        case .orB: "or_b"
        case .orC: "or_c"
        case .orD: "or_d"
        case .orI: "or_i"
        case .andOr: "andor"
        case .thresh: "thresh"
        case .multi: "multi"
        case .multiA: "multi_a"
        }
    }

    /// Its keys, in order.
    public var keys: [Key] {
        switch self {
        case .pkK(let key), .pkH(let key): [key]
        case .multi(_, let keys), .multiA(_, let keys): keys
        default: []
        }
    }

    /// The same fragment over other keys.
    public func map<NewKey, Failure: Error>(
        _ transform: (Key) throws(Failure) -> NewKey
    ) throws(Failure) -> Fragment<NewKey> {
        switch self {
        case .zero: return .zero
        case .one: return .one
        case .pkK(let key): return .pkK(try transform(key))
        case .pkH(let key): return .pkH(try transform(key))
        case .older(let value): return .older(value)
        case .after(let value): return .after(value)
        case .hash(let lock): return .hash(lock)
        case .wrap(let wrapper): return .wrap(wrapper)
        case .andV: return .andV
        case .andB: return .andB
        case .orB: return .orB
        case .orC: return .orC
        case .orD: return .orD
        case .orI: return .orI
        case .andOr: return .andOr
        case .thresh(let needed, let count): return .thresh(needed, of: count)
        case .multi(let needed, let keys):
            return .multi(needed, try Self.map(keys, transform))
        case .multiA(let needed, let keys):
            return .multiA(needed, try Self.map(keys, transform))
        }
    }

    private static func map<NewKey, Failure: Error>(
        _ keys: [Key], _ transform: (Key) throws(Failure) -> NewKey
    ) throws(Failure) -> [NewKey] {
        var mapped: [NewKey] = []
        mapped.reserveCapacity(keys.count)
        for key in keys { mapped.append(try transform(key)) }
        return mapped
    }
}
