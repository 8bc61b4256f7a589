import TestSupport
import Testing
import Wire

@testable import Curve

@Suite("BIP327 key aggregation")
struct MuSig2Tests {
    private func keys(_ fixture: JSON, _ indices: JSON) throws -> [PublicKey] {
        let all = try fixture["pubkeys"].array
        return try indices.array.map { index in
            let bytes = try all[index.int].hex
            // BIP327 knows the compressed form only.
            guard bytes.count == 33 else { throw CurveError.wrongLength(found: 0, allowed: [33]) }
            return try PublicKey(bytes)
        }
    }

    @Test("keys in a given order, repeated or not, have the BIP's aggregate")
    func aggregate() throws {
        let fixture = try Fixture.json("curve/bip327.json")
        let cases = try fixture["aggregate"].array
        for row in cases {
            let aggregate = try MuSig2.aggregate(keys(fixture, row[0]))
            #expect(try aggregate.xOnly.description == row[1].string)
        }
        #expect(cases.count == 4)
    }

    @Test("invalid keys and tweaks are refused")
    func errors() throws {
        let fixture = try Fixture.json("curve/bip327.json")
        let tweaks = try fixture["tweaks"].array.map { Bytes32(try $0.hex) }
        let cases = try fixture["errors"].array
        for row in cases {
            #expect(throws: CurveError.self) {
                var key = try MuSig2.aggregate(keys(fixture, row["keys"]))
                for (index, isXOnly) in zip(try row["tweaks"].array, try row["xonly"].array) {
                    let tweak = try #require(tweaks[index.int])
                    key =
                        try isXOnly.bool
                        ? key.xOnly.tweaked(by: tweak).key.publicKey : key.adding(tweak: tweak)
                }
            }
        }
        #expect(cases.count == 5)
    }

    @Test("sorting public keys is BIP327's KeySort")
    func sort() throws {
        let fixture = try Fixture.json("curve/bip327.json")
        let keys = try fixture["unsorted"].array.map { try PublicKey($0.hex) }
        let sorted = try fixture["sorted"].array.map { try $0.string }
        #expect(keys.sorted().map(\.description) == sorted)
        #expect(sorted.count == 6)
    }
}
