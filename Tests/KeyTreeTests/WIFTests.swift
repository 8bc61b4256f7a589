import Bitcoin
import SecretMemory
import Signing
import TestSupport
import Testing

@testable import KeyTree

@Suite("Wallet import format")
struct WIFTests {
    @Test("every valid text of Bitcoin Core gives its key and is written again as it was")
    func valid() throws {
        let context = SigningContext()
        let cases = try Fixture.json("keys/wif.json")["valid"].array
        for row in cases {
            let wif = try WIF(text: SecretBytes(text: row[0].string), context)
            #expect(try wif.key.hex == row[1].string)
            #expect(try wif.network == (row[2].string == "main" ? .main : .test))
            #expect(try wif.isCompressed == row[3].bool)
            #expect(try wif.text().text == row[0].string)
        }
        #expect(cases.count == 16)
    }

    @Test("no invalid text of Bitcoin Core is read as a private or an extended key")
    func invalid() throws {
        let context = SigningContext()
        let cases = try Fixture.json("keys/wif.json")["invalid"].array
        for row in cases {
            let text = try row.string
            #expect(throws: WIFError.self) { _ = try WIF(text: SecretBytes(text: text), context) }
            #expect(throws: ExtendedKeyError.self) { _ = try ExtendedPrivateKey(text, context) }
            #expect(throws: ExtendedKeyError.self) { try ExtendedPublicKey(text) }
        }
        #expect(cases.count == 70)
    }
}
