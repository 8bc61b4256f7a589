import Bitcoin
import Hashing
import KeyTree
import SecretMemory
import Signing
import SigningWork
import TestSupport
import Testing
import Wire

@Suite("Signing messages (BIP137, BIP322)")
struct MessageSigningTests {
    private func text(_ text: String) -> SecretBytes {
        let bytes = Array(text.utf8)
        return SecretBytes(count: bytes.count) { $0.copyBytes(from: bytes) }
    }

    private func key(_ row: JSON, _ context: borrowing SigningContext) throws -> SecretKey {
        if let words = try? row["mnemonic"].string {
            let phrase = try Mnemonic(text: text(words))
            let seed = try phrase.seed(passphrase: SecretBytes(count: 0))
            let master = try ExtendedPrivateKey(seed: seed, network: .main, context)
            return try master.derive(try DerivationPath(try row["path"].string), context)
                .key.duplicate()
        }
        let bytes = try Hex.decode(try row["key"].string)
        return try SecretKey(context) { $0.copyBytes(from: bytes) }
    }

    private func script(
        _ kind: String, _ key: borrowing SecretKey, _ context: borrowing SigningContext
    ) throws -> Script {
        let hash = hash160(key.publicKey.compressed)
        switch kind {
        case "p2pkh": return .p2pkh(hash)
        case "p2wpkh": return .p2wpkh(hash)
        case "p2tr":
            let output = try key.taprootTweaked(merkleRoot: nil, context)
            return .p2tr(outputKey: output.publicKey.xOnly.bytes)
        default: return .p2sh(hash160(Script.p2wpkh(hash).bytes))
        }
    }

    @Test("BIP137: 16 signatures of Bitcoin Core, bitcoinjs and Trezor come out byte for byte")
    func bip137() throws {
        let context = SigningContext()
        var counts: [String: Int] = [:]
        for row in try Fixture.json("messages/signing.json")["bip137"].array {
            let key = try key(row, context)
            let script = try script(try row["kind"].string, key, context)
            let address = try #require(Address(scriptPubKey: script, network: .mainnet))
            let signature = try key.signBIP137(
                Array(try row["message"].string.utf8), for: address, context)
            #expect(try signature == row["signature"].string)
            counts[try row["from"].string, default: 0] += 1
        }
        #expect(counts == ["core": 1, "bitcoinjs": 3, "trezor": 12])
    }

    @Test("BIP322: the keys of 9 rows sign, for P2WPKH as Bitcoin Core does, byte for byte")
    func bip322() throws {
        let context = SigningContext()
        var counts = (same: 0, valid: 0)
        for row in try Fixture.json("messages/signing.json")["bip322"].array {
            let key = try WIF(text: text(try row["key"].string), context).key.duplicate()
            let message = Array(try row["message"].string.utf8)
            let script = try Address(try row["address"].string, network: .mainnet).scriptPubKey
            #expect(try script == self.script(try row["type"].string, key, context))
            let signed = try key.signBIP322(message, scriptPubKey: script, context)
            let full = SignedMessage.encodeFull(signed)
            #expect(SignedMessage.verify(full, message: message, scriptPubKey: script) == .valid)
            counts.valid += 1
            // A legacy signature stands in the scriptSig, which the simple form leaves out.
            guard try row["type"].string != "p2pkh" else { continue }
            let simple = SignedMessage.encodeSimple(signed.inputs[0].witness)
            #expect(SignedMessage.verify(simple, message: message, scriptPubKey: script) == .valid)
            let rows = try row["signatures"].array.map { try $0.string }
            if rows.contains(simple) { counts.same += 1 }
        }
        // The third row of P2WPKH was signed without grinding for a low r.
        #expect(counts == (2, 9))
    }

    @Test("The signed transaction is exactly the one of the BIP: nothing paid, no locks")
    func shape() throws {
        let context = SigningContext()
        let key = try SecretKey.random(context)
        for kind in ["p2pkh", "p2wpkh", "p2sh-p2wpkh", "p2tr"] {
            let script = try script(kind, key, context)
            let signed = try key.signBIP322([1, 2], scriptPubKey: script, context)
            var bare = signed
            bare.inputs[0].scriptSig = Script([])
            bare.inputs[0].witness = Witness()
            #expect(bare == SignedMessage.toSign(message: [1, 2], scriptPubKey: script))
            #expect(signed.version == 0 && signed.outputs.map(\.value) == [.zero])
        }
    }

    @Test("Another key's address, and an address that a form has no room for, are not signed for")
    func foreign() throws {
        let context = SigningContext()
        let key = try SecretKey.random(context)
        let other = try SecretKey.random(context)
        for kind in ["p2pkh", "p2wpkh", "p2sh-p2wpkh", "p2tr"] {
            let foreign = try script(kind, other, context)
            let address = try #require(Address(scriptPubKey: foreign, network: .mainnet))
            let legacy = thrown(MessageSigningError.self) {
                try key.signBIP137([1], for: address, context)
            }
            let full = thrown(MessageSigningError.self) {
                try key.signBIP322([1], scriptPubKey: foreign, context)
            }
            #expect(
                legacy == .wrongAddressKind && full == .wrongAddressKind, Comment(rawValue: kind))
        }
        let taproot = try #require(
            Address(scriptPubKey: try script("p2tr", key, context), network: .mainnet))
        let refused = thrown(MessageSigningError.self) {
            try key.signBIP137([1], for: taproot, context)
        }
        #expect(refused == .wrongAddressKind)
    }
}
