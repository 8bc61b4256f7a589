import Foundation
import SeccompPolicies
import Testing
import Wire

@testable import Confinement

@Suite("Confinement of a process", .enabled(if: Wall.isTested))
struct ConfinementTests {
    @Test("what was asked for holds, and the process says so from inside")
    func report() throws {
        let run = try SpecimenRun(
            ["network", "--limit", "openFiles=32", "--limit", "fileSize=4096", "report"])
        let report = try #require(try self.report(in: run))
        #expect(report.policy == "network")
        #expect(report.seccompMode == 2)
        #expect(report.noNewPrivileges)
        #expect(!report.dumpable)
        #expect(report.permittedCapabilities == 0)
        #expect(report.limits[.core] == 0)
        #expect(report.limits[.openFiles] == 32)
        #expect(report.limits[.fileSize] == 4096)
        #expect(report.landlock != .unused)
        #expect(run.status == 0)
    }

    @Test("only named descriptors stay open")
    func descriptors() throws {
        let run = try SpecimenRun(["network", "descriptors"])
        #expect(run.lines == ["descriptors 0,1,2"])
    }

    @Test("a limit is never raised")
    func limits() throws {
        let run = try SpecimenRun(
            ["network", "--limit", "openFiles=\(UInt64.max)", "--limit", "core=1000", "report"])
        let report = try #require(try self.report(in: run))
        #expect(report.limits[.core] == min(1000, ResourceLimits.current(.core)))
        #expect(report.limits[.openFiles] == ResourceLimits.current(.openFiles))
    }

    @Test("without rules for Landlock the report says that it is not used")
    func withoutLandlock() throws {
        let run = try SpecimenRun(["network", "--no-landlock", "report"])
        #expect(try self.report(in: run)?.landlock == .unused)
    }

    @Test("a Swift trap inside the wall ends the process by a signal, without a helper program")
    func trap() throws {
        let run = try SpecimenRun(["signer", "trap"])
        #expect(run.lines.isEmpty)
        #expect(
            [SIGILL, SIGTRAP, SIGSYS, SIGABRT].map { 128 + $0 }.contains(run.status),
            "\(run.status)")
    }

    @Test("a missing path is named and nothing is confined half")
    func missingPath() throws {
        let run = try SpecimenRun(["signer", "--write", "/no/such/place", "report"])
        let line = try #require(run.lines.first)
        guard case .held = LandlockState.offered else {
            #expect(line.hasPrefix("report "), "no Landlock in this kernel, so no rule to make")
            return
        }
        #expect(line.contains("/no/such/place") && line.contains("ENOENT"))
        #expect(run.lines.count == 1)
    }

    private func report(in run: SpecimenRun) throws -> ConfinementReport? {
        guard let line = run.lines.first(where: { $0.hasPrefix("report ") }) else { return nil }
        var reader = Reader(try Hex.decode(line.dropFirst("report ".count)))
        let report = try ConfinementReport(from: &reader)
        #expect(reader.isAtEnd)
        return report
    }
}

@Suite("Reports of confinement")
struct ConfinementReportTests {
    @Test(
        "a report reads back as it was written",
        arguments: [
            LandlockState.notInKernel, .switchedOff, .unused, .held(version: 7),
        ])
    func roundTrip(_ state: LandlockState) throws {
        for denied in [nil, true, false] {
            var report = ConfinementReport.observed(policy: "signer", landlock: state)
            report.writeExecuteDenied = denied
            var writer = Writer()
            report.encode(into: &writer)
            var reader = Reader(writer.bytes)
            #expect(try ConfinementReport(from: &reader) == report)
            #expect(reader.isAtEnd)
            for length in 0..<writer.bytes.count {
                var short = Reader(writer.bytes, in: 0..<length)
                #expect(throws: WireError.self) { try ConfinementReport(from: &short) }
            }
        }
    }

    @Test("an outcome reads back as it was written")
    func outcomes() throws {
        for outcome: ProbeOutcome in [
            .refused(.accessDenied), .absent(.noSuchFile), .killed(signal: SIGSYS), .reached,
            .unclear(nil), .unclear(.outOfMemory),
        ] {
            var writer = Writer()
            outcome.encode(into: &writer)
            var reader = Reader(writer.bytes)
            #expect(try ProbeOutcome(from: &reader) == outcome)
            #expect(reader.isAtEnd)
        }
    }

    @Test("only a refusal, an absence and SIGSYS count as a wall")
    func held() {
        #expect(ProbeOutcome.refused(.accessDenied).held)
        #expect(ProbeOutcome.absent(.noSuchFile).held)
        #expect(ProbeOutcome.killed(signal: SIGSYS).held)
        #expect(!ProbeOutcome.killed(signal: SIGSEGV).held)
        #expect(!ProbeOutcome.reached.held)
        #expect(!ProbeOutcome.unclear(.outOfMemory).held)
        #expect(
            ProbeOutcome.worst([.refused(.notPermitted), .reached, .killed(signal: 31)]) == .reached
        )
        #expect(ProbeOutcome.worst([]) == .unclear(nil))
    }
}
