import Bitcoin
import PSBT
import TestSupport
import Testing
import Wire

@Suite("Combiner: what is kept and what is refused")
struct CombinerTests {
    @Test("row 78 (bdk-cli#323): PSBTs of different transactions are not combined")
    func differentTransactions() throws {
        let one = try Samples.version0("wpkh")
        let other = try Samples.version0("pkh")
        #expect(
            throws: CombinationError.otherTransaction(try one.identity(), try other.identity())
        ) { try one.combining(other) }
        #expect(throws: CombinationError.versionsDiffer) {
            try one.combining(one.converted(to: .v2))
        }
        #expect(throws: CombinationError.nothing) { try PSBT.combining([]) }
    }

    @Test("row 77 (btclib#432): a field of each type that only one PSBT has is kept")
    func everyField() throws {
        let plain = try RawPSBT(Samples.version0("tr").converted(to: .v2))
        let key = [2] + [UInt8](repeating: 0x11, count: 32)
        let x = [UInt8](repeating: 0x11, count: 32)
        let origin: [UInt8] = [1, 2, 3, 4, 5, 0, 0, 0]
        let signature = [UInt8](repeating: 3, count: 64)
        let inputFields: [RawPSBT.Record] = [
            .init(3, [0, 0, 0, 0]), .init(4, [0x51]), .init(5, [0x51]), .init(6, key, origin),
            .init(9, [1]), .init(0x0B, sha256Of1, [1]), .init(0x13, signature),
            .init(0x14, x + x, signature), .init(0x15, [0xC0] + x, [0x51, 0xC0]),
            .init(0x16, x.reversed() + [], [0] + origin), .init(0x18, x), .init(0x19, key, x),
            .init(0x1A, key, key + key), .init(0x1B, key + key, signature + [1, 2]),
            .init(0x1C, key + key + x, x), .init(0x1F, key, origin), .init(0x20, x),
            .init(0xFC, [1, 7, 0], [9]), .init(0x70, [1], [2]),
        ]
        let outputFields: [RawPSBT.Record] = [
            .init(0, [0x51]), .init(1, [0x51]), .init(2, key, origin),
            .init(6, [0, 0xC0, 1, 0x51]), .init(8, key, key + key), .init(0x35, [1, 0x61, 1]),
            .init(0xFC, [1, 7, 0], [9]), .init(0x70, [1], [2]),
        ]
        let one = try plain.parse()
        for field in inputFields {
            var raw = plain
            raw.inputs[0].removeAll { $0.key == field.key }
            raw.inputs[0].append(field)
            try expectKept(in: one, try raw.parse(), field) { $0.inputs[0].records }
        }
        for field in outputFields {
            var raw = plain
            raw.outputs[0].removeAll { $0.key == field.key }
            raw.outputs[0].append(field)
            try expectKept(in: one, try raw.parse(), field) { $0.outputs[0].records }
        }
        for field: RawPSBT.Record in [
            .init(9, [0x68, 0x69]), .init(0xFC, [1, 7, 0], [9]), .init(0x70, [1], [2]),
        ] {
            var raw = plain
            raw.global.append(field)
            try expectKept(in: one, try raw.parse(), field) { $0.global.records }
        }
    }

    @Test("row 76 (drongo#54): another witness script with its own valid signature is refused")
    func replacedWitnessScript() throws {
        let item = try Samples.corpusCase("wsh-sortedmulti-2of3")
        let honest = try PSBT(base64: item.unsigned)
        var raw = try RawPSBT(base64: try #require(item.signed["a"]))
        raw.inputs[0][type: 5] =
            Script.multisig(
                required: 1, keys: [[2] + [UInt8](repeating: 0x11, count: 32)]
            ).bytes
        let forged = try raw.parse()
        let conflict = CombinationError.conflict(field: "PSBT_IN_WITNESS_SCRIPT", place: .input(0))
        #expect(throws: conflict) { try honest.combining(forged) }
        #expect(throws: conflict) { try forged.combining(honest) }
        #expect(throws: AnswerError.changed(field: "PSBT_IN_WITNESS_SCRIPT", place: .input(0))) {
            try honest.compare(answer: forged)
        }
        #expect(throws: SpendError.witnessScriptDiffers) { try forged.spend(ofInput: 0) }
    }

    @Test(
        "conflicting origins, internal keys, UTXOs, nonces and unknown fields are refused by name")
    func conflicts() throws {
        let psbt = try PSBT(base64: try #require(Samples.corpusCase("tr-musig-2of2").musigRound1))
        let raw = RawPSBT(psbt)
        for (type, field) in [
            (0x01, "PSBT_IN_WITNESS_UTXO"), (0x16, "PSBT_IN_TAP_BIP32_DERIVATION"),
            (0x17, "PSBT_IN_TAP_INTERNAL_KEY"), (0x1A, "PSBT_IN_MUSIG2_PARTICIPANT_PUBKEYS"),
            (0x1B, "PSBT_IN_MUSIG2_PUB_NONCE"),
        ] as [(UInt8, String)] {
            var changed = raw
            let index = try #require(raw.inputs[0].firstIndex { $0.key.first == type })
            let last = raw.inputs[0][index].value.count - 1
            changed.inputs[0][index].value[last] ^= 1
            let other = try changed.parse()
            #expect(throws: CombinationError.conflict(field: field, place: .input(0))) {
                try psbt.combining(other)
            }
        }
        var one = raw
        var two = raw
        one.outputs[0].append(.init(0x70, [1]))
        two.outputs[0].append(.init(0x70, [2]))
        let (left, right) = (try one.parse(), try two.parse())
        #expect(throws: CombinationError.conflict(field: "type 0x70", place: .output(0))) {
            try left.combining(right)
        }
    }

    @Test("row 55 (bitcoin#27219): two copies with different taproot inputs signed keep both")
    func taprootSignatures() throws {
        let several = try CorpusCase.load().first { item in
            try item.wallet == "tr" && PSBT(base64: item.unsigned).inputs.count > 1
        }
        let item = try #require(several)
        let sent = try PSBT(base64: item.unsigned)
        let signatures = try sent.compare(answer: PSBT(base64: #require(item.signed["all"])))
            .signatures
        #expect(signatures.count > 1)
        let parts = try signatures.map { try sent.adding([$0]) }
        let combined = try PSBT.combining(parts)
        #expect(combined.inputs.allSatisfy { $0.taprootKeySignature != nil })
        #expect(try combined.finalized().extracted().txid.description == item.txid)
    }

    @Test("row 79 (scure-btc-signer#56): inputs that are final in different PSBTs end up final")
    func finalInputs() throws {
        let roles = try BIP174Roles.load()
        let final = try RawPSBT(base64: roles.finalizer)
        let unsigned = try RawPSBT(base64: roles.combiner)
        var first = unsigned
        first.inputs[0] = final.inputs[0]
        var second = unsigned
        second.inputs[1] = final.inputs[1]
        let (one, two) = (try first.parse(), try second.parse())
        for combined in [try one.combining(two), try two.combining(one)] {
            #expect(combined.inputs.allSatisfy { $0.isFinal })
            let finalized = try combined.finalized()
            #expect(finalized.base64 == roles.finalizer)
            #expect(try finalized.extracted().serialized() == roles.extractor.bytes)
        }
    }

    @Test("a final input takes both of its scripts from one PSBT")
    func finalScriptsStayTogether() throws {
        let final = try RawPSBT(base64: try BIP174Roles.load().finalizer)
        var other = final
        other.inputs[1][type: 7] = nil
        other.inputs[1][type: 8] = [1, 1, 5]
        let combined = try final.parse().combining(other.parse())
        #expect(try combined == final.parse())
        let reversed = try other.parse().combining(final.parse())
        #expect(reversed.inputs[1].finalScriptSig == nil)
        #expect(reversed.inputs[1].finalScriptWitness == Witness([[5]]))
    }

    @Test("the same previous transaction with and without witnesses is no conflict")
    func previousTransactionFormats() throws {
        let previous = try Transaction(Samples.corpusCase("wpkh").finalTransaction.bytes)
        #expect(previous.hasWitness)
        let psbt = try Samples.spending(previous)
        var raw = RawPSBT(psbt)
        raw.inputs[0][type: 0] = previous.serialized(.withoutWitness)
        let stripped = try raw.parse()
        #expect(try psbt.combining(stripped).inputs[0].previousTransaction == previous)
        #expect(try psbt.compare(answer: stripped).addsNothing)
    }

    @Test("of the flags of version 2 the stricter ones stay")
    func flags() throws {
        let raw = try RawPSBT(Samples.version2())
        var (one, two) = (raw, raw)
        one.global[type: 6] = [0b0000_0011]
        two.global[type: 6] = [0b1000_0101]
        let combined = try one.parse().combining(two.parse())
        #expect(combined.global.modifiable?.rawValue == 0b1000_0101)
        two.global[type: 6] = nil
        #expect(try two.parse().combining(one.parse()).global.modifiable?.rawValue == 0)
    }

    @Test("different sequence numbers in version 2 are refused, different lock times too")
    func sequences() throws {
        let raw = try RawPSBT(Samples.version2())
        var changed = raw
        changed.inputs[0][type: 0x10] = [1, 0, 0, 0]
        let one = try raw.parse()
        let two = try changed.parse()
        #expect(throws: CombinationError.sequencesDiffer(input: 0)) { try one.combining(two) }
        changed = raw
        changed.inputs[0][type: 0x12] = [1, 0, 0, 0]
        let other = try changed.parse()
        #expect(throws: CombinationError.self) { try one.combining(other) }
    }

    private func expectKept(
        in one: PSBT, _ other: PSBT, _ field: RawPSBT.Record,
        _ map: (PSBT) -> [PSBT.Record]
    ) throws {
        for combined in [try one.combining(other), try other.combining(one)] {
            let record = map(combined).first { $0.key.elementsEqual(field.key) }
            #expect(record?.value.elementsEqual(field.value) == true, "\(field)")
        }
    }

    private let sha256Of1: [UInt8] = [
        0x4B, 0xF5, 0x12, 0x2F, 0x34, 0x45, 0x54, 0xC5, 0x3B, 0xDE, 0x2E, 0xBB, 0x8C, 0xD2, 0xB7,
        0xE3, 0xD1, 0x60, 0x0A, 0xD6, 0x31, 0xC3, 0x85, 0xA5, 0xD7, 0xCC, 0xE2, 0x3C, 0x77, 0x85,
        0x45, 0x9A,
    ]
}
