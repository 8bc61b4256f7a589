import KeyTree
import SecretMemory
import Signing
import TestSupport
import Testing

@testable import Vault

@Suite("Vault bodies")
struct VaultBodyTests {
    private static func read(_ bytes: [UInt8], _ kind: VaultKind = .wallet) throws(VaultError) {
        _ = try VaultBody(secret(bytes), of: kind)
    }

    /// A body with these fields.
    private static func encoded(_ fields: [(UInt8, [UInt8])], version: UInt8 = 1) -> [UInt8] {
        var bytes: [UInt8] = [version, 0]
        for (number, value) in fields {
            bytes += [number, UInt8(value.count & 0xFF), UInt8(value.count >> 8)] + value
        }
        return bytes + [UInt8](repeating: 0, count: (256 - bytes.count % 256) % 256)
    }

    private static let entropy = (UInt8(1), [UInt8](repeating: 7, count: 16))

    @Test("fields are read in their order only, once only, and none beyond those that are known")
    func order() throws {
        let birthday = (UInt8(4), [UInt8](repeating: 0, count: 8))
        try Self.read(Self.encoded([Self.entropy, birthday]))
        let wrong: [[(UInt8, [UInt8])]] = [
            [birthday, Self.entropy], [Self.entropy, Self.entropy], [Self.entropy, (5, [1])],
            [Self.entropy, (2, [])], [(1, [1, 2, 3])], [], [birthday],
            [Self.entropy, (3, Array("xprv".utf8))], [(2, [65]), (3, Array("xprv".utf8))],
            [Self.entropy, (4, [1, 2])], [(3, [UInt8](repeating: 65, count: 113))],
        ]
        for fields in wrong {
            #expect(throws: VaultError.self, "\(fields)") {
                try Self.read(Self.encoded(fields))
            }
        }
        #expect(throws: VaultError.self) { try Self.read(Self.encoded([Self.entropy]), .items) }
        try Self.read(Self.encoded([]), .items)
    }

    @Test("bytes behind the fields, cut fields and other versions are refused")
    func frame() {
        var behind = Self.encoded([Self.entropy])
        behind[200] = 1
        #expect(throws: VaultError.malformed(.body, position: 200)) { try Self.read(behind) }
        let cut = Array(Self.encoded([Self.entropy])[..<12])
        #expect(throws: VaultError.malformed(.body, position: 3)) { try Self.read(cut) }
        for count in 0..<2 {
            #expect(throws: VaultError.malformed(.body, position: 0)) {
                try Self.read([UInt8](repeating: 1, count: count))
            }
        }
        #expect(throws: VaultError.newerVersion(.body, found: 2, known: 1)) {
            try Self.read(Self.encoded([Self.entropy], version: 2))
        }
    }

    @Test("nothing traps on changed bodies")
    func mutations() throws {
        var generator = SeededGenerator(seed: 5)
        let body = try FormatVectorTests.vaults()[0].1.body().encoded().revealed()
        var refused = 0
        for _ in 0..<5000 {
            do {
                try Self.read(generator.mutated(body))
            } catch {
                refused += 1
            }
        }
        #expect(refused > 1000)
    }

    @Test("the seed takes the passphrase in its normal form, the body keeps it as typed")
    func passphrase() throws {
        let entropy = secret([UInt8](repeating: 0, count: 16))
        let composed = try VaultBody(
            Mnemonic(entropy: entropy), passphrase: secret("é"), birthday: nil)
        let decomposed = try VaultBody(
            Mnemonic(entropy: entropy), passphrase: secret("e\u{301}"), birthday: nil)
        #expect(composed.seed()?.revealed() == decomposed.seed()?.revealed())
        #expect(composed.withPassphrase { $0.count } == 2)
        #expect(decomposed.withPassphrase { $0.count } == 3)
        #expect(throws: NFKDError.notUTF8(position: 0)) {
            _ = try VaultBody(
                Mnemonic(entropy: entropy), passphrase: secret([0xFF]), birthday: nil)
        }
    }

    @Test("only a master key is imported")
    func masterOnly() throws {
        let context = SigningContext()
        let key = try ExtendedPrivateKey(text: secret(FormatVectorTests.masterKey), context)
        let body = try VaultBody(key, birthday: nil)
        #expect(body.withExtendedKeyText { $0.elementsEqual(FormatVectorTests.masterKey.utf8) })
        let hasPhrase = body.phrase() != nil
        #expect(!hasPhrase)
        let child = try key.derive(.init(rawValue: 0), context)
        #expect(throws: ImportError.notAMasterKey(depth: 1)) {
            _ = try VaultBody(child, birthday: nil)
        }
    }
}
