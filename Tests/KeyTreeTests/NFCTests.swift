import Hashing
import SecretMemory
import TestSupport
import Testing

@testable import KeyTree

@Suite("NFC")
struct NFCTests {
    @Test("every Unicode scalar is in the normal form or not, as Unicode 16 says")
    func everyScalar() throws {
        var digits: [UInt8] = []
        for value in UInt32(0)..<0x11_0000 {
            guard let scalar = Unicode.Scalar(value) else { continue }
            let isNormalised = try NFC.isNormalised(SecretBytes(Array(String(scalar).utf8)))
            digits.append(UInt8(ascii: isNormalised ? "1" : "0"))
        }
        #expect(digits.count == 0x11_0000 - 0x800)
        let expected = try Fixture.json("keys/nfc.json")["all_scalars_sha256"].string
        #expect(SHA256.hash(digits).description == expected)
    }

    @Test("marks, syllables and characters that join are put together as Unicode 16 does")
    func strings() throws {
        let cases = try Fixture.json("keys/nfc.json")["strings"].array
        for row in cases {
            #expect(try NFC.isNormalised(SecretBytes(row[0].hex)) == row[1].bool, "\(row.path)")
        }
        #expect(cases.count == 300)
    }

    @Test("bytes that are not UTF-8 and long texts are refused")
    func refused() {
        #expect(throws: NFKDError.notUTF8(position: 1)) {
            try NFC.isNormalised(SecretBytes([0x61, 0xFF]))
        }
        #expect(throws: NFKDError.tooLong(found: 1025, allowed: 1024)) {
            try NFC.isNormalised(SecretBytes(count: 1025))
        }
    }
}
