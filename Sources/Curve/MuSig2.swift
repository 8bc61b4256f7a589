import Hashing
import Wire

/// The part of MuSig2 (BIP327) that needs no secret: several public keys as one.
public enum MuSig2 {
    private static let listTag = TaggedHash(tag: "KeyAgg list")
    private static let coefficientTag = TaggedHash(tag: "KeyAgg coefficient")

    /// The aggregate of one or more keys in this order (KeyAgg). A key may occur several times.
    ///
    /// Who wants the order not to matter sorts the keys first (KeySort, the order of `PublicKey`).
    ///
    /// - Throws: `infinity`, for no keys at all, or with a chance of 1 in 2^128.
    public static func aggregate(_ keys: [PublicKey]) throws(CurveError) -> PublicKey {
        guard let first = keys.first else { throw .infinity }
        var list = Writer(capacity: 33 * keys.count)
        for key in keys { list.write(key.compressed) }
        let listHash = listTag.hash(list.bytes)
        // The second distinct key has the coefficient 1, which saves a multiplication and is safe.
        let second = keys.first { $0 != first }
        var terms: [PublicKey] = []
        terms.reserveCapacity(keys.count)
        for key in keys {
            guard key != second else {
                terms.append(key)
                continue
            }
            var hash = coefficientTag.hasher()
            hash.update(listHash)
            hash.update(key.compressed)
            terms.append(try key.multiplied(by: hash.finalize()))
        }
        return try PublicKey.sum(terms)
    }
}
