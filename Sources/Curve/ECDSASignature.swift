package import CSecp256k1
public import Wire

/// An ECDSA signature whose numbers lie between 1 and the order of the curve less 1.
public struct ECDSASignature: Hashable, Sendable {
    /// R's x coordinate modulo the order, big-endian.
    public let r: Bytes32
    /// The second number, big-endian.
    public let s: Bytes32

    /// Takes both numbers.
    ///
    /// - Throws: `scalarOutOfRange`.
    public init(r: Bytes32, s: Bytes32) throws(CurveError) {
        for number in [r, s] {
            guard number != .zero, Scalar.isBelowOrder(number) else { throw .scalarOutOfRange }
        }
        self.r = r
        self.s = s
    }

    package init(raw: secp256k1_ecdsa_signature) throws(CurveError) {
        var signature = raw
        var numbers = (Bytes32.zero, Bytes32.zero)
        _ = withUnsafeMutableBytes(of: &numbers) { out in
            secp256k1_ecdsa_signature_serialize_compact(
                bulkhead_static_context(), out.start,
                &signature)
        }
        try self.init(r: numbers.0, s: numbers.1)
    }

    /// Takes r and s as exactly 64 bytes.
    public init(compact bytes: [UInt8]) throws(CurveError) {
        guard bytes.count == 64, let r = Bytes32(bytes[..<32]), let s = Bytes32(bytes[32...]) else {
            throw .wrongLength(found: bytes.count, allowed: [64])
        }
        try self.init(r: r, s: s)
    }

    /// r and s as 64 bytes.
    public var compact: [UInt8] { r.array + s.array }

    /// Whether s is at most half the order, as relay policy asks (BIP146) and as verification here
    /// asks.
    public var isLowS: Bool {
        var signature = raw
        return secp256k1_ecdsa_signature_normalize(bulkhead_static_context(), nil, &signature) == 0
    }

    /// Whether r fits into 32 bytes of DER.
    public var isLowR: Bool { r.withUnsafeBytes { $0[0] < 0x80 } }

    /// The signature of the same key over the same digest with s at most half the order.
    public var normalised: ECDSASignature {
        var signature = raw
        var low = secp256k1_ecdsa_signature()
        secp256k1_ecdsa_signature_normalize(bulkhead_static_context(), &low, &signature)
        return (try? ECDSASignature(raw: low)) ?? self
    }

    package var raw: secp256k1_ecdsa_signature {
        var raw = secp256k1_ecdsa_signature()
        let isSignature = withUnsafeBytes(of: (r, s)) { bytes in
            secp256k1_ecdsa_signature_parse_compact(
                bulkhead_static_context(), &raw,
                bytes.start)
        }
        precondition(isSignature == 1)
        return raw
    }
}

extension PublicKey {
    /// Whether the signature is this key's over a 32-byte digest. A signature with high s is not
    /// accepted: see `ECDSASignature.normalised`.
    public func verifies(_ signature: ECDSASignature, digest: Bytes32) -> Bool {
        var key = raw
        var raw = signature.raw
        return digest.withUnsafeBytes { digest in
            secp256k1_ecdsa_verify(
                bulkhead_static_context(), &raw,
                digest.start, &key) == 1
        }
    }
}
