import Bitcoin
import Hashing
import TestSupport
import Testing
import Wire

@Suite("Extended public keys")
struct ExtendedPublicKeyTests {
    static let text =
        "xpub68Gmy5EdvgibQVfPdqkBBCHxA5htiqg55crXYuXoQRKfDBFA1WEjWgP6LHhwBZeNK1VTsfTFUHCdrfp1bgwQ9xv5ski8PX9rL2dZXvgGDnw"

    @Test("an unhardened child of a BIP32 vector comes out; a hardened one is refused")
    func child() throws {
        let parent = try ExtendedPublicKey(Self.text)
        let child = try parent.derive(DerivationPath("1"))
        #expect(
            child.description
                == "xpub6ASuArnXKPbfEwhqN6e3mwBcDTgzisQN1wXN9BJcM47sSikHjJf3UFHKkNAWbWMiGj7Wf5uMash7SyYq527Hqck2AxYysAA7xmALppuCkwQ"
        )
        #expect(child.parentFingerprint == parent.fingerprint)
        let hardened = try #require(ChildNumber(hardened: 1))
        #expect(throws: ExtendedKeyError.hardened(hardened)) {
            try parent.derive(DerivationPath("1/1h"))
        }
    }

    @Test("the 78 bytes of PSBT and the text are the same key; other lengths are none")
    func serialized() throws {
        let key = try ExtendedPublicKey(Self.text)
        #expect(key.serialized.count == 78)
        #expect(try ExtendedPublicKey(serialized: key.serialized) == key)
        for bytes in [Array(key.serialized.dropLast()), key.serialized + [0], []] {
            #expect(throws: ExtendedKeyError.wrongLength(found: bytes.count, allowed: 78)) {
                try ExtendedPublicKey(serialized: bytes)
            }
        }
    }

    @Test("a SLIP-132 prefix is read on import only, under the bytes of its network")
    func slip132() throws {
        let key = try ExtendedPublicKey(Self.text)
        for network in [KeyNetwork.main, .test] {
            for kind in ExtendedKeyVersion.ScriptKind.allCases {
                let version = ExtendedKeyVersion(
                    network: network, scriptKind: kind, isPrivate: false)
                var bytes = key.serialized
                bytes.replaceSubrange(
                    0..<4, with: withUnsafeBytes(of: version.rawValue.bigEndian) { Array($0) })
                let text = Base58Check.encode(bytes)
                let (read, readKind) = try ExtendedPublicKey.importing(text)
                #expect(readKind == kind && read.network == network)
                #expect(read.description.hasPrefix(network == .main ? "xpub" : "tpub"))
                #expect(((try? ExtendedPublicKey(text)) != nil) == (kind == .unspecified))
            }
        }
    }

    @Test("what is read from mutated bytes is written as those bytes")
    func mutations() throws {
        var generator = SeededGenerator(seed: 78)
        let start = try ExtendedPublicKey(Self.text).serialized
        var read = 0
        for _ in 0..<5000 {
            let bytes = generator.mutated(start)
            guard let key = try? ExtendedPublicKey(serialized: bytes) else { continue }
            #expect(key.serialized == bytes)
            #expect(try ExtendedPublicKey(key.description) == key)
            read += 1
        }
        #expect(read > 300)
    }

    @Test("a mistyped character is refused by the checksum, a foreign one by its place")
    func typos() {
        var text = Array(Self.text)
        text[50] = "0"
        #expect(throws: ExtendedKeyError.notBase58Check(.notBase58(.notADigit(position: 50)))) {
            try ExtendedPublicKey(String(text))
        }
        text[50] = text[51] == "a" ? "b" : "a"
        #expect(throws: ExtendedKeyError.notBase58Check(.wrongChecksum)) {
            try ExtendedPublicKey(String(text))
        }
        #expect(throws: ExtendedKeyError.self) { try ExtendedPublicKey("") }
    }
}
