import Bitcoin
import SecretMemory
import Signing
import TestSupport
import Testing

@testable import KeyTree

@Suite("Mutated secrets")
struct MutationTests {
    @Test("a private key whose text or bytes were changed is refused or written as it is, no trap")
    func texts() throws {
        let context = SigningContext()
        var generator = SeededGenerator(seed: 85)
        let master = try ExtendedPrivateKey(
            seed: SecretBytes.random(count: 64), network: .main, context)
        let wif = WIF(key: master.key.duplicate(), network: .test, isCompressed: false)
        for _ in 0..<1000 {
            let changed = generator.mutated(master.text().array)
            if let key = try? ExtendedPrivateKey(text: SecretBytes(changed), context) {
                #expect(key.text().array == changed)
            }
            let changedWIF = generator.mutated(wif.text().array)
            if let key = try? WIF(text: SecretBytes(changedWIF), context) {
                #expect(key.text().array == changedWIF)
            }
        }
        // Behind a right checksum.
        for length in 0...40 {
            let text = SecretBase58Check.encode(count: length) { bytes in
                for index in bytes.indices { bytes[index] = index == 0 ? 0x80 : 1 }
            }
            let isKey = (try? WIF(text: text, context)) != nil
            #expect(isKey == (length == 33 || length == 34))
        }
    }

    @Test("a phrase and a passphrase of any bytes are refused or give a seed, no trap")
    func phrases() throws {
        var generator = SeededGenerator(seed: 39)
        let start = try Mnemonic.random(wordCount: 12).text + "\u{E9}\u{FB01}"
        for _ in 0..<2000 {
            let changed = generator.mutated(Array(start.utf8))
            if let phrase = try? Mnemonic(text: SecretBytes(changed)) {
                let again = try Mnemonic(phrase.text)
                #expect(again.text == phrase.text)
            }
            if let normal = try? NFKD.normalise(SecretBytes(changed)) {
                #expect(try NFKD.normalise(normal).array == normal.array)
            }
        }
    }
}
