import Foundation
import SeccompPolicies
import Testing

@testable import Confinement

@Suite("Probes from inside", .enabled(if: Wall.isTested))
struct ProbeTests {
    @Test(
        "each attempt that must fail in a process fails inside its wall, again and again",
        arguments: [
            (PolicyName.signer, PolicyName.signer, ProbedProcess.signer),
            (.network, .networkProbe, .network), (.console, .consoleProbe, .console),
        ])
    func insideTheWall(_ policy: PolicyName, _ probes: PolicyName, _ process: ProbedProcess) throws
    {
        let scratch = try Scratch()
        let own = try scratch.directory("own")
        _ = try scratch.file("device.key")
        _ = try scratch.directory("vaults")
        let kinds = ProbeKind.allCases.filter { $0.mustFail(in: process) }
        let run = try SpecimenRun(
            [policy.rawValue, "--write", own, "--probes", probes.rawValue]
                + (kinds + kinds).map { "probe=\($0)" })
        #expect(run.status == 0)
        try #require(run.lines.count == 2 * kinds.count, "\(run.lines)")
        for (line, kind) in zip(run.lines, kinds + kinds) {
            #expect(line.hasPrefix("\(kind) "))
            // Without Landlock, files are the private root's matter, which a specimen has not.
            let isFile = [.openDeviceKey, .openVaultDirectory, .openOutside].contains(kind)
            if isFile, Self.landlockVersion == 0, policy != .console { continue }
            #expect(!line.contains("HOLE") && !line.contains("not verified"), "\(line)")
        }
    }

    @Test("with a policy that allows everything, the same attempts find holes")
    func positiveControl() throws {
        let scratch = try Scratch()
        let own = try scratch.directory("own")
        _ = try scratch.file("device.key")
        _ = try scratch.directory("vaults")
        let run = try SpecimenRun(
            ["none", "--no-landlock", "--write", own, "--probes", "none"]
                + Self.alwaysPossible.map { "probe=\($0)" })
        #expect(run.lines == Self.alwaysPossible.map { "\($0) HOLE" })
    }

    /// What an ordinary process may do on any machine.
    static let alwaysPossible: [ProbeKind] = [
        .openDeviceKey, .openVaultDirectory, .openOutside, .execute, .fork, .listen,
    ]

    @Test("Landlock alone keeps files, programs, TCP and processes out of reach")
    func landlockAlone() throws {
        let scratch = try Scratch()
        let own = try scratch.directory("own")
        _ = try scratch.file("device.key")
        _ = try scratch.directory("vaults")
        var expected: [ProbeKind: String] = [:]
        if Self.landlockVersion >= 1 {
            for kind: ProbeKind in [.openDeviceKey, .openVaultDirectory, .openOutside, .execute] {
                expected[kind] = "EACCES"
            }
            expected[.readMemory] = "EPERM"
        }
        if Self.landlockVersion >= 4 { expected[.listen] = "EACCES" }
        if Self.landlockVersion >= 6 { expected[.signal] = "EPERM" }
        let kinds = ProbeKind.allCases.filter { expected[$0] != nil }
        let run = try SpecimenRun(
            ["none", "--write", own, "--probes", "none"] + kinds.map { "probe=\($0)" })
        #expect(run.lines == kinds.map { "\($0) \(expected[$0] ?? "")" })
    }

    static var landlockVersion: Int32 {
        if case .held(let version) = LandlockState.offered { version } else { 0 }
    }

    @Test("a worker that attempts something in its own process is gone")
    func attempt() throws {
        let run = try SpecimenRun(["signer-worker", "attempt=execute"])
        #expect(run.lines.isEmpty)
        #expect(run.status == 128 + SIGSYS)
    }
}
