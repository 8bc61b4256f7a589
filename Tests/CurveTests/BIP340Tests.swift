import TestSupport
import Testing
import Wire

@testable import Curve

@Suite("BIP340 verification")
struct BIP340Tests {
    @Test("every vector verifies or fails as the BIP says, for messages of any length")
    func vectors() throws {
        let cases = try Fixture.json("curve/bip340.json")["cases"].array
        for row in cases {
            let x = try #require(Bytes32(row[1].hex))
            let signature = try SchnorrSignature(row[4].hex)
            let key = try? XOnlyPublicKey(x)
            let isValid = try key?.verifies(signature, message: row[3].hex) ?? false
            let comment = try row[6].string
            #expect(try isValid == row[5].bool, "\(comment)")
            #expect(try signature.bytes == row[4].hex)
            if let message = Bytes32(try row[3].hex), let key {
                #expect(key.verifies(signature, message: message) == isValid)
            }
            if let key {
                #expect(key.bytes == x)
                #expect(key.publicKey.xOnly == key && !key.publicKey.isOdd)
            } else {
                #expect(comment.contains("not on the curve") || comment.contains("exceeds"))
            }
        }
        #expect(cases.count == 19)
    }
}
