import Messages
import Testing

@testable import ConsoleCore

@Suite("Probes in the audit")
struct AuditProbesTests {
    private func rows(
        _ outcome: ProbeRow.Outcome, number: Int32 = 1, mustFail: Bool = true,
        place: ProbeRow.Place = .process
    ) -> [AuditRow] {
        let row = ProbeRow(place: place, probe: 3, outcome: outcome, number: number)
        return AuditRules.probes(asked: .signer, [row]) { _, _ in
            ProbeMeaning(title: "run a shell", mustFail: mustFail, summary: "EPERM")
        }
    }

    @Test("a refusal, an absence and a death by SIGSYS are good; a goal reached is a hole")
    func outcomes() {
        #expect(rows(.refused).map(\.verdict) == [.good])
        #expect(rows(.absent).map(\.verdict) == [.good])
        #expect(rows(.killed, number: 31).map(\.verdict) == [.good])
        #expect(rows(.killed, number: 11).map(\.verdict) == [.notVerified])
        #expect(rows(.unclear).map(\.verdict) == [.notVerified])
        #expect(rows(.reached).map(\.verdict) == [.hole])
        #expect(rows(.reached, mustFail: false).map(\.verdict) == [.good])
        #expect(AuditReport(rows(.reached)).failed)
    }

    @Test("what a worker tried stands under the worker")
    func worker() {
        #expect(rows(.refused, place: .worker).map(\.process) == [.worker])
    }

    @Test("of a process that does not answer it is never said that its wall stands")
    func silence() {
        for none: [ProbeRow]? in [nil, []] {
            let report = AuditReport(AuditRules.probes(asked: .signer, none) { _, _ in nil })
            #expect(report.failed)
        }
    }

    @Test("a probe of another build is not verified")
    func unknown() {
        let row = ProbeRow(place: .process, probe: 250, outcome: .refused, number: 1)
        let rows = AuditRules.probes(asked: .network, [row]) { _, _ in nil }
        #expect(rows.map(\.verdict) == [.notVerified])
    }
}
