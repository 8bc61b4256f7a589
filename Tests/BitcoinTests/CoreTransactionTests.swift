import Bitcoin
import TestSupport
import Testing
import Wire

@Suite("Transactions: Bitcoin Core's vectors")
struct CoreTransactionTests {
    @Test("All 121 valid ones read, write back and pass the checks that need no context")
    func valid() throws {
        let rows = try Fixture.json("transactions/core-valid.json").array
        #expect(rows.count == 121)
        for row in rows {
            let bytes = try row["tx"].hex
            let transaction = try Transaction(bytes)
            #expect(transaction.serialized() == bytes)
            try transaction.check()
        }
    }

    @Test("93 invalid ones: the 9 that need no context are refused, the 84 others read")
    func invalid() throws {
        var counts = (refused: 0, read: 0)
        for row in try Fixture.json("transactions/core-invalid.json").array {
            let bytes = try row["tx"].hex
            let isBad = try row["flags"].string == "BADTX"
            let transaction = try? Transaction(bytes)
            let passes = transaction.map { (try? $0.check()) != nil } ?? false
            #expect(passes == !isBad, "\(row.path)")
            if let transaction { #expect(transaction.serialized() == bytes) }
            if isBad { counts.refused += 1 } else { counts.read += 1 }
        }
        #expect(counts == (9, 84))
    }

    @Test("Each check that needs no context refuses for its own reason")
    func defects() throws {
        let input = TransactionInput(
            outpoint: OutPoint(txid: Txid(.zero), vout: 0), scriptSig: Script([1, 1]))
        let output = TransactionOutput(value: .max, scriptPubKey: .p2a)
        func expect(
            _ defect: Transaction.Defect, _ inputs: [TransactionInput],
            _ outputs: [TransactionOutput]
        ) {
            #expect(throws: defect) {
                try Transaction(inputs: inputs, outputs: outputs).check()
            }
        }
        try Transaction(inputs: [input], outputs: [output]).check()
        expect(.noInputs, [], [output])
        expect(.noOutputs, [input], [])
        expect(.duplicateInput(input.outpoint), [input, input], [output])
        let one = TransactionOutput(
            value: try #require(Amount(sats: 1)), scriptPubKey: .p2a)
        expect(.totalAboveMaximum, [input], [output, one])
        let null = TransactionInput(outpoint: .null, scriptSig: Script([1]))
        expect(.nullOutpoint(input: 1), [input, null], [output])
        expect(.coinbaseScriptSize(1), [null], [output])
        var large = input
        large.scriptSig = Script([UInt8](repeating: 0, count: 1_000_000))
        let size = Transaction(inputs: [large], outputs: [output]).baseSize
        expect(.tooLarge(baseSize: size), [large], [output])
    }

    @Test("Inputs of the valid ones that one key can spend: their 39 signatures verify")
    func signatures() throws {
        var verified = 0
        for row in try Fixture.json("transactions/core-valid.json").array {
            // Left out: signatures that are no strict DER, scriptSigs that do more than push.
            let flags = try row["flags"].string.split(separator: ",")
            guard !flags.contains("DERSIG"), !flags.contains("SIGPUSHONLY") else { continue }
            let transaction = try Transaction(row["tx"].hex)
            var spent: [OutPoint: TransactionOutput] = [:]
            for output in try row["spent"].array {
                let txid = try #require(Txid(output[0].string))
                let sats = try output.array.count > 3 ? output[3].int : 0
                spent[OutPoint(txid: txid, vout: UInt32(try output[1].int))] = TransactionOutput(
                    value: try #require(Amount(sats: sats)), scriptPubKey: Script(try output[2].hex)
                )
            }
            let outputs = try transaction.inputs.map { try #require(spent[$0.outpoint]) }
            let verifier = SignatureVerifier(transaction, spentOutputs: outputs)
            for index in transaction.inputs.indices {
                switch outputs[index].scriptPubKey.template {
                case .p2pkh, .p2wpkh, .p2tr: verified += try verifier.verifySignatures(of: index)
                default: break
                }
            }
        }
        #expect(verified == 39)
    }

    @Test(
        "FindAndDelete: legacy hashes leave the signatures out of the script, BIP143 does not",
        arguments: [
            ("f187", 7_000, "1ba1fe3bc90c5d1265460e684ce6774e324f0fabdf67619eda729e64e8b6bc08"),
            ("f187", 7_500, "71c9cd9b2869b9c70b01b1f0360c148f42dee72297db312638df136f43311f23"),
            ("9628", 7_000, "1d50f00ba4db2917b903b0ec5002e017343bb38876398c9510570f5dce099295"),
            ("9628", 7_500, "c1628a1e7c67f14ca0c27c06e4fdeec2e6d1a73c7a91d7c046ff83e835aebb72"),
        ])
    func findAndDelete(txid: String, vout: Int, expected: String) throws {
        let rows = try Fixture.json("transactions/core-valid.json").array.filter {
            try $0["spent"][0][0].string.hasPrefix(txid) && $0["spent"][0][1].int == vout
        }
        #expect(rows.count == 1)
        for row in rows {
            let transaction = try Transaction(row["tx"].hex)
            let input = transaction.inputs[0]
            let value = try #require(Amount(sats: row["spent"][0][3].int))
            let calculator = SighashCalculator(
                transaction,
                spentOutputs: [TransactionOutput(value: value, scriptPubKey: .empty)])
            let pushes = try input.scriptSig.instructions().compactMap(\.pushed)
            guard let witnessScript = input.witness.items.last else {
                let signatures = pushes.dropLast().filter { $0.first == 0x30 }
                let whole = Script(try #require(pushes.last))
                let code = signatures.reduce(whole) { $0.deleting(pushOf: $1) }
                let hash = try calculator.legacy(input: 0, scriptCode: code, type: .all)
                #expect(hash.description == expected)
                let other = try calculator.legacy(input: 0, scriptCode: whole, type: .all)
                #expect(other != hash)
                continue
            }
            let hash = try calculator.segwitV0(
                input: 0, scriptCode: Script(witnessScript), type: .all)
            #expect(hash.description == expected)
        }
    }

    @Test("Mutated transactions never trap, and what reads writes back")
    func mutations() throws {
        var generator = SeededGenerator(seed: 6)
        var read = 0
        for row in try Fixture.json("transactions/core-valid.json").array {
            let bytes = try row["tx"].hex
            for _ in 0..<60 {
                let mutated = generator.mutated(bytes)
                for format in [Transaction.Format.withWitness, .withoutWitness] {
                    guard let transaction = try? Transaction(mutated, format: format) else {
                        continue
                    }
                    read += 1
                    #expect(transaction.serialized(format) == mutated)
                    _ = try? transaction.check()
                    _ = transaction.outputs.map(\.scriptPubKey.template)
                    #expect(transaction.weight >= 4 * transaction.baseSize)
                }
            }
        }
        #expect(read > 1_000)
    }
}
