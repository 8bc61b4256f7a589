import Bitcoin
import PSBT
import PSBTSigning
import Testing

@Suite("PSBT signer")
struct PSBTSignerTests {
    @Test("an input outside of the chosen ones gets no signature, whatever its records say (I23)")
    func chosenInputs() throws {
        let psbt = try RecordedCase.first(of: "wpkh")
        #expect(try Signer.a.records(psbt).map(\.input) == Array(psbt.inputs.indices))
        #expect(try Signer.a.records(psbt, inputs: []).isEmpty)
    }

    @Test("a key that is claimed to be ours and is not stops the signing of all inputs (I11)")
    func falseClaim() throws {
        for wallet in ["wpkh", "pkh", "wsh-sortedmulti-2of3"] {
            let psbt = try RecordedCase.first(of: wallet)
            // The claim of signer A moves to another index: its key is not the one of the script.
            let forged = try psbt.replacingLastStep(ofFingerprint: "73c5da0a")
            #expect(throws: PSBTSigningError.self, "\(wallet)") { try Signer.a.records(forged) }
            guard case .falseClaim? = error({ try Signer.a.records(forged) }) else {
                Issue.record("\(wallet): no false claim was noticed")
                continue
            }
        }
    }

    @Test("a false claim stops the signing also where a signature for its key is there (I11)")
    func falseClaimBesideSignature() throws {
        for wallet in ["wpkh", "pkh", "wsh-sortedmulti-2of3"] {
            let signed = try Signer.a.sign(RecordedCase.first(of: wallet))
            #expect(try Signer.a.records(signed).isEmpty)
            let forged = try signed.replacingLastStep(ofFingerprint: "73c5da0a")
            guard case .falseClaim? = error({ try Signer.a.records(forged) }) else {
                Issue.record("\(wallet): no false claim was noticed")
                continue
            }
        }
    }

    @Test("a key that is claimed for the other kind of signature stops the signing (I13)")
    func mixedClaims() throws {
        for wallet in ["wpkh", "pkh", "tr"] {
            let mixed = try RecordedCase.first(of: wallet).repeatingClaimsInTheOtherMap()
            guard case .keyNotInScript? = error({ try Signer.a.records(mixed) }) else {
                Issue.record("\(wallet): a claim in the wrong map was not noticed")
                continue
            }
        }
    }

    @Test("another signer's PSBT gets no signature and no error")
    func foreign() throws {
        #expect(try Signer.c.records(RecordedCase.first(of: "wpkh")).isEmpty)
    }

    @Test("a sighash type that was not allowed is refused, and one that was is in the signature")
    func sighashTypes() throws {
        let psbt = try RecordedCase.first(of: "wpkh")
        for type in [SighashType.all, .none, .single, .all.anyoneCanPay] {
            let asked = try psbt.asking(for: type)
            if type != .all {
                guard case .sighashNotAllowed? = error({ try Signer.a.records(asked) }) else {
                    Issue.record("\(type) was signed without leave")
                    continue
                }
            }
            let records = try Signer.a.records(asked, allowing: [type])
            #expect(records.allSatisfy { $0.value.last == UInt8(type.rawValue) })
            let checker = try SignatureChecker(asked)
            for record in records { try checker.check(record) }
        }
    }

    @Test("taproot: DEFAULT gives 64 bytes, another type 65 that end in it (bug log 46, 47)")
    func schnorrLength() throws {
        let psbt = try RecordedCase.first(of: "tr")
        #expect(try Signer.a.records(psbt).allSatisfy { $0.value.count == 64 })
        let records = try Signer.a.records(psbt.asking(for: .all))
        #expect(records.allSatisfy { $0.value.count == 65 && $0.value.last == 1 })
    }

    @Test("a leaf that is not proven by its control block gets no signature (I19)")
    func unprovenLeaf() throws {
        let psbt = try RecordedCase.first(of: "tr-multi_a-2of3")
        #expect(try !Signer.a.records(psbt).isEmpty)
        #expect(try Signer.a.records(psbt.breakingControlBlocks()).isEmpty)
    }

    @Test(
        "Row 28 (Jade#85): a claim with an empty path is the master key's, and refused when it is not"
    )
    func emptyPath() throws {
        let psbt = try RecordedCase.first(of: "wpkh").editingInputs { key, value in
            key.first == 0x06 ? Array(value.prefix(4)) : value
        }
        guard case .falseClaim(input: 0, .empty)? = error({ try Signer.a.records(psbt) }) else {
            Issue.record("the master key was taken for another")
            return
        }
    }

    @Test("Rows 18, 19 and 30: a fingerprint of another seed, or of nobody, leaves nothing to sign")
    func otherFingerprint() throws {
        for name: [UInt8] in [[0, 0, 0, 0], [0xDE, 0xAD, 0xBE, 0xEF]] {
            let psbt = try RecordedCase.first(of: "wpkh").editingInputs { key, value in
                key.first == 0x06 ? name + value.dropFirst(4) : value
            }
            #expect(try Signer.a.records(psbt).isEmpty)
        }
    }

    @Test("a leaf that stands in the tree twice is signed once")
    func repeatedLeaf() throws {
        let leaf = try TapLeaf(Signer.a.leafScript())
        let psbt = try Signer.a.spending(
            TapTree([.init(depth: 1, leaf: leaf), .init(depth: 1, leaf: leaf)]))
        #expect(psbt.inputs[0].taprootLeafScripts.count == 1)
        let deeper = try Signer.a.spending(
            TapTree([
                .init(depth: 1, leaf: leaf), .init(depth: 2, leaf: leaf),
                .init(depth: 2, leaf: TapLeaf(.opReturn([]))),
            ]))
        #expect(deeper.inputs[0].taprootLeafScripts.count == 3)
        for psbt in [psbt, deeper] {
            #expect(try Signer.a.records(psbt).count == 1)
            _ = try Signer.a.sign(psbt).finalized().extracted()
        }
    }

    @Test("nothing is signed for a leaf whose version is not that of tapscript (BIP342)")
    func leafVersions() throws {
        var count = 0
        var signed: [LeafVersion] = []
        for number in stride(from: UInt8(0), through: 0xFE, by: 2) {
            guard let version = LeafVersion(rawValue: number) else { continue }
            count += 1
            let leaf = try TapLeaf(Signer.a.leafScript(), version: version)
            guard try !Signer.a.records(Signer.a.spending(TapTree(leaf))).isEmpty else { continue }
            signed.append(version)
        }
        #expect(count == 127)
        #expect(signed == [.tapscript])
    }

    private func error(_ body: () throws -> [SignatureRecord]) -> PSBTSigningError? {
        do {
            _ = try body()
            return nil
        } catch {
            return error as? PSBTSigningError
        }
    }
}
