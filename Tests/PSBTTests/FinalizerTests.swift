import Bitcoin
import Hashing
import PSBT
import TestSupport
import Testing
import Wire

@Suite("Finaliser: witnesses of each kind of script")
struct FinalizerTests {
    let keys: [TestKey]

    init() throws { keys = try (1...5).map { try TestKey($0) } }

    private func multisig(_ required: Int) -> Script {
        .multisig(required: required, keys: keys.prefix(3).map(\.publicKey))
    }

    @Test("one key: P2PK, P2PKH, P2SH-P2PKH, P2WPKH, P2SH-P2WPKH, P2WSH of P2PK and P2PKH, P2TR")
    func oneKey() throws {
        let key = keys[0].publicKey
        let hash = hash160(key)
        let coins: [Coin] = [
            Coin(scriptPubKey: .p2pk(key)), Coin(scriptPubKey: .p2pkh(hash)),
            .p2sh(.p2pkh(hash)), .p2wpkh(keys[0]), .p2sh(.p2wpkh(hash)), .p2wsh(.p2pk(key)),
            .p2wsh(.p2pkh(hash)), try .p2tr(keys[0]),
        ]
        let psbt = try PSBT.spending(coins)
        let signatures = try coins.indices.map { try psbt.signature(input: $0, by: keys[0]) }
        let transaction = try psbt.adding(signatures).finalized().extracted()
        let s = signatures.map(\.value)
        let redeem = { (script: Script) in Script.build { $0.push(script.bytes) } }
        let expected: [(Script, [[UInt8]])] = [
            (Script.build { $0.push(s[0]) }, []),
            (pushes([s[1], key]), []),
            (pushes([s[2], key, Script.p2pkh(hash).bytes]), []),
            (.empty, [s[3], key]),
            (redeem(.p2wpkh(hash)), [s[4], key]),
            (.empty, [s[5], Script.p2pk(key).bytes]),
            (.empty, [s[6], key, Script.p2pkh(hash).bytes]),
            (.empty, [s[7]]),
        ]
        for (input, (scriptSig, witness)) in zip(transaction.inputs, expected) {
            #expect(input.scriptSig == scriptSig)
            #expect(input.witness.items == witness)
        }
    }

    @Test("multisig: bare, P2SH, P2WSH and P2SH-P2WSH, signatures in the order of the keys")
    func multisigs() throws {
        let script = multisig(2)
        let wrapped = Script.p2wsh(SHA256.hash(script.bytes))
        let coins: [Coin] = [
            Coin(scriptPubKey: script), .p2sh(script), .p2wsh(script),
            .p2sh(wrapped, witness: script),
        ]
        let psbt = try PSBT.spending(coins)
        // The third key signs first, and three signatures are one more than needed.
        let signatures = try coins.indices.flatMap { input in
            try [2, 0, 1].map { try psbt.signature(input: input, by: keys[$0]) }
        }
        let transaction = try psbt.adding(signatures).finalized().extracted()
        for (index, input) in transaction.inputs.enumerated() {
            let own = signatures.filter { $0.input == index }.map(\.value)
            let items: [[UInt8]] = [[], own[1], own[2]]
            let (scriptSig, witness): (Script, [[UInt8]]) =
                switch index {
                case 0: (pushes(items), [])
                case 1: (pushes(items + [script.bytes]), [])
                case 2: (.empty, items + [script.bytes])
                default: (pushes([wrapped.bytes]), items + [script.bytes])
                }
            #expect(input.scriptSig == scriptSig, "input \(index)")
            #expect(input.witness.items == witness, "input \(index)")
        }
    }

    @Test(
        "all or nothing: one incomplete input leaves every input as it was, and the report says why"
    )
    func allOrNothing() throws {
        let psbt = try PSBT.spending([.p2wpkh(keys[0]), .p2wsh(multisig(2)), try .p2tr(keys[1])])
        let signed = try psbt.adding([
            try psbt.signature(input: 0, by: keys[0]), try psbt.signature(input: 1, by: keys[1]),
        ])
        do throws(FinalizationError) {
            _ = try signed.finalized()
            Issue.record("an input was not signed")
        } catch {
            guard case .incomplete(let reports) = error else {
                Issue.record("\(error)")
                return
            }
            #expect(
                reports.map(\.state) == [
                    .ready, .signaturesMissing(found: 1, needed: 2),
                    .signaturesMissing(found: 0, needed: 1),
                ])
            #expect(error.description.contains("input 1: 1 of 2 signatures are there"))
        }
        #expect(throws: ExtractionError.notFinal(inputs: [0, 1, 2])) { try signed.extracted() }
    }

    @Test("finalising keeps UTXOs and unknown fields and removes the rest (BIP174)")
    func clearing() throws {
        var raw = RawPSBT(try PSBT.spending([.p2wpkh(keys[0])], version: .v2))
        raw.inputs[0] += [.init(0x70, [1], [2]), .init(0xFC, [1, 7, 0], [9])]
        raw.inputs[0].append(.init(6, keys[0].publicKey, [0, 0, 0, 0]))
        raw.inputs[0].append(.init(3, [1, 0, 0, 0]))
        let psbt = try raw.parse()
        let final = try psbt.adding([psbt.signature(input: 0, by: keys[0])]).finalized()
        #expect(
            final.inputs[0].records.map { $0.key.first } == [
                0x00, 0x08, 0x0E, 0x0F, 0x10, 0x70, 0xFC,
            ])
        #expect(try PSBT(final.serialized) == final)
        #expect(try final.finalized() == final)
    }

    @Test(
        "scripts that consensus lets nobody run are not spent: above 10,000 bytes outside taproot")
    func largeScripts() throws {
        for size in [9_999, 10_000, 10_001] {
            // The key, and what takes nothing: OP_NOP.
            let nops = [UInt8](repeating: 0x61, count: size - 35)
            let script = Script(Script.p2pk(keys[0].publicKey).bytes + nops)
            for coin in [Coin(scriptPubKey: script), .p2wsh(script), .p2sh(script)] {
                let psbt = try PSBT.spending([coin])
                let kind = try psbt.spend(ofInput: 0).kind
                #expect((kind == .unsupported) == (size > 10_000), "\(size)")
            }
        }
    }

    @Test("an input with a signature for each of many leaves is verified and final")
    func manyLeaves() throws {
        let depth = 8
        let leaves = (0..<1 << depth).map { number in
            TapLeaf(
                Script.build {
                    $0.push(keys[0].xOnly.bytes)
                    $0.append(.checkSigVerify)
                    $0.push(number: Int64(number) + 1)
                })
        }
        let tree = try TapTree(leaves.map { TapTree.Node(depth: depth, leaf: $0) })
        let output = try TaprootOutput(internalKey: keys[1].xOnly, tree: tree)
        var raw = RawPSBT(try PSBT.spending([Coin(scriptPubKey: output.scriptPubKey)]))
        raw.inputs[0] += try leaves.indices.map { index in
            let block = try #require(output.controlBlock(leaf: index)).serialized
            return RawPSBT.Record(0x15, block, leaves[index].script.bytes + [0xC0])
        }
        let psbt = try raw.parse()
        let calculator = try psbt.sighashCalculator()
        let signatures = try leaves.map { leaf in
            SignatureRecord(
                input: 0, kind: .taprootScript(publicKey: keys[0].xOnly.bytes, leafHash: leaf.hash),
                value: try keys[0].signSchnorr(
                    calculator.taprootScriptPath(input: 0, leafHash: leaf.hash), .default))
        }
        // Leaves of a key and more are not built here: the report says that all signatures hold.
        let signed = try psbt.adding(signatures)
        #expect(try signed.finalizationReport().map(\.state) == [.scriptNotSatisfied])
        let wrong = SignatureRecord(
            input: 0, kind: signatures[9].kind, value: signatures[10].value)
        let others = signatures.filter { $0.kind != wrong.kind }
        #expect(
            try psbt.adding(others + [wrong]).finalizationReport().map(\.state) == [
                .badSignature(wrong.kind, .wrong)
            ])
    }

    @Test("signatures that are added together are added once each, and contradictions are refused")
    func addingTogether() throws {
        let psbt = try PSBT.spending([.p2wsh(multisig(2)), .p2wpkh(keys[0])])
        let all =
            try [2, 0, 1].map { try psbt.signature(input: 0, by: keys[$0]) }
            + [psbt.signature(input: 1, by: keys[0])]
        var oneByOne = psbt
        for signature in all { oneByOne = try oneByOne.adding([signature]) }
        #expect(try psbt.adding(all) == oneByOne)
        #expect(try psbt.adding(all + all) == oneByOne)
        let other = SignatureRecord(input: 0, kind: all[0].kind, value: all[1].value)
        #expect(throws: InsertionError.exists(input: 0)) { try psbt.adding(all + [other]) }
        #expect(throws: InsertionError.exists(input: 0)) { try oneByOne.adding([other]) }
    }

    @Test("a taproot leaf of one key is spent by its path, and a signed key path comes first")
    func leaf() throws {
        let script = Script.build {
            $0.push(keys[1].xOnly.bytes)
            $0.append(.checkSig)
        }
        let psbt = try PSBT.spending([try .p2tr(keys[0], leaf: script)])
        let leaf = try psbt.leafSignature(input: 0, by: keys[1])
        let byLeaf = try psbt.adding([leaf])
        #expect(
            try byLeaf.finalized().inputs[0].finalScriptWitness?.items == [
                leaf.value, script.bytes, psbt.inputs[0].taprootLeafScripts[0].controlBlock,
            ])
        let key = try psbt.signature(input: 0, by: keys[0])
        #expect(
            try byLeaf.adding([key]).finalized().inputs[0].finalScriptWitness?.items == [key.value])
    }

    @Test("a satisfier gives the witness of other scripts and sees only verified signatures")
    func satisfier() throws {
        // Pubkey and hash lock.
        let script = Script.build {
            $0.push(keys[0].publicKey)
            $0.append(.checkSigVerify)
            $0.append(.sha256)
            $0.push(SHA256.hash([7]))
            $0.append(.equal)
        }
        struct HashLock: ScriptSatisfier {
            func items(for spend: ScriptSpend) -> [[UInt8]]? {
                guard spend.context == .segwitV0, spend.sequence == .replaceable,
                    let preimage = spend.preimage(of: .sha256(SHA256.hash([7]))),
                    let signature = spend.signatures.values.first
                else { return nil }
                return [preimage, signature]
            }
        }
        var raw = RawPSBT(try PSBT.spending([.p2wsh(script)]))
        let unsigned = try raw.parse()
        let signature = try unsigned.signature(input: 0, by: keys[0])
        #expect(
            try unsigned.finalizationReport(with: HashLock()).map(\.state) == [.scriptNotSatisfied])
        raw.inputs[0].append(.init(0x0B, SHA256.hash([7]).array, [7]))
        let signed = try raw.parse().adding([signature])
        #expect(throws: FinalizationError.self) { try signed.finalized() }
        let final = try signed.finalized(with: HashLock())
        #expect(
            final.inputs[0].finalScriptWitness?.items == [[7], signature.value, script.bytes])
    }

    @Test("a signature that does not verify, or by a key without a place, stops the input")
    func badSignatures() throws {
        let psbt = try PSBT.spending([.p2wpkh(keys[0]), .p2wpkh(keys[1])])
        let good = try psbt.signature(input: 0, by: keys[0])
        let other = try psbt.signature(input: 1, by: keys[1])
        let wrong = SignatureRecord(input: 0, kind: good.kind, value: other.value)
        let foreign = try psbt.signature(input: 0, by: keys[2])
        for (record, expected) in [
            (wrong, SignatureError.wrong), (foreign, .keyNotInScript),
        ] {
            let signed = try psbt.adding([record, other])
            #expect(throws: expected) { try SignatureChecker(signed).check(record) }
            #expect(
                try signed.finalizationReport().map(\.state) == [
                    .badSignature(record.kind, expected), .ready,
                ])
        }
        #expect(throws: InsertionError.exists(input: 0)) { try psbt.adding([good, wrong]) }
        #expect(throws: InsertionError.noSuchInput(2, count: 2)) {
            try psbt.adding([SignatureRecord(input: 2, kind: good.kind, value: good.value)])
        }
        let cut = SignatureRecord(input: 0, kind: good.kind, value: good.value.dropLast(4))
        #expect(throws: InsertionError.self) { try psbt.adding([cut]) }
    }

    @Test("the extractor refuses what cannot be a transaction")
    func extraction() throws {
        var coin = Coin.p2wpkh(keys[0])
        coin.value = Coin.amount(999)
        let poor = try PSBT.spending([coin])
        let final = try poor.adding([poor.signature(input: 0, by: keys[0])]).finalized()
        #expect(
            throws: ExtractionError.paysTooMuch(spent: Coin.amount(999), paid: Coin.amount(1000))
        ) { try final.extracted() }
        let empty = try PSBT(Transaction(inputs: [], outputs: []))
        #expect(throws: ExtractionError.empty) { try empty.extracted() }
    }

    @Test("an input that spends a silent payment loses its tweak and its witness UTXO (BIP376)")
    func silentPaymentSpend() throws {
        var raw = RawPSBT(
            try PSBT.spending([try .p2tr(keys[0])], version: .v2, withPrevious: false))
        raw.inputs[0].append(.init(0x20, [UInt8](repeating: 5, count: 32)))
        raw.inputs[0].append(.init(0x1F, keys[0].publicKey, [0, 0, 0, 0]))
        let psbt = try raw.parse()
        #expect(psbt.inputs[0].silentPaymentTweak != nil)
        #expect(psbt.inputs[0].silentPaymentSpendDerivations.count == 1)
        let final = try psbt.adding([psbt.signature(input: 0, by: keys[0])]).finalized()
        #expect(final.inputs[0].records.map { $0.key.first } == [0x08, 0x0E, 0x0F, 0x10])
        #expect(try PSBT(final.serialized) == final)
    }

    private func pushes(_ items: [[UInt8]]) -> Script {
        Script.build { builder in for item in items { builder.push(item) } }
    }
}
