import SecretMemory
import TestSupport
import Testing
import Wire

@testable import Vault

@Suite("What HKDF and libsodium give")
struct SodiumTests {
    @Test("HKDF-SHA256 gives the keys of RFC 5869 and Wycheproof")
    func hkdf() throws {
        let rows = try Fixture.json("sealing/hkdf_sha256.json").array
        for row in rows {
            let okm = secret(try row[0].hex)
                .hkdf(salt: try row[1].hex, info: try row[2].hex, count: try row[3].int)
            let expected = try row[4].hex
            #expect(okm.revealed() == expected, "\(row.path)")
        }
        #expect(rows.count == 83)
    }

    @Test("XChaCha20-Poly1305 seals and opens Wycheproof's rows and refuses the forged ones")
    func xChaCha() throws {
        var cases = 0
        for row in try Fixture.json("sealing/xchacha20poly1305.json").array {
            let key = secret(try row[0].hex)
            let (nonce, associated) = (try row[1].hex, try row[2].hex)
            let (text, sealed) = (try row[3].hex, try row[4].hex + row[5].hex)
            var opened = sealed
            let isValid = opened.withUnsafeMutableBytes { sealed in
                XChaCha20Poly1305.open(
                    UnsafeRawBufferPointer(sealed), key: key, nonce: nonce,
                    associatedData: associated,
                    into: UnsafeMutableRawBufferPointer(rebasing: sealed[..<text.count]))
            }
            #expect(try isValid == row[6].bool, "\(row.path)")
            if isValid {
                #expect(Array(opened[..<text.count]) == text, "\(row.path)")
                var again = text + [UInt8](repeating: 0, count: 16)
                again.withUnsafeMutableBytes { buffer in
                    XChaCha20Poly1305.seal(
                        UnsafeRawBufferPointer(rebasing: buffer[..<text.count]), key: key,
                        nonce: nonce, associatedData: associated, into: buffer)
                }
                #expect(again == sealed, "\(row.path)")
            }
            cases += 1
        }
        #expect(cases == 306)
    }

    @Test("Ed25519 accepts and refuses what Wycheproof says")
    func ed25519() throws {
        let rows = try Fixture.json("sealing/ed25519.json").array
        for row in rows {
            let key = try #require(Bytes32(try row[0].hex))
            let isValid = Ed25519.verify(try row[2].hex, of: try row[1].hex, by: key)
            #expect(try isValid == row[3].bool, "\(row.path)")
        }
        #expect(rows.count == 151)
    }

    @Test("a signature made here is RFC 8032's, and valid")
    func signing() throws {
        // RFC 8032, section 7.1, test 3.
        let seed = secret(
            try Hex.decode("c5aa8df43f9f837bedb7442f31dcb7b166d38535076f094b85ce3a2e0b4458f7"))
        let message: [UInt8] = [0xAF, 0x82]
        let signingKey = Ed25519SigningKey(seed: seed)
        let signature = signingKey.sign(message)
        let key = signingKey.publicKey
        #expect(
            key.description == "fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025")
        #expect(
            Hex.encode(signature)
                == "6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac"
                + "18ff9b538d16f290ae67f760984dc6594a7c15e9716ed28dc027beceea1ec40a")
        #expect(Ed25519.verify(signature, of: message, by: key))
        #expect(!Ed25519.verify(signature, of: [0xAF, 0x83], by: key))
    }
}
