import Descriptors
import PSBT
import Review
import TestSupport
import Testing

@Suite("Hostile PSBTs")
struct HostileTests {
    @Test("mutated files trap nowhere, and whatever is let through can be signed as it was shown")
    func mutations() throws {
        var generator = SeededGenerator(seed: 5)
        let seeds = try Attack.all.map { try $0.bytes() }
        var (read, ran) = (0, 0)
        for round in 0..<30 {
            for bytes in seeds {
                let mutated = round == 0 ? bytes : generator.mutated(bytes)
                let report = try Own.reviewer().review(mutated)
                ran += 1
                guard report.transaction != nil else {
                    #expect(report.verdict == .stopped)
                    continue
                }
                read += 1
                let psbt = try PSBT(mutated)
                #expect(report.inputs.count == psbt.inputs.count)
                if report.verdict != .stopped {
                    #expect(!report.signableInputs(of: 0).isEmpty)
                }
            }
        }
        #expect(ran == 30 * seeds.count)
        #expect(read > 200)
    }

    @Test(
        "a thousand claims to own keys and a thousand signatures in one map are not worked through")
    func crowdedMap() throws {
        var draft = try Draft.honest()
        let signature = try Stranger(2).sign(draft, input: 0).value
        let claim = try Draft.claim([], "m/84h/1h/0h/0/3").value
        for number in 0..<1_000 {
            let key =
                [2] + [UInt8](repeating: UInt8(number & 0xFF), count: 31) + [UInt8(number >> 8)]
            draft.inputs[0].append(Record(0x06, key, claim))
            draft.inputs[0].append(Record(0x02, key, signature))
        }
        let report = try Own.reviewer().review(draft.bytes)
        #expect(report.outcome(of: .claimSurplus) == .failed(1))
        #expect(report.outcome(of: .signatureWrong) == .failed(20))
        #expect(report.outcome(of: .signatureUnverified) == .failed(1))
    }

    @Test("a file that lies a hundred times gets no more work, and stays stopped")
    func manyLies() throws {
        var draft = try Draft.honest()
        var record = try Draft.claim(Stranger(8).key().compressed, "m/84h/1h/0h/1/8")
        record.key[0] = 0x02
        for _ in 0..<150 { draft.addOutput(1_000, try Stranger(8).p2wpkh(), [record]) }
        let report = try Own.reviewer().review(draft.bytes)
        #expect(report.outcome(of: .claimFalse) == .failed(Finding.maximumListed))
        #expect(report.verdict == .stopped)
        #expect(report.outputs.dropFirst(2).allSatisfy { $0.role == .payment })
    }

    @Test("of outputs at unusual paths a hundred are derived, and all are shown as leaving")
    func manyUnusualPaths() throws {
        var draft = try Draft.honest()
        let account = "[\(try Own.origin(.bip84))]\(Own.keys[.bip84, default: ""])"
        for index in 0..<150 {
            let output = try Descriptor("wpkh(\(account)/5/\(index))").output()
            draft.addOutput(1_000, output.scriptPubKey, try Draft.records(of: output))
        }
        let report = try Own.reviewer().review(draft.bytes)
        #expect(report.outcome(of: .changePathUnusual) == .failed(Finding.maximumListed))
        #expect(report.outputs.dropFirst(2).allSatisfy { $0.role == .payment })
        #expect(report.transaction?.paid.sats == 450_000)
    }

    @Test("leaves count as work when signatures in them are verified")
    func manyLeaves() throws {
        var draft = try Draft.honest(.bip86)
        let key = try Stranger(6).key().xOnly.bytes.array
        for number in UInt8(0)..<200 {
            draft.inputs[0].append(Record(0x15, [0xC0] + key, [0x51, number, 0xC0]))
            draft.inputs[0][draft.inputs[0].count - 1].key += [UInt8](repeating: number, count: 32)
        }
        draft.inputs[0].append(
            Record(0x14, key + key, [UInt8](repeating: 1, count: 64)))
        var limits = ReviewLimits()
        limits.verificationBytes = 200 * 4_096
        let report = try Own.reviewer(limits: limits).review(draft.bytes)
        #expect(report.outcome(of: .signatureUnverified) == .failed(1))
        #expect(report.outcome(of: .signatureWrong) == .passed)
        let full = try Own.reviewer().review(draft.bytes)
        #expect(full.outcome(of: .signatureWrong) == .failed(1))
    }

    @Test("where the work of verifying signatures is used up, the rest is reported as not verified")
    func verificationBudget() throws {
        var draft = try Draft.honest()
        try draft.signOwn()
        var limits = ReviewLimits()
        limits.verificationBytes = 4_096
        let report = try Own.reviewer(limits: limits).review(draft.bytes)
        #expect(report.outcome(of: .signaturePresent) == .failed(1))
        #expect(report.outcome(of: .signatureUnverified) == .failed(1))
        #expect(report.inputs.map(\.verifiedSignatures) == [1, 0])
    }

    @Test("limits as large as numbers go overflow nowhere")
    func limits() throws {
        var limits = ReviewLimits()
        limits.feeShareWarning = .max
        limits.feeShareStop = .max
        limits.dustFeerate = .max
        limits.verificationBytes = .max
        limits.signaturesOfInput = .max
        for attack in Attack.all {
            _ = try Own.reviewer(limits: limits).review(attack.bytes()).digest
        }
    }

    @Test("five thousand inputs and outputs are reviewed one by one")
    func many() throws {
        var draft = try Draft.honest(
            .bip84,
            spending: (0..<2_500).map {
                .own(.bip84, branch: 0, index: UInt32($0), sats: 10_000)
            })
        for index in UInt32(9)..<2_509 {
            let output = try Own.output(.bip84, 0, index)
            draft.addOutput(1_000, output.scriptPubKey, try Draft.records(of: output))
        }
        let report = try Own.reviewer().review(draft.bytes)
        #expect(report.verdict != .stopped)
        #expect(report.signableInputs(of: 0).count == 2_500)
        #expect(report.outcome(of: .ownReceive) == .failed(2_500))
        #expect(report.outputs.count { $0.role == .receive } == 2_500)
        let text = report.textBlocks().flatMap { $0 }.joined(separator: " ")
        #expect(text.contains("2,400 more such findings are not listed. [own-receive]"))
    }
}
