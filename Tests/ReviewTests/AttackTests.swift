import PSBT
import Review
import Testing

@Suite("The attack set")
struct AttackTests {
    @Test(
        "each change to an honest PSBT fails the checks it must, and no others",
        arguments: Attack.all)
    func attack(_ attack: Attack) throws {
        let report = try Own.reviewer().review(attack.bytes())
        let failed = ReviewCheck.allCases.filter {
            if case .failed = report.outcome(of: $0) { true } else { false }
        }
        #expect(Set(failed).subtracting(attack.codes) == [], "\(report.findings.map(\.sentence))")
        #expect(attack.codes.subtracting(failed) == [])
        #expect(report.verdict == attack.verdict)
        #expect(Set(report.findings.map(\.check)) == attack.codes)
    }

    @Test("an honest payment of each account has no finding", arguments: AccountKind.allCases)
    func honest(_ kind: AccountKind) throws {
        for version in [PSBT.Version.v0, .v2] {
            var draft = try Draft.honest(kind)
            draft.version = version
            let report = try Own.reviewer().review(draft.bytes)
            #expect(report.findings.map(\.sentence) == [])
            #expect(report.verdict == .ready)
            #expect(report.signableInputs(of: 0) == [0, 1])
            #expect(report.outputs.map(\.role) == [.payment, .change])
        }
    }

    @Test("nothing is signed against the verdict, and every verdict but stop can be signed")
    func signing() throws {
        var (stopped, signed) = (0, 0)
        for attack in Attack.all {
            let bytes = try attack.bytes()
            let report = try Own.reviewer().review(bytes)
            guard report.verdict != .stopped else {
                stopped += 1
                #expect(report.signableInputs(of: 0).isEmpty, "\(attack.name)")
                continue
            }
            let psbt = try PSBT(bytes)
            let records = try Own.sign(psbt, report)
            #expect(
                Set(records.map(\.input)) == report.signableInputs(of: 0) && !records.isEmpty,
                "\(attack.name)")
            let checker = try SignatureChecker(psbt)
            for record in records { try checker.check(record) }
            signed += 1
        }
        #expect(stopped == 99)
        #expect(signed == 69)
    }

    @Test("the set has more than eighty changes, each of its own name, and reaches every check")
    func complete() {
        #expect(Attack.all.count == 168)
        #expect(Set(Attack.all.map(\.name)).count == Attack.all.count)
        let reached = Attack.all.reduce(into: Set<ReviewCheck>()) { $0.formUnion($1.codes) }
        // Named tests of their own: a file above 16 MiB, two wallets, an unusual path.
        let elsewhere: Set<ReviewCheck> = [.fileTooLarge, .walletsMixed, .inputPathUnusual]
        #expect(Set(ReviewCheck.allCases).subtracting(reached) == elsewhere)
    }
}
