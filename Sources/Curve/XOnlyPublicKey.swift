import CSecp256k1
public import Wire

/// A BIP340 public key: the x coordinate of a point whose y coordinate is even.
public struct XOnlyPublicKey: Sendable {
    private let raw: secp256k1_xonly_pubkey

    init(raw: secp256k1_xonly_pubkey) { self.raw = raw }

    /// Lifts an x coordinate, big-endian.
    ///
    /// - Throws: `notOnCurve`.
    public init(_ bytes: Bytes32) throws(CurveError) {
        var raw = secp256k1_xonly_pubkey()
        let isPoint = bytes.withUnsafeBytes { bytes in
            secp256k1_xonly_pubkey_parse(
                bulkhead_static_context(), &raw,
                bytes.start)
        }
        guard isPoint == 1 else { throw .notOnCurve }
        self.raw = raw
    }

    /// The x coordinate, big-endian.
    public var bytes: Bytes32 {
        var key = raw
        return Bytes32 { out in
            secp256k1_xonly_pubkey_serialize(
                bulkhead_static_context(), out.start,
                &key)
        }
    }

    /// The point plus `tweak` times the generator, as BIP341 makes output keys: the x coordinate of
    /// the sum and whether its y coordinate is odd.
    ///
    /// - Throws: `scalarOutOfRange` when the tweak is not below the order, `infinity`.
    public func tweaked(
        by tweak: Bytes32
    ) throws(CurveError) -> (key: XOnlyPublicKey, isOdd: Bool) {
        var internalKey = raw
        var sum = secp256k1_pubkey()
        let isKey = tweak.withUnsafeBytes { tweak in
            secp256k1_xonly_pubkey_tweak_add(
                bulkhead_static_context(), &sum, &internalKey,
                tweak.start)
        }
        guard isKey == 1 else {
            throw Scalar.isBelowOrder(tweak) ? .infinity : .scalarOutOfRange
        }
        var output = secp256k1_xonly_pubkey()
        var parity: Int32 = 0
        let isXOnly = secp256k1_xonly_pubkey_from_pubkey(
            bulkhead_static_context(), &output, &parity, &sum)
        precondition(isXOnly == 1)
        return (XOnlyPublicKey(raw: output), parity == 1)
    }

    /// Whether the BIP340 signature is this key's over `message`, of any length.
    public func verifies(_ signature: SchnorrSignature, message: [UInt8]) -> Bool {
        message.withUnsafeBytes { verifies(signature, message: $0) }
    }

    /// Whether the BIP340 signature is this key's over 32 bytes.
    public func verifies(_ signature: SchnorrSignature, message: Bytes32) -> Bool {
        message.withUnsafeBytes { verifies(signature, message: $0) }
    }

    private func verifies(_ signature: SchnorrSignature, message: UnsafeRawBufferPointer) -> Bool {
        var key = raw
        return signature.withUnsafeBytes { signature in
            // An empty message may have no address; nothing is read there.
            let start = message.isEmpty ? signature.start : message.start
            return secp256k1_schnorrsig_verify(
                bulkhead_static_context(), signature.start, start, message.count, &key) == 1
        }
    }

    /// The point with the even y coordinate.
    public var publicKey: PublicKey {
        guard let key = bytes.withUnsafeBytes({ try? PublicKey([2] + $0) }) else {
            preconditionFailure("an x-only key was lifted before")
        }
        return key
    }
}

extension XOnlyPublicKey: Hashable, Comparable {
    /// Whether both are the same x coordinate.
    public static func == (left: XOnlyPublicKey, right: XOnlyPublicKey) -> Bool {
        left.bytes == right.bytes
    }

    /// Orders by the x coordinate.
    public static func < (left: XOnlyPublicKey, right: XOnlyPublicKey) -> Bool {
        left.bytes < right.bytes
    }

    /// Feeds the x coordinate.
    public func hash(into hasher: inout Hasher) { hasher.combine(bytes) }
}

extension XOnlyPublicKey: CustomStringConvertible {
    /// The x coordinate in hexadecimal.
    public var description: String { bytes.description }
}
