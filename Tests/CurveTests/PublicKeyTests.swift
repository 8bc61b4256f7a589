import Testing
import Wire

@testable import Curve

@Suite("Public keys")
struct PublicKeyTests {
    static let generator = "0279be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798"

    @Test("a key plus its negation is refused as infinity, a key plus itself is the double")
    func sums() throws {
        let key = try PublicKey(Hex.decode(Self.generator))
        #expect(throws: CurveError.infinity) { try PublicKey.sum([key, key.negated]) }
        #expect(throws: CurveError.infinity) { try PublicKey.sum([]) }
        let double = try PublicKey.sum([key, key])
        #expect(
            double.description
                == "02c6047f9441ed7d6d3045406e95c07cd85c778e4b8cef3ca7abac09b95c709ee5")
        let two = try #require(Bytes32([UInt8](repeating: 0, count: 31) + [2]))
        #expect(try key.multiplied(by: two) == double)
    }

    @Test("only 02, 03 with 33 bytes and 04 with 65 bytes are read")
    func forms() throws {
        let key = try PublicKey(Hex.decode(Self.generator))
        #expect(try PublicKey(key.uncompressed) == key)
        #expect(key.description == Self.generator)
        for (prefix, bytes) in [(6, key.uncompressed), (7, key.uncompressed), (4, key.compressed)] {
            #expect(throws: CurveError.wrongPrefix(UInt8(prefix))) {
                try PublicKey([UInt8(prefix)] + bytes.dropFirst())
            }
        }
        #expect(throws: CurveError.wrongLength(found: 0, allowed: [33, 65])) { try PublicKey([]) }
        #expect(throws: CurveError.notOnCurve) {
            try PublicKey([2] + [UInt8](repeating: 0xFF, count: 32))
        }
    }
}
