import CSecp256k1
public import Curve
import Hashing
public import SecretMemory
public import Wire

/// A secret key of secp256k1, between 1 and the order of the curve less 1, with its public key.
public struct SecretKey: ~Copyable {
    /// The scalar, 32 bytes big-endian, and libsecp256k1's pair of it and its point.
    private var memory: SecretBytes

    private static let scalarSize = 32
    private static let memorySize = scalarSize + MemoryLayout<secp256k1_keypair>.size

    /// Lets `fill` write the 32 bytes in place.
    ///
    /// - Throws: `invalidKey` for zero and for numbers not below the order.
    public init(
        _ context: borrowing SigningContext,
        filledBy fill: (UnsafeMutableRawBufferPointer) -> Void
    ) throws(SigningError) {
        let context = context.pointer
        memory = try SecretBytes(count: SecretKey.memorySize) { bytes throws(SigningError) in
            fill(UnsafeMutableRawBufferPointer(rebasing: bytes[..<SecretKey.scalarSize]))
            let pair = SecretKey.pair(in: bytes)
            guard secp256k1_keypair_create(context, pair, bytes.start) == 1 else {
                throw .invalidKey
            }
        }
    }

    /// Copies exactly 32 bytes.
    ///
    /// - Throws: `wrongLength`, or `invalidKey` for zero and for numbers not below the order.
    public init(
        _ bytes: borrowing SecretBytes, _ context: borrowing SigningContext
    ) throws(SigningError) {
        guard bytes.count == SecretKey.scalarSize else {
            throw .wrongLength(found: bytes.count, allowed: SecretKey.scalarSize)
        }
        self = try bytes.withUnsafeBytes { bytes throws(SigningError) in
            try SecretKey(context) { $0.copyMemory(from: bytes) }
        }
    }

    /// A key from the kernel's random bytes.
    ///
    /// - Throws: `invalidKey` with a chance of 2^-127.
    public static func random(_ context: borrowing SigningContext) throws(SigningError) -> SecretKey
    {
        try SecretKey(context) { SecretMemory.fillWithRandomBytes($0) }
    }

    /// The same key once more.
    public borrowing func duplicate() -> SecretKey { SecretKey(memory: memory.duplicate()) }

    private init(memory: consuming SecretBytes) { self.memory = memory }

    /// Gives the 32 bytes of the scalar in place. They must not leave `body`.
    public borrowing func withUnsafeBytes<Result: ~Copyable, Failure>(
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try memory.withUnsafeBytes { bytes throws(Failure) in
            try body(UnsafeRawBufferPointer(rebasing: bytes[..<SecretKey.scalarSize]))
        }
    }

    // DECLASSIFY: a public key is made to be shown; the scalar cannot be had from it.
    /// The public key, computed when the secret key was made.
    public var publicKey: PublicKey {
        var raw = secp256k1_pubkey()
        withPair { pair in
            guard secp256k1_keypair_pub(bulkhead_static_context(), &raw, pair) == 1 else {
                preconditionFailure("a pair holds a point")
            }
        }
        return PublicKey(raw: raw)
    }

    /// The sum with a tweak modulo the order, as BIP32 derives children.
    ///
    /// - Precondition: 32 bytes.
    /// - Throws: `invalidKey` when the tweak is not below the order or the sum is zero.
    public borrowing func adding(
        tweak: UnsafeRawBufferPointer, _ context: borrowing SigningContext
    ) throws(SigningError) -> SecretKey {
        precondition(tweak.count == SecretKey.scalarSize)
        // A failed addition leaves zeros, which no key is made from.
        return try withUnsafeBytes { scalar throws(SigningError) in
            try SecretKey(context) { sum in
                sum.copyMemory(from: scalar)
                guard
                    secp256k1_ec_seckey_tweak_add(bulkhead_static_context(), sum.start, tweak.start)
                        == 1
                else { return SecretMemory.wipe(sum) }
            }
        }
    }

    /// The key that spends a BIP341 output by its key path: negated where the internal key's y
    /// coordinate is odd, plus the tweak of internal key and merkle root.
    ///
    /// - Parameter merkleRoot: nil for an output without scripts (BIP86).
    /// - Throws: `invalidKey` with a chance of 2^-127.
    public borrowing func taprootTweaked(
        merkleRoot: Bytes32?, _ context: borrowing SigningContext
    ) throws(SigningError) -> SecretKey {
        var hasher = SecretKey.tapTweak.hasher()
        hasher.update(publicKey.xOnly.bytes)
        if let merkleRoot { hasher.update(merkleRoot) }
        let tweak = hasher.finalize()
        let context = context.pointer
        var memory = memory.duplicate()
        try memory.withUnsafeMutableBytes { bytes throws(SigningError) in
            let pair = SecretKey.pair(in: bytes)
            let isTweaked = tweak.withUnsafeBytes { tweak in
                secp256k1_keypair_xonly_tweak_add(context, pair, tweak.start) == 1
                    && secp256k1_keypair_sec(context, bytes.start, pair) == 1
            }
            guard isTweaked else { throw .invalidKey }
        }
        return SecretKey(memory: memory)
    }

    private static let tapTweak = TaggedHash(tag: "TapTweak")

    borrowing func withPair<Result>(_ body: (UnsafePointer<secp256k1_keypair>) -> Result) -> Result
    {
        memory.withUnsafeBytes { bytes in
            body(
                UnsafeRawPointer(bytes.start + SecretKey.scalarSize)
                    .assumingMemoryBound(to: secp256k1_keypair.self))
        }
    }

    private static func pair(
        in bytes: UnsafeMutableRawBufferPointer
    ) -> UnsafeMutablePointer<secp256k1_keypair> {
        UnsafeMutableRawPointer(bytes.start + scalarSize)
            .assumingMemoryBound(to: secp256k1_keypair.self)
    }
}

/// Why a key or a signature cannot be made.
public enum SigningError: Error, Hashable, Sendable {
    /// A secret key has another length.
    case wrongLength(found: Int, allowed: Int)
    /// Zero, or not below the order of the curve: no secret key.
    case invalidKey
    /// The signature just made does not verify: the machine computes wrongly or is attacked.
    case selfCheckFailed
}

extension SigningError: CustomStringConvertible {
    /// One sentence: what is wrong.
    public var description: String {
        switch self {
        case .wrongLength(let found, let allowed):
            "a secret key of \(found) bytes, \(allowed) needed"
        case .invalidKey: "these bytes are no secret key of secp256k1"
        case .selfCheckFailed:
            "a signature just made does not verify: nothing was signed; test this machine's memory"
        }
    }
}
