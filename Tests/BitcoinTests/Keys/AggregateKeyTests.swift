import Bitcoin
import Curve
import TestSupport
import Testing
import Wire

@Suite("Aggregate keys")
struct AggregateKeyTests {
    struct Vector: Decodable {
        let keys: [HexBytes]
        let aggregate: HexBytes
        let xpub: String
    }

    @Test("BIP328's keys aggregate in their order, and stand as its extended keys")
    func bip328() throws {
        let vectors = try Fixture.load("bip328/vectors.json", as: [Vector].self)
        #expect(vectors.count == 3)
        for vector in vectors {
            let key = try MuSig2.aggregate(try vector.keys.map { try PublicKey($0.bytes) })
            #expect(key.compressed == vector.aggregate.bytes)
            #expect(ExtendedPublicKey(aggregate: key).description == vector.xpub)
        }
    }

    @Test("no keys have no aggregate, and the order of keys matters")
    func orders() throws {
        #expect(throws: CurveError.infinity) { try MuSig2.aggregate([]) }
        let vectors = try Fixture.load("bip328/vectors.json", as: [Vector].self)
        let keys = try vectors[1].keys.map { try PublicKey($0.bytes) }
        #expect(try MuSig2.aggregate(keys) != MuSig2.aggregate(keys.reversed()))
        #expect(try MuSig2.aggregate(keys.sorted()) == MuSig2.aggregate(keys.reversed().sorted()))
    }
}
