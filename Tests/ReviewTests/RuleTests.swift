import Bitcoin
import Descriptors
import KeyTree
import PSBT
import PSBTSigning
import Review
import Signing
import TestSupport
import Testing
import Wire

@Suite("Rules of the review")
struct RuleTests {
    private func review(_ draft: Draft) throws -> ReviewReport {
        try Own.reviewer().review(draft.bytes)
    }

    private func codes(_ report: ReviewReport) -> Set<ReviewCheck> {
        Set(report.findings.map(\.check))
    }

    @Test("a file above 16 MiB is refused before it is read (P8)")
    func size() throws {
        let bytes = PSBT.magic + [UInt8](repeating: 0, count: PSBT.maximumSize)
        let report = try Own.reviewer().review(bytes)
        #expect(report.verdict == .stopped)
        #expect(report.outcome(of: .fileTooLarge) == .failed(1))
        #expect(report.transaction == nil)
        #expect(report.outcome(of: .feeNegative) == .notApplicable("the file cannot be read"))
    }

    @Test("fields without a meaning come back with the signatures (P11)")
    func unknownFields() throws {
        var draft = try Draft.honest()
        draft.inputs[0].append(Record(0x77, [9], [1, 2, 3]))
        let psbt = try PSBT(draft.bytes)
        let signed = try psbt.adding(Own.sign(psbt, review(draft)))
        #expect(signed.inputs[0].records.map(Record.init).contains(Record(0x77, [9], [1, 2, 3])))
    }

    @Test("a previous transaction that carries its witness proves the amount all the same (I2)")
    func witness() throws {
        var draft = try Draft.honest()
        var previous = try Transaction(draft.value(input: 0, 0x00))
        previous.inputs[0].witness = Witness([[1, 2, 3]])
        draft.edit(input: 0, 0x00) { $0 = previous.serialized() }
        let report = try review(draft)
        #expect(report.findings.isEmpty)
        #expect(report.inputs[0].proof == .proven)
    }

    @Test("the previous transaction at one input proves the coin of another (I1)")
    func provenElsewhere() throws {
        var draft = try Draft.honest()
        let own = try Own.output(.bip84, 1, 7)
        var previous = try Transaction(draft.value(input: 0, 0x00))
        previous.outputs[0] = TransactionOutput(
            value: try #require(Amount(sats: 500_000)), scriptPubKey: own.scriptPubKey)
        draft.edit(input: 0, 0x00) { $0 = previous.serialized() }
        draft.dropPrevious([1])
        draft.transaction.inputs[0].outpoint = OutPoint(txid: previous.txid, vout: 1)
        draft.transaction.inputs[1].outpoint = OutPoint(txid: previous.txid, vout: 0)
        let report = try review(draft)
        #expect(report.findings.isEmpty)
        #expect(report.inputs.map(\.proof) == [.proven, .proven])
        draft.claim(input: 1, sats: 500_001)
        let lie = try review(draft)
        #expect(lie.inputs.map(\.proof) == [.proven, .contradictory])
        #expect(codes(lie) == [.amountContradicts, .feeUnproven])
    }

    @Test("amounts are proven, committed, unproven or missing as the file lets them be (I5, T3)")
    func proofStates() throws {
        var draft = try Draft.honest()
        draft.dropPrevious([0])
        #expect(try review(draft).inputs.map(\.proof) == [.committed, .proven])
        try draft.addStranger()
        draft.dropPrevious([1])
        var report = try review(draft)
        #expect(report.inputs.map(\.proof) == [.proven, .unproven])
        #expect(report.transaction?.fee == .notProvable(inputs: 1))
        #expect(report.transaction?.feerate == nil)
        draft.remove(input: 1, 0x01)
        report = try review(draft)
        #expect(report.inputs.map(\.proof) == [.proven, .missing])
        try draft.addStranger(.bip86)
        draft.dropPrevious()
        report = try review(draft)
        #expect(report.inputs.map(\.proof) == [.committed, .committed])
        let fee = try #require(Amount(sats: 2_000))
        #expect(report.transaction?.fee == .proven(fee))
    }

    @Test("two signatures from two reviews with a lie each make the warning true (I5)")
    func joinedSignatures() throws {
        // The coins hold 600,000 and 500,000 sat; each review sees one of them smaller.
        var first = try Draft.honest()
        first.dropPrevious()
        first.pay(output: 1, sats: 298_000)
        var second = first
        second.claim(input: 0, sats: 100_000)
        first.claim(input: 1, sats: 1_000)
        let halves = try [first, second].map { draft in
            let psbt = try PSBT(draft.bytes)
            let report = try review(draft)
            #expect(report.outcome(of: .segwitUnproven) == .failed(2))
            #expect(report.verdict != .ready)
            return try PSBTSigner(psbt).sign(
                with: Own.master(), inputs: [0, 1], SigningContext())
        }
        var truth = try Draft.honest()
        truth.pay(output: 1, sats: 298_000)
        let psbt = try PSBT(truth.bytes)
        let checker = try SignatureChecker(psbt)
        // The honest half of each is valid for the true coins, and joined they pay 502,000 sat.
        try checker.check(halves[0][0])
        try checker.check(halves[1][1])
        #expect(throws: SignatureError.self) { try checker.check(halves[0][1]) }
        #expect(throws: SignatureError.self) { try checker.check(halves[1][0]) }
    }

    @Test("of all sighash types two are signed, ALL and in taproot DEFAULT (I21)")
    func sighashes() throws {
        let wide: [UInt32] = [0x100, 0x101, 0x0100_0001, 0x8000_0001, .max]
        for kind in AccountKind.allCases {
            var draft = try Draft.honest(kind)
            let allowed: Set<UInt32> = kind == .bip86 ? [0, 1] : [1]
            for type in Array(0...0xFF) + wide {
                draft.set(input: 1, Record(0x03, Record.little(type)))
                let report = try review(draft)
                let isAllowed = allowed.contains(type)
                #expect(report.verdict == (isAllowed ? .ready : .stopped), "\(kind) \(type)")
                #expect(codes(report) == (isAllowed ? [] : [.sighashNotAllowed]))
            }
        }
    }

    @Test("an output without a fingerprint is ours only if its key and script are (I12)")
    func zeroFingerprint() throws {
        var draft = try Draft.honest()
        draft.edit(output: 1, 0x02) { $0.replaceSubrange(0..<4, with: [0, 0, 0, 0]) }
        var report = try review(draft)
        #expect(report.outputs[1].role == .change)
        #expect(codes(report) == [.claimFingerprintZero])
        draft.edit(output: 1, 0x02) { $0[20] &+= 1 }
        report = try review(draft)
        #expect(report.outputs[1].role == .payment)
        #expect(report.findings.isEmpty)
    }

    @Test("coins of two own wallets are a warning, and each wallet signs its own (I14)")
    func twoWallets() throws {
        let phrase = "legal winner thank year wave sausage worth useful legal winner thank yellow"
        let path = try DerivationPath("m/84h/1h/0h")
        let fingerprint = try Own.master(phrase).fingerprint
        let key = try Own.master(phrase).derive(path, SigningContext()).publicKey
        let policy = try OwnPolicy(
            .bip84, origin: KeyOrigin(fingerprint: fingerprint, path: path), key: key)
        let other = KnownWallet(id: [0xB2], fingerprint: fingerprint, policies: [policy])

        var draft = try Draft.honest()
        let coin = try policy.descriptor.output(at: 2)
        let previous = Transaction(
            inputs: [TransactionInput(outpoint: OutPoint(txid: Txid(.zero), vout: 0))],
            outputs: [
                TransactionOutput(
                    value: try #require(Amount(sats: 500_000)), scriptPubKey: coin.scriptPubKey)
            ])
        draft.transaction.inputs[1].outpoint = OutPoint(txid: previous.txid, vout: 0)
        var update = coin.inputUpdate
        update.previousTransaction = previous
        let spent = TransactionInput(outpoint: OutPoint(txid: previous.txid, vout: 0))
        let psbt = try PSBT(Transaction(inputs: [spent], outputs: []))
            .updating(input: 0, with: update)
        draft.inputs[1] = psbt.inputs[0].records.map(Record.init)

        let reviewer = Reviewer(wallets: [try Own.wallet(), other], network: .regtest)
        let report = reviewer.review(draft.bytes)
        #expect(codes(report) == [.walletsMixed])
        #expect(report.signableInputs(of: 0) == [0])
        #expect(report.signableInputs(of: 1) == [1])
        #expect(report.signableInputs(of: 2).isEmpty)
    }

    @Test("no signature goes to an input that is not ours, whatever its records claim (I23)")
    func foreignInputs() throws {
        for attack in Attack.all {
            let bytes = try attack.bytes()
            let report = try Own.reviewer().review(bytes)
            for (index, input) in report.inputs.enumerated() where input.owner == nil {
                #expect(!report.signableInputs(of: 0).contains(index), "\(attack.name)")
                #expect(!input.isSignable)
            }
        }
    }

    @Test("beside inputs of others the report says what leaves us and what comes back (I24)")
    func net() throws {
        var draft = try Draft.honest()
        try draft.addStranger()
        let fact = try #require(try review(draft).transaction)
        #expect(fact.ownSpent.sats == 600_000)
        #expect(fact.ownReceived.sats == 698_000)
        #expect(fact.paid.sats == 300_000)
    }

    @Test("a coin at an unusual path of an own account stays spendable (O7)")
    func unusualPath() throws {
        let path = "/5/7"
        let descriptor = try Descriptor(
            "wpkh([\(Own.origin(.bip84))]\(Own.keys[.bip84, default: ""])\(path))")
        let coin = try descriptor.output()
        var draft = try Draft.honest()
        var previous = try Transaction(draft.value(input: 0, 0x00))
        previous.outputs[1] = TransactionOutput(
            value: previous.outputs[1].value, scriptPubKey: coin.scriptPubKey)
        var update = coin.inputUpdate
        update.previousTransaction = previous
        let outpoint = OutPoint(txid: previous.txid, vout: 1)
        draft.transaction.inputs[0].outpoint = outpoint
        draft.inputs[0] = try PSBT(
            Transaction(inputs: [TransactionInput(outpoint: outpoint)], outputs: [])
        ).updating(input: 0, with: update).inputs[0].records.map(Record.init)
        let report = try review(draft)
        #expect(codes(report) == [.inputPathUnusual])
        #expect(report.inputs[0].owner?.branch == .unusual)
        let psbt = try PSBT(draft.bytes)
        let records = try Own.sign(psbt, report)
        #expect(records.map(\.input) == [0, 1])
        let checker = try SignatureChecker(psbt)
        for record in records { try checker.check(record) }
    }

    @Test("the lock time of version 2 is the highest that inputs require (T4)")
    func lockTime() throws {
        var draft = try Draft.honest()
        draft.version = .v2
        draft.set(input: 0, Record(0x12, Record.little(UInt32(100))))
        draft.set(input: 1, Record(0x12, Record.little(UInt32(200))))
        #expect(try review(draft).transaction?.lockTime == LockTime(rawValue: 200))
    }

    @Test("keys of another network than the signer's stop, whatever the file says (T7)")
    func network() throws {
        let reviewer = Reviewer(wallets: [try Own.wallet()], network: .mainnet)
        let report = reviewer.review(try Draft.honest().bytes)
        #expect(report.verdict == .stopped)
        #expect(report.outcome(of: .otherNetwork) == .failed(AccountKind.allCases.count))
    }

    @Test("a file that says the same with other bytes has another digest (T8)")
    func otherBytes() throws {
        var draft = try Draft.honest()
        let report = try review(draft)
        draft.outputs[0].append(Record(0xFC, [1, 0x61, 0], [1]))
        let other = try review(draft)
        #expect(other.findings == report.findings && other.outputs == report.outputs)
        #expect(other.digest != report.digest)
    }

    @Test("an unsigned file that is offered as the signed one adds nothing (T12)")
    func unsignedAnswer() throws {
        let psbt = try PSBT(Draft.honest().bytes)
        #expect(try psbt.compare(answer: psbt).addsNothing)
        let records = try Own.sign(psbt, Own.reviewer().review(psbt))
        #expect(try !psbt.compare(answer: psbt.adding(records)).addsNothing)
    }

    @Test(
        "the estimated size is that of the signed transaction, up to the bytes of signatures (T2)")
    func estimatedSize() throws {
        for kind in AccountKind.allCases {
            let psbt = try PSBT(Draft.honest(kind).bytes)
            let report = try Own.reviewer().review(psbt)
            let signed = try psbt.adding(Own.sign(psbt, report)).finalized().extracted()
            let estimate = try #require(report.transaction?.vsize)
            #expect((signed.vsize...signed.vsize + 5).contains(estimate), "\(kind)")
        }
    }
}
