import Bitcoin
import Hashing
import PSBT
import Review
import Signing
import SigningWork
import StateFiles
import TestSupport
import Testing
import Wire

@Suite("From an approval to a signed file")
struct SigningWorkTests {
    private func approve(
        _ file: [UInt8], by wallet: TestWallet = .recorded, _ reviewer: Reviewer
    ) throws -> ApprovedPSBT {
        let report = reviewer.review(try PSBTFile(file).psbt)
        return try ApprovedPSBT(file, as: PSBTApproval(file, report, by: wallet), by: reviewer)
    }

    private func sign(
        _ approved: ApprovedPSBT, by wallet: TestWallet = .recorded
    ) throws -> [SignatureRecord] {
        guard let master = try wallet.master() else { return [] }
        return try approved.sign(with: master, SigningContext())
    }

    private func firstCase() throws -> RecordedCase { try #require(RecordedCase.all.first) }

    @Test("there are 24 recorded cases of plain accounts")
    func count() { #expect(RecordedCase.all.count == 24) }

    @Test("each recorded PSBT becomes Bitcoin Core's transaction", arguments: RecordedCase.all)
    func recorded(_ recorded: RecordedCase) throws {
        let approved = try approve(recorded.file, TestWallet.reviewer())
        let merged = try MergedPSBT(recorded.file, adding: try sign(approved))
        let transaction = try #require(merged.transaction)
        #expect("\(transaction.txid)" == recorded.txid)
        if recorded.wallet != "tr" {
            #expect(transaction.serialized() == recorded.finalTransaction.bytes)
        }
        #expect(try PSBTFile(merged.file).encoding == .base64)
    }

    @Test("a file or a report that is not the approved one is not signed")
    func changed() throws {
        let file = try firstCase().file
        let reviewer = try TestWallet.reviewer()
        let report = reviewer.review(try PSBTFile(file).psbt)
        let approval = PSBTApproval(file, report)
        #expect(throws: SigningRefusal.changed(.file)) {
            try ApprovedPSBT(RecordedCase.all[1].file, as: approval, by: reviewer)
        }
        var limits = ReviewLimits.standard
        limits.indexDistance += 1
        let other = try TestWallet.reviewer(limits)
        #expect(throws: SigningRefusal.changed(.report)) {
            try ApprovedPSBT(file, as: approval, by: other)
        }
    }

    @Test("a warning that was not typed, and a stop, keep the file unsigned")
    func verdicts() throws {
        let file = try firstCase().file
        var warned = ReviewLimits.standard
        warned.feeWarning = 1
        let reviewer = try TestWallet.reviewer(warned)
        let report = reviewer.review(try PSBTFile(file).psbt)
        #expect(report.verdict == .warned)
        var approval = PSBTApproval(file, report)
        approval.accepted = []
        let error = thrown(SigningRefusal.self) {
            try ApprovedPSBT(file, as: approval, by: reviewer)
        }
        guard case .notAccepted(let codes) = error else {
            Issue.record("\(error.map { "\($0)" } ?? "signed")")
            return
        }
        #expect(codes.contains("fee-large"))
        var stopping = ReviewLimits.standard
        stopping.feerateStop = 1
        let strict = try TestWallet.reviewer(stopping)
        #expect(throws: SigningRefusal.stopped) { try approve(file, strict) }
    }

    @Test("only the wallet whose inputs they are signs, and only with its own keys")
    func otherWallet() throws {
        let file = try firstCase().file
        let reviewer = try TestWallet.reviewer()
        #expect(throws: SigningRefusal.nothingToSign(TestWallet.other.id)) {
            try approve(file, by: .other, reviewer)
        }
        let alone = Reviewer(wallets: [try TestWallet.recorded.known()], network: .regtest)
        #expect(throws: SigningRefusal.unknownWallet(TestWallet.other.id)) {
            try approve(file, by: .other, alone)
        }
        let approved = try approve(file, reviewer)
        #expect(throws: SigningRefusal.otherMaster) { try sign(approved, by: .other) }
    }

    @Test("what is no signature of the transaction does not get into the answer")
    func merging() throws {
        let recorded = try #require(RecordedCase.all.first { $0.wallet == "wpkh" })
        let records = try sign(approve(recorded.file, TestWallet.reviewer()))
        let first = try #require(records.first)
        var value = first.value
        value[10] ^= 1
        let forged = SignatureRecord(input: first.input, kind: first.kind, value: value)
        let misplaced = SignatureRecord(input: 99, kind: first.kind, value: first.value)
        let other = RecordedCase.all.filter { $0.wallet == "wpkh" }[1]
        let foreign = try sign(approve(other.file, TestWallet.reviewer()))
        for wrong in [[], [forged], [misplaced], foreign, records + [forged]] {
            #expect(throws: SigningRefusal.self) {
                try MergedPSBT(recorded.file, adding: wrong)
            }
        }
        #expect(throws: SigningRefusal.self) { try MergedPSBT([1, 2, 3], adding: records) }
    }

    @Test("the answer has the form that the file had")
    func forms() throws {
        let recorded = try firstCase()
        let psbt = try PSBTFile(recorded.file).psbt
        for encoding in PSBTFile.Encoding.allCases {
            let file = psbt.encoded(as: encoding)
            let approved = try approve(file, TestWallet.reviewer())
            let merged = try MergedPSBT(file, adding: try sign(approved))
            #expect(try PSBTFile(merged.file).encoding == encoding)
        }
    }
}
