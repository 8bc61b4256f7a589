import Bitcoin
import PSBT
import TestSupport
import Testing
import Wire

/// The role-by-role example of BIP174.
struct BIP174Roles: Decodable {
    struct Creation: Decodable {
        struct Input: Decodable {
            let txid: String
            let index: UInt32
        }
        struct Output: Decodable {
            let script: HexBytes
            let sats: UInt64
        }
        let inputs: [Input]
        let outputs: [Output]
        let result: String

        func transaction() throws -> Transaction {
            let inputs = try inputs.map { input in
                TransactionInput(
                    outpoint: OutPoint(txid: try #require(Txid(input.txid)), vout: input.index))
            }
            let outputs = try outputs.map { output in
                TransactionOutput(
                    value: try #require(Amount(sats: output.sats)),
                    scriptPubKey: Script(output.script.bytes))
            }
            return Transaction(version: 2, inputs: inputs, outputs: outputs)
        }
    }
    struct Update: Decodable {
        struct Key: Decodable {
            let key: HexBytes
            let path: String
        }
        let redeemScripts: [HexBytes]
        let witnessScripts: [HexBytes]
        let previousTransactions: [HexBytes]
        let publicKeys: [Key]
        let result: String
    }

    let creator: Creation
    let updater: Update
    let updaterSighashAll: String
    let signer1: String
    let signer2: String
    let combiner: String
    let finalizer: String
    let extractor: HexBytes
    let unknownInputs: [String]
    let unknownResult: String
    let failsSignerChecks: [NamedPSBT]

    static func load() throws -> BIP174Roles { try Fixture.load("psbt/bip174.json") }
}

@Suite("Roles: the example of BIP174, ten steps")
struct RoleTests {
    @Test("creator")
    func creator() throws {
        let roles = try BIP174Roles.load()
        let psbt = try PSBT(roles.creator.transaction())
        #expect(psbt.base64 == roles.creator.result)
    }

    @Test("updater, from previous transactions, scripts and origins")
    func updater() throws {
        let roles = try BIP174Roles.load()
        let update = roles.updater
        let expected = try PSBT(base64: update.result)
        var psbt = try PSBT(base64: roles.creator.result)
        let fingerprint = try #require(expected.inputs[0].derivations.first).origin.fingerprint
        let derivations = try update.publicKeys.map { key in
            PSBT.Derivation(
                publicKey: key.key.bytes,
                origin: KeyOrigin(fingerprint: fingerprint, path: try DerivationPath(key.path)))
        }
        let transactions = try update.previousTransactions.map { try Transaction($0.bytes) }

        var first = InputUpdate()
        first.previousTransaction = transactions.first {
            $0.txid == psbt.inputs[0].outpoint.txid
        }
        first.redeemScript = Script(update.redeemScripts[0].bytes)
        first.derivations = Array(derivations[0..<2])
        var second = InputUpdate()
        second.witnessUTXO = try #require(
            transactions.first { $0.txid == psbt.inputs[1].outpoint.txid }
        ).outputs[Int(psbt.inputs[1].outpoint.vout)]
        second.redeemScript = Script(update.redeemScripts[1].bytes)
        second.witnessScript = Script(update.witnessScripts[0].bytes)
        second.derivations = Array(derivations[2..<4])
        psbt = try psbt.updating(input: 0, with: first).updating(input: 1, with: second)
        for (output, derivation) in derivations[4...].enumerated() {
            var change = OutputUpdate()
            change.derivations = [derivation]
            psbt = try psbt.updating(output: output, with: change)
        }
        #expect(psbt.sorted == expected.sorted)

        var all = InputUpdate()
        all.sighashType = .all
        psbt = try psbt.updating(input: 0, with: all).updating(input: 1, with: all)
        #expect(try psbt.sorted == PSBT(base64: roles.updaterSighashAll).sorted)
    }

    @Test("signers: each added two signatures, which verify, and nothing else")
    func signers() throws {
        let roles = try BIP174Roles.load()
        let sent = try PSBT(base64: roles.updaterSighashAll)
        let checker = try SignatureChecker(sent)
        for signer in [roles.signer1, roles.signer2] {
            let answer = try sent.compare(answer: PSBT(base64: signer))
            #expect(answer.signatures.count == 2)
            #expect(answer.removed.isEmpty)
            for signature in answer.signatures { try checker.check(signature) }
            let signed = try sent.adding(answer.signatures)
            #expect(try signed.sorted == PSBT(base64: signer).sorted)
        }
    }

    @Test("combiner, either order")
    func combiner() throws {
        let roles = try BIP174Roles.load()
        let signed = [try PSBT(base64: roles.signer1), try PSBT(base64: roles.signer2)]
        let combined = try PSBT.combining(signed)
        #expect(try combined.sorted == PSBT(base64: roles.combiner).sorted)
        #expect(try PSBT.combining(signed.reversed()).sorted == combined.sorted)
    }

    @Test("combiner of unknown fields: keys in ascending order, byte for byte")
    func unknownFields() throws {
        let roles = try BIP174Roles.load()
        let parts = try roles.unknownInputs.map { try PSBT(base64: $0) }
        #expect(parts.count == 2)
        #expect(try PSBT.combining(parts).base64 == roles.unknownResult)
    }

    @Test("finaliser, byte for byte")
    func finalizer() throws {
        let roles = try BIP174Roles.load()
        #expect(try PSBT(base64: roles.combiner).finalized().base64 == roles.finalizer)
    }

    @Test("extractor")
    func extractor() throws {
        let roles = try BIP174Roles.load()
        let transaction = try PSBT(base64: roles.finalizer).extracted()
        #expect(transaction.serialized() == roles.extractor.bytes)
    }

    @Test("the four PSBTs that a signer has to refuse, each for its reason")
    func signerChecks() throws {
        let vectors = try BIP174Roles.load().failsSignerChecks
        let expected: [(input: Int, SpendError)] = [
            (0, .previousTransactionMissing), (0, .redeemScriptDiffers),
            (1, .redeemScriptDiffers), (1, .witnessScriptDiffers),
        ]
        #expect(vectors.count == 4)
        for (vector, (input, error)) in zip(vectors, expected) {
            let psbt = try PSBT(base64: vector.psbt)
            #expect(throws: error, "\(vector.name)") { try psbt.spend(ofInput: input) }
        }
    }

    @Test("Core: 6 signers, 2 combiners, 1 finaliser, 1 extractor, 1 creator")
    func core() throws {
        let vectors = try CoreVectors.load()
        // Four of the six have what a signer must refuse: Core gives them back as they were.
        #expect(vectors.signer.count == 6)
        var counts: [Int] = []
        for step in vectors.signer {
            let sent = try PSBT(base64: step.psbt)
            let answer = try sent.compare(answer: PSBT(base64: step.result))
            counts.append(answer.signatures.count)
            for signature in answer.signatures {
                try SignatureChecker(sent).check(signature)
            }
        }
        #expect(counts == [2, 2, 0, 0, 0, 0])
        #expect(vectors.combiner.count == 2)
        let parts = try vectors.combiner[0].combine.map { try PSBT(base64: $0) }
        let result = try PSBT(base64: vectors.combiner[0].result)
        #expect(try PSBT.combining(parts).sorted == result.sorted)
        // The other one has type 0x0F as unknown, which BIP370 has given a meaning since; BIP174 has
        // the same example with type 0xF0 (`unknownFields`).
        for part in vectors.combiner[1].combine {
            #expect(throws: PSBTFileError.self) { try PSBT(base64: part) }
        }
        #expect(vectors.finalizer.count == 1)
        for step in vectors.finalizer {
            #expect(try PSBT(base64: step.finalize).finalized().base64 == step.result)
        }
        #expect(vectors.extractor.count == 1)
        for step in vectors.extractor {
            let transaction = try PSBT(base64: step.extract).extracted()
            #expect(Hex.encode(transaction.serialized()) == step.result)
        }
        #expect(vectors.creator.count == 1)
        for creation in vectors.creator {
            #expect(try PSBT(creation.transaction()).base64 == creation.result)
        }
    }
}

extension PSBT {
    /// The records of every map in ascending order: Core orders signatures by the hash of their key.
    var sorted: [[String]] {
        ([global.records] + inputs.map(\.records) + outputs.map(\.records)).map { map in
            map.map { Hex.encode($0.key) + " " + Hex.encode($0.value) }.sorted()
        }
    }
}
