import Bitcoin
import SecretMemory
import Signing
import TestSupport
import Testing
import Wire

@testable import KeyTree

@Suite("Extended private keys")
struct ExtendedPrivateKeyTests {
    @Test("BIP32: every node has its xprv and xpub, which are read back as they were")
    func bip32() throws {
        let context = SigningContext()
        var nodes = 0
        for chain in try Fixture.json("keys/bip32.json")["valid"].array {
            let seed = SecretBytes(try chain["seed"].hex)
            let master = try ExtendedPrivateKey(seed: seed, network: .main, context)
            for node in try chain["nodes"].array {
                let path = try DerivationPath(node[0].string)
                let key = try master.derive(path, context)
                #expect(try key.text().text == node[2].string)
                #expect(try key.publicKey.description == node[1].string)
                #expect(try ExtendedPublicKey(node[1].string) == key.publicKey)
                let read = try ExtendedPrivateKey(node[2].string, context)
                #expect(read.publicKey == key.publicKey)
                #expect(read.key.hex == key.key.hex)
                #expect(Int(key.depth) == path.steps.count)
                if let last = path.steps.last, !last.isHardened {
                    let parent = try master.derive(DerivationPath(path.steps.dropLast()), context)
                    #expect(try parent.publicKey.derive(last) == key.publicKey)
                }
                nodes += 1
            }
        }
        #expect(nodes == 17)
    }

    @Test("BIP32: every invalid extended key is refused for its reason")
    func bip32Invalid() throws {
        let context = SigningContext()
        let reasons: [String: ExtendedKeyError] = [
            "pubkey version / prvkey mismatch": .invalidKey(.wrongPrefix(0)),
            "prvkey version / pubkey mismatch": .wrongKind,
            "invalid pubkey prefix 04": .invalidKey(.wrongPrefix(4)),
            "invalid prvkey prefix 04": .invalidKey(.wrongPrefix(4)),
            "invalid pubkey prefix 01": .invalidKey(.wrongPrefix(1)),
            "invalid prvkey prefix 01": .invalidKey(.wrongPrefix(1)),
            "private key 0 not in 1..n-1": .invalidKey(.scalarOutOfRange),
            "private key n not in 1..n-1": .invalidKey(.scalarOutOfRange),
            "invalid checksum": .notBase58Check(.wrongChecksum),
        ]
        let cases = try Fixture.json("keys/bip32.json")["invalid"].array
        for row in cases {
            let text = try row[0].string
            let reason = try row[1].string
            func error(isPrivate: Bool) -> ExtendedKeyError? {
                do {
                    if isPrivate {
                        _ = try ExtendedPrivateKey(text, context)
                    } else {
                        _ = try ExtendedPublicKey(text)
                    }
                    return nil
                } catch {
                    return error as? ExtendedKeyError
                }
            }
            let found = error(isPrivate: text.hasPrefix("xprv"))
            switch found {
            case .masterWithParent: #expect(reason.contains("non-zero parent fingerprint"))
            case .masterWithChildNumber: #expect(reason.contains("non-zero index"))
            case .unknownVersion: #expect(reason == "unknown extended key version")
            default:
                if reason.hasPrefix("invalid pubkey 02") {
                    #expect(found == .invalidKey(.notOnCurve))
                } else {
                    #expect(found == reasons[reason], "\(reason)")
                    #expect(reasons[reason] != nil)
                }
            }
            #expect(error(isPrivate: true) != nil && error(isPrivate: false) != nil)
        }
        #expect(cases.count == 16)
    }

    @Test("a seed of 15 or 65 bytes makes no master key")
    func seedLength() {
        let context = SigningContext()
        for count in [0, 15, 65] {
            #expect(throws: ExtendedKeyError.seedLength(found: count, allowed: 16...64)) {
                _ = try ExtendedPrivateKey(
                    seed: SecretBytes(count: count), network: .main, context)
            }
        }
    }

    @Test("a key 255 steps deep has no child, private or public")
    func tooDeep() throws {
        let context = SigningContext()
        var key = try ExtendedPrivateKey(
            seed: SecretBytes.random(count: 32), network: .test, context)
        for _ in 0..<255 { key = try key.derive(ChildNumber(rawValue: 0), context) }
        #expect(key.depth == 255 && key.text().text.hasPrefix("tprv"))
        #expect(throws: ExtendedKeyError.tooDeep) {
            _ = try key.derive(ChildNumber(rawValue: 0), context)
        }
        #expect(throws: ExtendedKeyError.tooDeep) {
            try key.publicKey.derive(ChildNumber(rawValue: 0))
        }
    }

    @Test("SLIP-10 for secp256k1 is BIP32: fingerprints, chain codes and keys come out")
    func slip10() throws {
        let context = SigningContext()
        var nodes = 0
        for chain in try Fixture.json("keys/slip10.json")["secp256k1"].array {
            let seed = SecretBytes(try chain["seed"].hex)
            let master = try ExtendedPrivateKey(seed: seed, network: .main, context)
            for node in try chain["nodes"].array {
                let key = try master.derive(DerivationPath(node[0].string), context)
                #expect(try key.parentFingerprint.description == node[1].string)
                #expect(try key.chainCode.hex == node[2].string)
                #expect(try key.key.hex == node[3].string)
                #expect(try key.key.publicKey.description == node[4].string)
                nodes += 1
            }
        }
        #expect(nodes == 12)
    }

    @Test("SLIP-132: ten prefixes are read, remembered and written as xpub or tpub")
    func slip132() throws {
        let context = SigningContext()
        let fixture = try Fixture.json("keys/slip132.json")
        let versions = try fixture["versions"].array
        for row in versions {
            for (column, isPrivate) in [(0, false), (2, true)] {
                let bytes = try row[column].hex
                let number = bytes.reduce(0) { UInt32($0) << 8 | UInt32($1) }
                let version = try #require(ExtendedKeyVersion(rawValue: number))
                #expect(version.isPrivate == isPrivate)
                #expect(try version.network == (row[4].bool ? .test : .main))
                let kinds: [Character: ExtendedKeyVersion.ScriptKind] = [
                    "x": .unspecified, "t": .unspecified, "y": .nestedSegwit, "u": .nestedSegwit,
                    "z": .segwit, "v": .segwit, "Y": .nestedSegwitMultisig,
                    "U": .nestedSegwitMultisig, "Z": .segwitMultisig, "V": .segwitMultisig,
                ]
                let prefix = try #require(try row[column + 1].string.first)
                #expect(version.scriptKind == kinds[prefix])
            }
        }
        #expect(versions.count == 10)

        let seed = try Mnemonic(fixture["mnemonic"].string).seed(passphrase: SecretBytes(count: 0))
        let master = try ExtendedPrivateKey(seed: seed, network: .main, context)
        let accounts = try fixture["accounts"].array
        for row in accounts {
            let account = try master.derive(DerivationPath(row[0].string), context)
            let (key, kind) = try ExtendedPublicKey.importing(row[2].string)
            #expect(key == account.publicKey)
            let secret = try ExtendedPrivateKey(row[1].string, context)
            #expect(secret.scriptKind == kind)
            #expect(secret.text().text == account.text().text)
            if kind != .unspecified {
                #expect(throws: ExtendedKeyError.self) { try ExtendedPublicKey(row[2].string) }
            }
        }
        #expect(accounts.count == 3)
    }

    @Test("BIP49, 84 and 86: account keys and their children come out of the mnemonic")
    func accounts() throws {
        let context = SigningContext()
        let fixture = try Fixture.json("keys/accounts.json")
        let seed = try Mnemonic(fixture["mnemonic"].string).seed(passphrase: SecretBytes(count: 0))
        var values = 0
        let nodes = try fixture["nodes"].array
        for node in nodes {
            let network: KeyNetwork = try node["network"].string == "main" ? .main : .test
            let master = try ExtendedPrivateKey(seed: seed, network: network, context)
            let key = try master.derive(DerivationPath(node["path"].string), context)
            if let text = try node.optional("prv") {
                #expect(try ExtendedPrivateKey(text.string, context).text().text == key.text().text)
                values += 1
            }
            if let text = try node.optional("pub") {
                #expect(try ExtendedPublicKey.importing(text.string).key == key.publicKey)
                values += 1
            }
            if let text = try node.optional("wif") {
                let wif = WIF(key: key.key.duplicate(), network: network)
                #expect(try wif.text().text == text.string)
                values += 1
            }
            if let text = try node.optional("private") {
                #expect(try key.key.hex == text.string)
                values += 1
            }
            if let text = try node.optional("public") {
                #expect(try key.key.publicKey.description == text.string)
                values += 1
            }
        }
        #expect(nodes.count == 13)
        #expect(values == 26)
    }
}
