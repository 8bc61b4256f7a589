import Bitcoin
import Hashing
import PSBT
import TestSupport
import Testing
import Wire

/// Reported bugs about certain shapes of transactions; the row is that of the list of public reports.
@Suite("Reported bugs: shapes of transactions")
struct ReportedShapeTests {
    let keys: [TestKey]

    init() throws { keys = try (1...5).map { try TestKey($0) } }

    @Test(
        "rows 11, 15 and 90 (HWI#720, FullyNoded#206, WalletWasabi#4270): many inputs",
        arguments: [22, 32, 101, 300])
    func manyInputs(count: Int) throws {
        let script = Script.multisig(required: 2, keys: keys.prefix(3).map(\.publicKey))
        let coins = (0..<count).map { $0 % 2 == 0 ? Coin.p2wsh(script) : .p2wpkh(keys[0]) }
        let psbt = try PSBT.spending(coins)
        let signatures = try coins.indices.flatMap { input in
            try keys.prefix(input % 2 == 0 ? 2 : 1).map {
                try psbt.signature(input: input, by: $0)
            }
        }
        for encoding in PSBTFile.Encoding.allCases {
            #expect(try PSBTFile(psbt.encoded(as: encoding)).psbt == psbt)
        }
        let transaction = try psbt.adding(signatures).finalized().extracted()
        #expect(transaction.inputs.count == count)
    }

    @Test("row 81 (sparrow#839): 2-of-3 with one signature is a PSBT like any other")
    func partlySigned() throws {
        let script = Script.multisig(required: 2, keys: keys.prefix(3).map(\.publicKey))
        let psbt = try PSBT.spending([.p2wsh(script)])
        let signed = try psbt.adding([psbt.signature(input: 0, by: keys[1])])
        let read = try PSBT(signed.serialized)
        #expect(read.inputs[0].partialSignatures.map(\.publicKey) == [keys[1].publicKey])
        #expect(
            try read.finalizationReport().map(\.state) == [.signaturesMissing(found: 1, needed: 2)])
    }

    @Test("row 83 (electrum#6743): signed one after the other, each signature verifies")
    func sequentialSigning() throws {
        let script = Script.multisig(required: 2, keys: keys.prefix(3).map(\.publicKey))
        var psbt = try PSBT.spending([.p2sh(.p2wsh(SHA256.hash(script.bytes)), witness: script)])
        for key in [keys[2], keys[0]] {
            let signature = try psbt.signature(input: 0, by: key)
            try SignatureChecker(psbt).check(signature)
            psbt = try PSBT(psbt.adding([signature]).serialized)
        }
        _ = try psbt.finalized().extracted()
    }

    @Test("rows 84 and 88 (passport2#607, sparrow#418): 2-of-4, and 3-of-5 paying to P2SH")
    func multisigShapes() throws {
        for (required, total) in [(2, 4), (3, 5)] {
            let script = Script.multisig(
                required: required, keys: keys.prefix(total).map(\.publicKey))
            let psbt = try PSBT.spending([.p2wsh(script)], to: [.p2sh(hash160([1]))])
            let signatures = try keys.prefix(required).map {
                try psbt.signature(input: 0, by: $0)
            }
            let transaction = try psbt.adding(signatures).finalized().extracted()
            #expect(transaction.inputs[0].witness.items.count == required + 2)
        }
    }

    @Test("row 89 (WalletWasabi#4460): P2WPKH paying to P2SH")
    func payingToP2SH() throws {
        let psbt = try PSBT.spending([.p2wpkh(keys[0])], to: [.p2sh(hash160([1]))])
        _ = try psbt.adding([psbt.signature(input: 0, by: keys[0])]).finalized().extracted()
    }

    @Test("row 85 (frostsnap#356, #560): nothing to sign, and outputs without an address")
    func nothingToSign() throws {
        let scripts: [Script] = [
            .opReturn([1, 2, 3]), Script([0x6A]), Script([0x6A, 0x00]), .empty, Script([0x4C]),
            Script([UInt8](repeating: 0xFF, count: 300)),
        ]
        let psbt = try PSBT.spending([.p2wpkh(keys[0])], to: scripts)
        let read = try PSBT(psbt.serialized)
        #expect(read.outputs.map(\.scriptPubKey) == scripts)
        #expect(
            try read.finalizationReport().map(\.state) == [.signaturesMissing(found: 0, needed: 1)])
        let empty = try PSBT(Transaction(inputs: [], outputs: []))
        #expect(try PSBT(empty.serialized) == empty)
        #expect(try empty.finalizationReport().isEmpty)
    }

    @Test(
        "spent scripts that nobody can read do not trap",
        arguments: [
            Script.empty, Script([0x4C]), Script([0x4E, 0xFF, 0xFF, 0xFF, 0xFF]), Script([0xAE]),
            Script([0x52, 0xAE]), Script([0x60, 0x02, 0x01, 0x02]),
            Script([0x51, 0x02, 0x4E, 0x73]),
        ])
    func oddScripts(script: Script) throws {
        let psbt = try PSBT.spending([Coin(scriptPubKey: script), .p2sh(Script([0xAE]))])
        #expect(try psbt.finalizationReport().allSatisfy { !$0.state.isComplete })
    }

    @Test("row 92 (liana#917): a signed miniscript of two keys with the same fingerprint")
    func sameFingerprint() throws {
        for name in ["unsigned", "all"] {
            let item = try Samples.corpusCase("wsh-miniscript-recovery")
            let text = name == "unsigned" ? item.unsigned : try #require(item.signed["all"])
            var raw = try RawPSBT(base64: text)
            for index in raw.inputs[0].indices where raw.inputs[0][index].key.first == 6 {
                raw.inputs[0][index].value.replaceSubrange(0..<4, with: [7, 7, 7, 7])
            }
            let psbt = try raw.parse()
            #expect(psbt.serialized == raw.bytes)
            #expect(psbt.inputs[0].derivations.count == 2)
            #expect(Set(psbt.inputs[0].derivations.map(\.origin.fingerprint)).count == 1)
            guard case .witnessScript = try psbt.spend(ofInput: 0).kind else {
                Issue.record("\(try psbt.spend(ofInput: 0).kind)")
                return
            }
        }
    }
}
