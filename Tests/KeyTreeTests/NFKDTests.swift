import Hashing
import SecretMemory
import TestSupport
import Testing
import Wire

@testable import KeyTree

@Suite("NFKD")
struct NFKDTests {
    @Test("every Unicode scalar becomes what Unicode 16 says")
    func everyScalar() throws {
        var hash = SHA256()
        var scalars = 0
        var chunk: [UInt8] = []
        // A line break keeps neighbours apart: it has combining class 0 and decomposes to itself.
        func flush() throws {
            hash.update(try NFKD.normalise(SecretBytes(chunk)).array)
            chunk.removeAll()
        }
        for value in UInt32(0)..<0x11_0000 {
            guard let scalar = Unicode.Scalar(value) else { continue }
            chunk += Array(String(scalar).utf8) + [0x0A]
            scalars += 1
            if chunk.count > NFKD.maximumByteCount - 8 { try flush() }
        }
        try flush()
        #expect(scalars == 0x11_0000 - 0x800)
        let expected = try Fixture.json("keys/nfkd.json")["all_scalars_sha256"].string
        #expect(hash.finalize().description == expected)
    }

    @Test("marks in any order come out in the order of their classes")
    func strings() throws {
        let cases = try Fixture.json("keys/nfkd.json")["strings"].array
        for row in cases {
            #expect(try NFKD.normalise(SecretBytes(row[0].hex)).hex == row[1].string)
        }
        #expect(cases.count == 100)
    }

    @Test("a passphrase opens one wallet in every normal form")
    func passphrase() throws {
        let mnemonic = try Mnemonic(
            [String](repeating: "zoo", count: 11).joined(separator: " ") + " wrong")
        let forms = ["\u{E9}\u{FB01}\u{212B}", "e\u{301}fi\u{C5}", "e\u{301}fiA\u{30A}"]
        let seeds = try forms.map {
            try mnemonic.seed(passphrase: SecretBytes(text: $0)).hex
        }
        #expect(Set(seeds).count == 1)
        let empty = try mnemonic.seed(passphrase: SecretBytes(count: 0)).hex
        #expect(empty != seeds[0])
    }

    @Test("phrases in eleven other languages give their seeds once both texts are in NFKD")
    func otherLanguages() throws {
        let cases = try Fixture.json("keys/bip39.json")["others"].array
        for row in cases {
            let phrase = try NFKD.normalise(SecretBytes(text: row[1].string))
            var mac = HMACSHA512()
            phrase.withUnsafeBytes { mac.setKey($0) }
            var seed = [UInt8](repeating: 0, count: 64)
            seed.withUnsafeMutableBytes { seed in
                Array("mnemonicTREZOR".utf8).withUnsafeBytes {
                    mac.stretch(salt: $0, iterations: 2048, into: seed)
                }
            }
            let language = try row[0].string
            #expect(try Hex.encode(seed) == row[2].string, "\(language)")
        }
        #expect(cases.count == 11)
    }

    @Test("the longest expansion fits, one byte more than allowed does not")
    func limits() throws {
        let widest = [UInt8](repeating: 0, count: 341).flatMap { _ in Array("\u{FDFA}".utf8) }
        #expect(try NFKD.normalise(SecretBytes(widest)).count == 341 * 33)
        #expect(throws: NFKDError.tooLong(found: 1025, allowed: 1024)) {
            _ = try NFKD.normalise(SecretBytes(count: 1025))
        }
        #expect(try NFKD.normalise(SecretBytes(count: 0)).count == 0)
    }

    @Test("bytes that are not UTF-8 are refused with their place")
    func notUTF8() {
        let bad: [[UInt8]] = [
            [0x80], [0xC0, 0x80], [0xC1, 0xBF], [0xE0, 0x80, 0x80], [0xED, 0xA0, 0x80],
            [0xF0, 0x80, 0x80, 0x80], [0xF4, 0x90, 0x80, 0x80], [0xF5, 0x80, 0x80, 0x80], [0xC3],
            [0xE2, 0x82], [0xC3, 0x28], [0xFF],
        ]
        for bytes in bad {
            #expect(throws: NFKDError.notUTF8(position: 2)) {
                _ = try NFKD.normalise(SecretBytes([0x61, 0x62] + bytes))
            }
        }
    }
}
