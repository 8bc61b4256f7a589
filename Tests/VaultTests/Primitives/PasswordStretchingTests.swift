import CSodium
import TestSupport
import Testing

@testable import Vault

@Suite("Password stretching")
struct PasswordStretchingTests {
    /// libsodium takes salts of 16 bytes only where it gives a key, and any salt where it checks an
    /// encoded hash; how this module calls it is held to a second implementation by the vectors of
    /// the formats.
    @Test("libsodium's Argon2id knows the published hashes")
    func argon2id() throws {
        let rows = try Fixture.json("sealing/argon2id.json").array
        for row in rows {
            let password = try row[0].string
            let isRight = crypto_pwhash_argon2id_str_verify(
                try row[1].string, password, UInt64(password.utf8.count))
            #expect(isRight == 0, "\(row.path)")
            let isWrong = crypto_pwhash_argon2id_str_verify(
                try row[1].string, password + "!", UInt64(password.utf8.count + 1))
            #expect(isWrong == -1, "\(row.path)")
        }
        #expect(rows.count == 8)
    }

    @Test("PBKDF2 gives the first 32 bytes of Wycheproof's keys")
    func pbkdf2() throws {
        var cases = 0
        for row in try Fixture.json("hashing/pbkdf2_sha256.json")["cases"].array {
            let key = try row[3].hex
            guard key.count >= 32 else { continue }
            let output = PasswordStretching.pbkdf2(
                secret(try row[0].hex), salt: try row[1].hex, iterations: UInt32(try row[2].int))
            #expect(output.revealed() == Array(key[..<32]), "\(row.path)")
            cases += 1
        }
        #expect(cases == 38)
    }

    @Test("the salt, the password and the cost all matter")
    func inputs() throws {
        func key(_ password: String, _ salt: UInt8, _ passes: UInt32, _ memory: UInt32) throws
            -> [UInt8]
        {
            try PasswordStretching.argon2id(
                secret(password), salt: [UInt8](repeating: salt, count: 16), passes: passes,
                memoryKiB: memory
            ).revealed()
        }
        let keys = [
            try key("a", 0, 2, 1024), try key("b", 0, 2, 1024), try key("a", 1, 2, 1024),
            try key("a", 0, 3, 1024), try key("a", 0, 2, 2048), try key("", 0, 2, 1024),
        ]
        #expect(Set(keys).count == 6)
        #expect(try key("a", 0, 2, 1024) == keys[0])
    }

    @Test("memory that the machine does not have is an error that names the choice")
    func memory() {
        let error = vaultError {
            _ = try PasswordStretching.argon2id(
                secret("password"), salt: [UInt8](repeating: 0, count: 16), passes: 1,
                memoryKiB: 0xFFFF_FFFF)
        }
        #expect(error == .notEnoughMemory(needed: 0xFFFF_FFFF << 10))
        #expect("\(VaultError.notEnoughMemory(needed: 1 << 27))".contains("128 MiB"))
        #expect("\(VaultError.notEnoughMemory(needed: 1 << 27))".contains("--kdf pbkdf2"))
    }
}
