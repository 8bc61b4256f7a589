import Curve
import TestSupport
import Testing
import Wire

@testable import Signing

@Suite("Signing vectors")
struct SigningVectorTests {
    @Test("RFC6979: the first nonce gives the expected signature, grinding starts from it")
    func rfc6979() throws {
        let context = SigningContext()
        let cases = try Fixture.json("curve/rfc6979.json")["cases"].array
        for row in cases {
            let key = try SecretKey(hex: row[0].string, context)
            let digest = try #require(Bytes32(row[1].hex))
            let first = try key.signRecoverably(digest, context).signature
            #expect(try first.der == row[3].hex)
            // r is the x coordinate of the nonce's point.
            let nonce = try SecretKey(hex: row[2].string, context)
            #expect(nonce.publicKey.xOnly.bytes == first.r)
            let ground = try key.sign(digest, context)
            #expect((ground == first) == first.isLowR)
        }
        #expect(cases.count == 7)
    }

    @Test("BIP340: the given auxiliary randomness gives the expected signature")
    func bip340() throws {
        let context = SigningContext()
        var signed = 0
        let cases = try Fixture.json("curve/bip340.json")["cases"].array
        for row in cases {
            // The product signs 32 bytes only.
            guard let message = Bytes32(try row[3].hex), try !row[0].string.isEmpty else {
                continue
            }
            let key = try SecretKey(hex: row[0].string, context)
            #expect(try key.publicKey.xOnly.description == row[1].string)
            let auxiliary = try #require(Bytes32(row[2].hex))
            let signature = try key.signSchnorr(message, auxiliary: auxiliary, context)
            #expect(try signature.bytes == row[4].hex)
            signed += 1
        }
        #expect(cases.count == 19 && signed == 4)
    }
}
