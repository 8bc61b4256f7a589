import CSecp256k1
public import Wire

extension PublicKey {
    /// The point plus `tweak` times the generator.
    ///
    /// - Throws: `scalarOutOfRange` when the tweak is not below the order (zero is allowed),
    ///   `infinity` when the sum is none.
    public func adding(tweak: Bytes32) throws(CurveError) -> PublicKey {
        var key = raw
        let isKey = tweak.withUnsafeBytes { tweak in
            secp256k1_ec_pubkey_tweak_add(
                bulkhead_static_context(), &key,
                tweak.start)
        }
        guard isKey == 1 else {
            throw Scalar.isBelowOrder(tweak) ? .infinity : .scalarOutOfRange
        }
        return PublicKey(raw: key)
    }

    /// The point times `factor`.
    ///
    /// - Throws: `scalarOutOfRange` when the factor is zero or not below the order.
    public func multiplied(by factor: Bytes32) throws(CurveError) -> PublicKey {
        var key = raw
        let isKey = factor.withUnsafeBytes { factor in
            secp256k1_ec_pubkey_tweak_mul(
                bulkhead_static_context(), &key,
                factor.start)
        }
        guard isKey == 1 else { throw .scalarOutOfRange }
        return PublicKey(raw: key)
    }

    /// The point with the other y coordinate.
    public var negated: PublicKey {
        var key = raw
        let isKey = secp256k1_ec_pubkey_negate(bulkhead_static_context(), &key)
        precondition(isKey == 1)
        return PublicKey(raw: key)
    }

    /// The sum of one or more points.
    ///
    /// - Throws: `infinity` when the sum is none, also of no points at all.
    public static func sum(_ keys: [PublicKey]) throws(CurveError) -> PublicKey {
        guard !keys.isEmpty else { throw .infinity }
        var sum = secp256k1_pubkey()
        let raws = keys.map(\.raw)
        let isKey = raws.withUnsafeBufferPointer { raws in
            let addresses = raws.indices.map { index in raws.baseAddress.map { $0 + index } }
            return secp256k1_ec_pubkey_combine(
                bulkhead_static_context(), &sum, addresses, addresses.count)
        }
        guard isKey == 1 else { throw .infinity }
        return PublicKey(raw: sum)
    }
}

/// Comparisons with the order of the curve.
enum Scalar {
    /// n, the number of points.
    static let order: [UInt8] = [
        0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF,
        0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFE,
        0xBA, 0xAE, 0xDC, 0xE6, 0xAF, 0x48, 0xA0, 0x3B,
        0xBF, 0xD2, 0x5E, 0x8C, 0xD0, 0x36, 0x41, 0x41,
    ]

    /// Whether a public number is a scalar, zero included.
    static func isBelowOrder(_ number: Bytes32) -> Bool {
        number.withUnsafeBytes { $0.lexicographicallyPrecedes(order) }
    }
}
