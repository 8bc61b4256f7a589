import Bitcoin
import Curve
import TestSupport
import Testing
import Wire

@Suite("Signature hashes: published vectors")
struct SighashVectorTests {
    @Test("Core's 500 legacy hashes")
    func legacy() throws {
        let rows = try Fixture.json("sighash/legacy.json").array
        #expect(rows.count == 500)
        for row in rows {
            let transaction = try Transaction(row[0].hex)
            #expect(try transaction.serialized(.withoutWitness) == row[0].hex)
            let calculator = SighashCalculator(
                transaction, spentOutputs: transaction.inputs.map { _ in nil })
            let hash = try calculator.legacy(
                input: row[2].int, scriptCode: Script(row[1].hex),
                type: SighashType(rawValue: UInt32(bitPattern: Int32(row[3].int))))
            #expect(try hash.reversed.description == row[4].string)
        }
    }

    @Test("BIP143: 13 hashes, and their signatures verify")
    func bip143() throws {
        var signatures = 0
        for row in try Fixture.json("sighash/bip143.json").array {
            let transaction = try Transaction(row["unsigned"].hex)
            let spent = try spentOutputs(row)
            let calculator = SighashCalculator(transaction, spentOutputs: spent)
            for signature in try row["signatures"].array {
                var code = Reader(try signature["scriptCode"].hex)
                let hash = try calculator.segwitV0(
                    input: signature["input"].int, scriptCode: Script(code.readVarBytes()),
                    type: SighashType(rawValue: UInt32(signature["type"].int)))
                #expect(try hash.description == signature["sighash"].string)
                let key = try PublicKey(signature["pubkey"].hex)
                let ecdsa = try ECDSASignature(der: signature["signature"].hex)
                #expect(key.verifies(ecdsa.normalised, digest: hash))
                signatures += 1
            }
        }
        #expect(signatures == 13)
    }

    @Test("BIP341: 7 key path hashes, and their signatures verify")
    func bip341() throws {
        let rows = try Fixture.json("sighash/bip341-spending.json").array
        #expect(rows.count == 1)
        let row = try #require(rows.first)
        let transaction = try Transaction(row["unsigned"].hex)
        let calculator = SighashCalculator(transaction, spentOutputs: try spentOutputs(row))
        var inputs = 0
        for input in try row["inputs"].array {
            let index = try input["input"].int
            let type = SighashType(rawValue: UInt32(try input["type"].int))
            let hash = try calculator.taprootKeyPath(input: index, type: type)
            #expect(try hash.description == input["sighash"].string)
            let internalKey = try XOnlyPublicKey(try #require(Bytes32(input["internalKey"].hex)))
            let root = try input.optional("merkleRoot").map { Bytes32(try $0.hex) } ?? nil
            let tweak = TaprootOutput.tweak(internalKey: internalKey, merkleRoot: root)
            let signature = try SchnorrSignature(Array(input["signature"].hex.prefix(64)))
            #expect(
                try internalKey.tweaked(by: tweak).key.verifies(signature, message: hash))
            inputs += 1
        }
        #expect(inputs == 7)
    }

    @Test("BIP341: the fully signed transaction, legacy and segwit inputs too")
    func fullySigned() throws {
        let row = try #require(try Fixture.json("sighash/bip341-spending.json").array.first)
        let verifier = SignatureVerifier(
            try Transaction(row["signed"].hex), spentOutputs: try spentOutputs(row))
        #expect(try verifier.verifiedSignatures() == 9)
    }

    @Test("34 transactions signed by Bitcoin Core: all 156 signatures verify, all sizes agree")
    func core() throws {
        let rows = try Fixture.json("sighash/core-signed.json").array
        #expect(rows.count == 34)
        var signatures = 0
        for row in rows {
            let transaction = try Transaction(row["signed"].hex)
            #expect(try transaction.serialized() == row["signed"].hex)
            #expect(try transaction.txid.description == row["txid"].string)
            #expect(try transaction.weight == row["weight"].int)
            #expect(try transaction.vsize == row["vsize"].int)
            let verifier = SignatureVerifier(transaction, spentOutputs: try spentOutputs(row))
            signatures += try verifier.verifiedSignatures()
        }
        #expect(signatures == 156)
    }

    private func spentOutputs(_ row: JSON) throws -> [TransactionOutput] {
        try row["spent"].array.map { spent in
            TransactionOutput(
                value: try #require(Amount(sats: spent[1].int)),
                scriptPubKey: Script(try spent[0].hex))
        }
    }
}
