import Hashing
import TestSupport
import Testing

@testable import Curve

@Suite("Wycheproof ECDSA on secp256k1 with SHA-256")
struct WycheproofTests {
    struct File: Sendable, CustomTestStringConvertible {
        let name: String
        let cases: Int
        let isCompact: Bool
        let allowsHighS: Bool
        var testDescription: String { name }
    }

    static let files = [
        File(name: "sha256", cases: 476, isCompact: false, allowsHighS: true),
        File(name: "sha256_bitcoin", cases: 463, isCompact: false, allowsHighS: false),
        File(name: "sha256_p1363", cases: 252, isCompact: true, allowsHighS: true),
    ]

    @Test("valid signatures verify, no other does", arguments: files)
    func signatures(file: File) throws {
        var cases = 0
        for group in try Fixture.json("curve/wycheproof_\(file.name).json")["groups"].array {
            let key = try PublicKey(group[0].hex)
            for row in try group[1].array {
                let number = try row[0].int
                let digest = SHA256.hash(try row[1].hex)
                let bytes = try row[2].hex
                var signature =
                    file.isCompact
                    ? try? ECDSASignature(compact: bytes) : try? ECDSASignature(der: bytes)
                if file.allowsHighS { signature = signature?.normalised }
                let isValid = signature.map { key.verifies($0, digest: digest) } ?? false
                #expect(try isValid == row[3].bool, "case \(number)")
                if let signature, !file.isCompact, isValid, signature.isLowS, !file.allowsHighS {
                    #expect(signature.der == bytes, "case \(number)")
                }
                cases += 1
            }
        }
        #expect(cases == file.cases)
    }
}
