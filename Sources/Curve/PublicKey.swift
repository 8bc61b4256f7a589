package import CSecp256k1
import Wire

/// A point of secp256k1 other than infinity, kept in parsed form.
public struct PublicKey: Sendable {
    package let raw: secp256k1_pubkey

    package init(raw: secp256k1_pubkey) { self.raw = raw }

    /// Reads a key in compressed (33 bytes) or uncompressed form (65 bytes) of SEC 1. The hybrid
    /// form (06 and 07) is refused.
    public init(_ bytes: [UInt8]) throws(CurveError) {
        self = try bytes.withUnsafeBytes { bytes in
            Result { () throws(CurveError) in try PublicKey(bytes) }
        }.get()
    }

    /// Reads a key in compressed (33 bytes) or uncompressed form (65 bytes) of SEC 1. The hybrid
    /// form (06 and 07) is refused.
    public init(_ bytes: UnsafeRawBufferPointer) throws(CurveError) {
        guard bytes.count == 33 || bytes.count == 65 else {
            throw .wrongLength(found: bytes.count, allowed: [33, 65])
        }
        let prefix = bytes[0]
        guard bytes.count == 33 ? prefix == 2 || prefix == 3 : prefix == 4 else {
            throw .wrongPrefix(prefix)
        }
        var raw = secp256k1_pubkey()
        let isPoint = secp256k1_ec_pubkey_parse(
            bulkhead_static_context(), &raw,
            bytes.start, bytes.count)
        guard isPoint == 1 else { throw .notOnCurve }
        self.raw = raw
    }

    /// The 33-byte form.
    public var compressed: [UInt8] {
        [UInt8](unsafeUninitializedCapacity: 33) { out, count in
            count = serialize(to: out, flags: SECP256K1_EC_COMPRESSED)
        }
    }

    /// The 65-byte form.
    public var uncompressed: [UInt8] {
        [UInt8](unsafeUninitializedCapacity: 65) { out, count in
            count = serialize(to: out, flags: SECP256K1_EC_UNCOMPRESSED)
        }
    }

    /// Gives the 33-byte form without an allocation.
    public func withCompressed<Result>(
        _ body: (UnsafeRawBufferPointer) throws -> Result
    ) rethrows -> Result {
        try withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 33) { out in
            _ = serialize(to: out, flags: SECP256K1_EC_COMPRESSED)
            return try body(UnsafeRawBufferPointer(out))
        }
    }

    private func serialize(to out: UnsafeMutableBufferPointer<UInt8>, flags: Int32) -> Int {
        var key = raw
        var length = out.count
        secp256k1_ec_pubkey_serialize(
            bulkhead_static_context(), UnsafeMutableRawBufferPointer(out).start, &length, &key,
            UInt32(flags))
        return length
    }

    /// Whether the y coordinate is odd (the compressed form starts with 03).
    public var isOdd: Bool { withCompressed { $0[0] == 3 } }

    /// The x coordinate as a BIP340 key.
    public var xOnly: XOnlyPublicKey {
        var key = raw
        var xOnly = secp256k1_xonly_pubkey()
        let isKey = secp256k1_xonly_pubkey_from_pubkey(
            bulkhead_static_context(), &xOnly, nil, &key)
        precondition(isKey == 1)
        return XOnlyPublicKey(raw: xOnly)
    }
}

extension PublicKey: Hashable, Comparable {
    /// Whether both are the same point.
    public static func == (left: PublicKey, right: PublicKey) -> Bool {
        left.compare(to: right) == 0
    }

    /// Orders by the compressed form, as BIP67 and `sortedmulti` do.
    public static func < (left: PublicKey, right: PublicKey) -> Bool {
        left.compare(to: right) < 0
    }

    private func compare(to other: PublicKey) -> Int32 {
        var left = raw
        var right = other.raw
        return secp256k1_ec_pubkey_cmp(bulkhead_static_context(), &left, &right)
    }

    /// Feeds the compressed form.
    public func hash(into hasher: inout Hasher) { withCompressed { hasher.combine(bytes: $0) } }
}

extension PublicKey: CustomStringConvertible {
    /// The compressed form in hexadecimal.
    public var description: String { Hex.encode(compressed) }
}
