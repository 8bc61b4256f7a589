import TestSupport
import Testing
import Wire

@testable import Hashing

@Suite("Hash vectors")
struct HashVectorTests {
    @Test("RIPEMD-160 of every vector comes out")
    func ripemd160() throws {
        let cases = try Fixture.json("hashing/ripemd160.json")["cases"].array
        for row in cases {
            let message = String(repeating: try row[0].string, count: try row[1].int)
            #expect(try RIPEMD160.hash(Array(message.utf8)).description == row[2].string)
        }
        #expect(cases.count == 9)
    }

    @Test("Keccak-256 of every vector comes out")
    func keccak() throws {
        let cases = try Fixture.json("hashing/keccak256.json")["cases"].array
        for row in cases {
            #expect(try Keccak256.hash(row[0].hex).description == row[1].string)
        }
        #expect(cases.count == 20)
    }

    @Test("messages that end around the sponge's rate are padded right")
    func keccakPadding() {
        // Computed with pycryptodome for so many zero bytes.
        let known = [
            0: "c5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470",
            135: "29e3704feeca7fb9ba229f0fa04d9b36449cf3ad6e1d85d9cfff3a10df9abc3e",
            136: "3a5912a7c5faa06ee4fe906253e339467a9ce87d533c65be3c15cb231cdb25f9",
            137: "bee7fbb405cb0d91a8775e338c4a5e4b5d6b2d051f687fa942043cffdc73bd28",
        ]
        for (count, digest) in known {
            #expect(Keccak256.hash([UInt8](repeating: 0, count: count)).description == digest)
        }
    }

    @Test("SHA3-256 around the sponge's rate comes out")
    func sha3() {
        // Computed with Python's hashlib for so many zero bytes.
        let known = [
            0: "a7ffc6f8bf1ed76651c14756a061d662f580ff4de43b49fa82d80a4b80f8434a",
            135: "7d080d7ba978a75c8a7d1f9be566c859084509c9c2b4928435c225d5777d98e3",
            136: "e772c9cf9eb9c991cdfcf125001b454fdbc0a95f188d1b4c844aa032ad6e075e",
            137: "9ed57188470a83b758cd71c00c6cc3beb984b36a6c35864b4e53017b24cf5699",
        ]
        for (count, digest) in known {
            #expect(SHA3256.hash([UInt8](repeating: 0, count: count)).description == digest)
        }
    }

    @Test("SHAKE256 squeezed in pieces is one stream")
    func shake() {
        var stream = SHAKE256()
        [UInt8](repeating: 0, count: 136).withUnsafeBytes { stream.seed($0) }
        var out = [UInt8](repeating: 0, count: 300)
        for range in [0..<1, 1..<136, 136..<137, 137..<300] {
            out[range].withUnsafeMutableBytes { stream.read(into: $0) }
        }
        // The last 32 bytes by Python's hashlib.
        #expect(
            Hex.encode(out.suffix(32))
                == "54c004f58896240d475949cc562da36e6063b13e45c75b8b301dd7f4d045b35c")
    }

    @Test("SHA-512 of FIPS 180-4's examples comes out, in pieces too")
    func sha512() throws {
        let long =
            "abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmn"
            + "hijklmnoijklmnopjklmnopqklmnopqrlmnopqrsmnopqrstnopqrstu"
        let known = [
            "abc":
                "ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a"
                + "2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f",
            long:
                "8e959b75dae313da8cf4f72814fc143f8f7779c6eb9f7fa17299aeadb6889018"
                + "501d289e4900f7e4331b99dec4b5433ac7d329eeb6dd26545e96e55b874be909",
        ]
        for (text, digest) in known {
            #expect(Hex.encode(SHA512.hash(Array(text.utf8))) == digest)
            var hash = SHA512()
            for byte in text.utf8 { [byte].withUnsafeBytes { hash.update($0) } }
            var out = [UInt8](repeating: 0, count: 64)
            out.withUnsafeMutableBytes { hash.finalize(into: $0) }
            #expect(Hex.encode(out) == digest)
        }
    }

    @Test("HMAC: valid codes come out, also cut short, invalid ones do not", arguments: [256, 512])
    func hmac(bits: Int) throws {
        let cases = try Fixture.json("hashing/hmac_sha\(bits).json")["cases"].array
        for row in cases {
            let key = try row[0].hex
            let message = try row[1].hex
            let code = try row[2].hex
            let found = bits == 256 ? hmac256(key, message) : hmac512(key, message)
            #expect(try (found.prefix(code.count) == code[...]) == row[3].bool)
        }
        #expect(cases.count == 174)
    }

    @Test("a code is the same after another message under the same key")
    func reuse() {
        var mac = HMACSHA512()
        [1, 2, 3].withUnsafeBytes { mac.setKey($0) }
        let codes = (0..<3).map { _ in
            var out = [UInt8](repeating: 0, count: 64)
            [UInt8](repeating: 9, count: 300).withUnsafeBytes { mac.update($0) }
            out.withUnsafeMutableBytes { mac.finalize(into: $0) }
            return out
        }
        #expect(Set(codes).count == 1)
    }

    private func hmac256(_ key: [UInt8], _ message: [UInt8]) -> [UInt8] {
        var mac = HMACSHA256()
        key.withUnsafeBytes { mac.setKey($0) }
        message.withUnsafeBytes { mac.update($0) }
        var out = [UInt8](repeating: 0, count: 32)
        out.withUnsafeMutableBytes { mac.finalize(into: $0) }
        return out
    }

    private func hmac512(_ key: [UInt8], _ message: [UInt8]) -> [UInt8] {
        var mac = HMACSHA512()
        key.withUnsafeBytes { mac.setKey($0) }
        message.withUnsafeBytes { mac.update($0) }
        var out = [UInt8](repeating: 0, count: 64)
        out.withUnsafeMutableBytes { mac.finalize(into: $0) }
        return out
    }

    @Test("PBKDF2: every derived key comes out", arguments: [(256, 60), (512, 58)])
    func pbkdf2(bits: Int, count: Int) throws {
        let cases = try Fixture.json("hashing/pbkdf2_sha\(bits).json")["cases"].array
        for row in cases {
            let password = try row[0].hex
            let salt = try row[1].hex
            let iterations = try row[2].int
            let expected = try row[3].hex
            var out = [UInt8](repeating: 0, count: expected.count)
            out.withUnsafeMutableBytes { out in
                password.withUnsafeBytes { password in
                    salt.withUnsafeBytes { salt in
                        if bits == 256 {
                            var mac = HMACSHA256()
                            mac.setKey(password)
                            mac.stretch(salt: salt, iterations: iterations, into: out)
                        } else {
                            var mac = HMACSHA512()
                            mac.setKey(password)
                            mac.stretch(salt: salt, iterations: iterations, into: out)
                        }
                    }
                }
            }
            #expect(out == expected)
        }
        #expect(cases.count == count)
    }
}
