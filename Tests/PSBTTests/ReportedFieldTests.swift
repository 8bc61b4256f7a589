import Bitcoin
import PSBT
import TestSupport
import Testing
import Wire

/// Reported bugs about fields and signatures; the row is that of the list of public reports.
@Suite("Reported bugs: fields and signatures")
struct ReportedFieldTests {
    let keys: [TestKey]

    init() throws { keys = try (1...5).map { try TestKey($0) } }

    @Test("row 12 (bitcoin-keeper#6633): the unsigned file is no answer; signatures name their key")
    func sameFile() throws {
        let item = try Samples.corpusCase("wsh-sortedmulti-2of3")
        let sent = try PSBT(base64: item.unsigned)
        #expect(try sent.compare(answer: sent).addsNothing)
        let second = try sent.compare(answer: PSBT(base64: #require(item.signed["b"])))
        guard case .ecdsa(let publicKey) = second.signatures[0].kind else {
            Issue.record("\(second.signatures)")
            return
        }
        let origin = sent.inputs[0].derivations.first { $0.publicKey == publicKey }?.origin
        #expect(origin?.fingerprint.description == "b8688df1")
    }

    @Test(
        "rows 14 and 70 (keycard-shell#189, lightning#6764): an answer with nothing but signatures")
    func trimmedAnswer() throws {
        let item = try Samples.corpusCase("wsh-sortedmulti-2of3")
        let sent = try PSBT(base64: item.unsigned)
        var raw = try RawPSBT(base64: try #require(item.signed["a"]))
        for index in raw.inputs.indices { raw.inputs[index].removeAll { $0.key.first != 2 } }
        for index in raw.outputs.indices { raw.outputs[index] = [] }
        let answer = try sent.compare(answer: raw.parse())
        #expect(answer.signatures.count == sent.inputs.count)
        #expect(
            answer.removed.contains {
                $0.place == .input(0) && $0.field == "PSBT_IN_NON_WITNESS_UTXO"
            })
        let signed = try sent.adding(answer.signatures)
        #expect(try signed.sorted == PSBT(base64: #require(item.signed["a"])).sorted)
        #expect(try sent.combining(raw.parse()).sorted == signed.sorted)
    }

    @Test("T12: an answer may add signatures and nothing else")
    func foreignAdditions() throws {
        let sent = try PSBT.spending([.p2wpkh(keys[0])], to: [.opReturn([1]), .opReturn([2])])
        var raw = RawPSBT(sent)
        raw.inputs[0].append(.init(6, keys[0].publicKey, [0, 0, 0, 0]))
        let derivation = try raw.parse()
        #expect(throws: AnswerError.added(field: "PSBT_IN_BIP32_DERIVATION", place: .input(0))) {
            try sent.compare(answer: derivation)
        }
        raw = RawPSBT(sent)
        raw.outputs[1].append(.init(0x70, [1]))
        let unknown = try raw.parse()
        #expect(throws: AnswerError.added(field: "type 0x70", place: .output(1))) {
            try sent.compare(answer: unknown)
        }
        let other = try PSBT.spending([.p2wpkh(keys[0])], to: [.opReturn([1]), .opReturn([3])])
        #expect(throws: AnswerError.otherTransaction) { try sent.compare(answer: other) }
        #expect(throws: AnswerError.otherTransaction) {
            try sent.compare(answer: sent.converted(to: .v2))
        }
        let signature = try sent.signature(input: 0, by: keys[0])
        let final = try sent.adding([signature]).finalized()
        #expect(try sent.compare(answer: final).finalInputs == [0])
    }

    @Test("row 16 (sparrow#1911): no key path information is no error, it is just not there")
    func noDerivations() throws {
        let psbt = try PSBT.spending([.p2wpkh(keys[0])], withPrevious: false)
        #expect(psbt.inputs[0].derivations.isEmpty)
        let signature = try psbt.signature(input: 0, by: keys[0])
        _ = try psbt.adding([signature]).finalized().extracted()
    }

    @Test("rows 17 and 45 (sparrow#1470, HWI#608): sighash field 0 in a taproot input")
    func sighashDefault() throws {
        var raw = RawPSBT(try PSBT.spending([try .p2tr(keys[0])]))
        raw.inputs[0].append(.init(3, [0, 0, 0, 0]))
        raw.inputs[0].append(
            .init(0x16, keys[0].xOnly.bytes.array, [0, 1, 2, 3, 4]))
        let psbt = try raw.parse()
        #expect(psbt.inputs[0].sighashType == .default)
        let signature = try psbt.signature(input: 0, by: keys[0])
        #expect(signature.value.count == 64)
        _ = try psbt.adding([signature]).finalized().extracted()
    }

    @Test(
        "rows 18 and 19 (sparrow#1087, electrum#8206): other and zero fingerprints are read as they are"
    )
    func fingerprints() throws {
        var raw = RawPSBT(try PSBT.spending([.p2wpkh(keys[0])]))
        raw.inputs[0].append(.init(6, keys[0].publicKey, [0, 0, 0, 0, 1, 0, 0, 0]))
        raw.inputs[0].append(
            .init(6, keys[1].publicKey, [0xDE, 0xAD, 0xBE, 0xEF, 2, 0, 0, 0x80]))
        let derivations = try raw.parse().inputs[0].derivations
        #expect(derivations.map(\.origin.fingerprint.description) == ["00000000", "deadbeef"])
        #expect(derivations.map(\.origin.path.description) == ["m/1", "m/2h"])
    }

    @Test("row 22 (specter-desktop#1539): a global xpub at depth 4 with an empty path is refused")
    func xpubDepth() throws {
        let vectors: PSBTVectors = try Fixture.load("psbt/bip174.json")
        let sample = try #require(vectors.valid.first { $0.name.contains("GLOBAL_XPUB") })
        var raw = try RawPSBT(base64: sample.psbt)
        let index = try #require(raw.global.firstIndex { $0.key.first == 1 })
        let depth = Int(raw.global[index].key[5])
        raw.global[index].value = Array(raw.global[index].value.prefix(4))
        #expect(raw.error()?.problem == .pathLength(found: 0, depth: depth))
        #expect(raw.error()?.field == "PSBT_GLOBAL_XPUB")
    }

    @Test("row 44 (HWI#591): a taproot output with an ECDSA derivation shows both as they are")
    func mixedDerivations() throws {
        var raw = try RawPSBT(Samples.version0("tr"))
        let origin: [UInt8] = [1, 2, 3, 4, 5, 0, 0, 0]
        let change = try #require(
            try raw.parse().outputs.firstIndex { $0.taprootInternalKey != nil })
        raw.outputs[change].append(.init(2, keys[0].publicKey, origin))
        let output = try raw.parse().outputs[change]
        #expect(output.derivations.map(\.publicKey) == [keys[0].publicKey])
        #expect(output.taprootDerivations.count == 1)
    }

    @Test(
        "row 46 (specter-diy#302): DEFAULT has 64 bytes; with 0x01 behind it is another signature")
    func appendedByte() throws {
        let psbt = try PSBT.spending([try .p2tr(keys[0])])
        let signature = try psbt.signature(input: 0, by: keys[0])
        #expect(signature.value.count == 64)
        let checker = try SignatureChecker(psbt)
        try checker.check(signature)
        let longer = SignatureRecord(input: 0, kind: .taprootKey, value: signature.value + [1])
        #expect(throws: SignatureError.wrong) { try checker.check(longer) }
        let zero = SignatureRecord(input: 0, kind: .taprootKey, value: signature.value + [0])
        #expect(throws: InsertionError.self) { try psbt.adding([zero]) }
    }

    @Test("rows 47 and 48 (bitcoinjs#1902, openordex#1): SINGLE|ANYONECANPAY, taproot and ECDSA")
    func singleAnyoneCanPay() throws {
        let type = SighashType.single.anyoneCanPay
        var raw = RawPSBT(try PSBT.spending([try .p2tr(keys[0])]))
        raw.inputs[0].append(.init(3, [0x83, 0, 0, 0]))
        let taproot = try raw.parse()
        let schnorr = try taproot.signature(input: 0, by: keys[0], type)
        #expect(schnorr.value.count == 65)
        let final = try taproot.adding([schnorr]).finalized()
        #expect(final.inputs[0].finalScriptWitness?.items == [schnorr.value])

        raw = RawPSBT(try PSBT.spending([.p2wpkh(keys[0])]))
        raw.inputs[0].append(.init(3, [0x83, 0, 0, 0]))
        let segwit = try raw.parse()
        let ecdsa = try segwit.signature(input: 0, by: keys[0], type)
        _ = try segwit.adding([ecdsa]).finalized().extracted()
    }

    @Test("row 51 (Jade#223): the smallest taproot spend")
    func smallestTaprootSpend() throws {
        let psbt = try PSBT.spending(
            [try .p2tr(keys[0])], to: [try Coin.p2tr(keys[1]).scriptPubKey])
        let transaction = try psbt.adding([psbt.signature(input: 0, by: keys[0])])
            .finalized().extracted()
        #expect(transaction.inputs.count == 1)
        #expect(transaction.vsize == 111)
    }

    @Test("row 52 (WalletWasabi#11018): account data of other wallets in the global map")
    func extraGlobals() throws {
        let vectors: PSBTVectors = try Fixture.load("psbt/bip174.json")
        let sample = try #require(vectors.valid.first { $0.name.contains("GLOBAL_XPUB") })
        let xpub = try #require(
            try RawPSBT(base64: sample.psbt).global.first { $0.key.first == 1 })
        var raw = RawPSBT(try PSBT.spending([.p2wpkh(keys[0])]))
        raw.global.append(xpub)
        raw.global.append(.init(0xFC, [6] + Array("wallet".utf8) + [1], [1, 2, 3]))
        let psbt = try raw.parse()
        #expect(psbt.global.extendedPublicKeys.count == 1)
        #expect(psbt.serialized == raw.bytes)
    }

    @Test("row 53 (SeedSigner#783): signatures of leaves are in what is exported")
    func leafSignatures() throws {
        let script = Script.build {
            $0.push(keys[1].xOnly.bytes)
            $0.append(.checkSig)
        }
        let psbt = try PSBT.spending([try .p2tr(keys[0], leaf: script)])
        let signature = try psbt.leafSignature(input: 0, by: keys[1])
        let exported = try PSBT(psbt.adding([signature]).serialized)
        #expect(exported.inputs[0].taprootScriptSignatures.map(\.signature) == [signature.value])
        try SignatureChecker(psbt).check(signature)
        let unknown = SignatureRecord(
            input: 0, kind: .taprootScript(publicKey: keys[1].xOnly.bytes, leafHash: .zero),
            value: signature.value)
        #expect(throws: SignatureError.leafUnknown) { try SignatureChecker(psbt).check(unknown) }
    }

    @Test("row 54 (SeedSigner#239): taproot derivations with 0, 1 and 2 leaf hashes")
    func leafHashes() throws {
        for count in 0...2 {
            var raw = RawPSBT(try PSBT.spending([try .p2tr(keys[0])]))
            let hashes = [UInt8](repeating: 9, count: 32 * count)
            raw.inputs[0].append(
                .init(0x16, keys[1].xOnly.bytes.array, [UInt8(count)] + hashes + [1, 2, 3, 4]))
            let derivation = try #require(try raw.parse().inputs[0].taprootDerivations.first)
            #expect(derivation.leafHashes.count == count)
            #expect(derivation.origin.fingerprint.description == "01020304")
        }
    }

    @Test("row 56 (bitcoin#34697): origins of MuSig2 participants are there once each")
    func musigOrigins() throws {
        for wallet in ["tr-musig-2of2", "tr-musig-3of3", "tr-musig-leaf"] {
            let psbt = try Samples.version0(wallet)
            let derivations = psbt.inputs[0].taprootDerivations
            #expect(Set(derivations.map(\.publicKey)).count == derivations.count)
            let participants = psbt.inputs[0].musigParticipants.flatMap(\.participants)
            for participant in participants {
                let own = derivations.filter { $0.publicKey.array == participant.dropFirst() + [] }
                #expect(own.count == 1)
                #expect(own.first?.origin.path.steps.count == 4)
            }
        }
    }

    @Test("row 60 (Coldcard#787): two sighash types in one map")
    func duplicateSighash() throws {
        var raw = RawPSBT(try PSBT.spending([.p2wpkh(keys[0])]))
        raw.inputs[0] += [.init(3, [1, 0, 0, 0]), .init(3, [2, 0, 0, 0])]
        #expect(raw.error()?.problem == .duplicateKey)
        #expect(raw.error()?.field == "PSBT_IN_SIGHASH_TYPE")
    }

    @Test(
        "row 80 (libwally#203, #371): a second signature of a key, and NONE where ALL is asked for")
    func sighashMismatch() throws {
        var raw = RawPSBT(try PSBT.spending([.p2wpkh(keys[0])]))
        raw.inputs[0].append(.init(3, [1, 0, 0, 0]))
        let psbt = try raw.parse()
        let none = try psbt.signature(input: 0, by: keys[0], SighashType.none)
        let mismatch = SignatureError.typeDiffers(found: .none, asked: .all)
        #expect(throws: mismatch) { try SignatureChecker(psbt).check(none) }
        let signed = try psbt.adding([none])
        #expect(
            try signed.finalizationReport().map(\.state) == [.badSignature(none.kind, mismatch)])
        raw.inputs[0] += [
            .init(2, keys[0].publicKey, none.value), .init(2, keys[0].publicKey, none.value),
        ]
        #expect(raw.error()?.problem == .duplicateKey)
    }

    @Test("unsafe sighash types: numbers without a name, and SINGLE without an output beside it")
    func unsafeTypes() throws {
        let psbt = try PSBT.spending([.p2wpkh(keys[0]), .p2wpkh(keys[1])])
        let checker = try SignatureChecker(psbt)
        for (input, type) in [(0, SighashType(rawValue: 4)), (1, .single), (0, .default)] {
            let signature = try psbt.signature(input: input, by: keys[input], type)
            #expect(throws: SignatureError.typeNotAllowed(type)) { try checker.check(signature) }
        }
    }
}
