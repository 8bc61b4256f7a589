import Messages
import Testing

@testable import ConsoleCore

@Suite("Audit rules")
struct AuditRulesTests {
    /// A signer, a network process and a keeper as they should be, started as root.
    static func sound() -> [AuditedProcess: ProcessFacts] {
        [
            .keeper: facts(.keeper, uid: 0, namespaceBase: 100, filters: 0),
            .signer: facts(.signer, uid: 990, namespaceBase: 200, filters: 1),
            .network: facts(.network, uid: 991, namespaceBase: 300, filters: 1),
        ]
    }

    static func facts(
        _ process: AuditedProcess, uid: UInt32, namespaceBase: UInt64, filters: Int
    ) -> ProcessFacts {
        var kernel = KernelFacts()
        kernel.status = ProcessStatus(
            ProcessStatusTests.text
                .replacing("990\t990\t990\t990", with: "\(uid)\t\(uid)\t\(uid)\t\(uid)")
                .replacing("989", with: "\(uid)")
                .replacing("Seccomp:\t2", with: "Seccomp:\t\(filters == 0 ? 0 : 2)")
                .replacing("Seccomp_filters:\t1", with: "Seccomp_filters:\t\(filters)"))
        kernel.isDumpable = process == .keeper
        kernel.coreLimit = KernelFacts.CoreLimit(
            limits: "Max core file size        0                    0                    bytes")
        kernel.namespaces = ["ipc": 1, "mnt": 2, "net": 3, "pid": 4]
            .mapValues { $0 + namespaceBase }
        if process == .network { kernel.namespaces?["net"] = 103 }
        kernel.descriptors = [0: "/dev/null", 3: "socket:[1]", 6: "anon_inode:[eventpoll]"]
        var own = ProcessReport()
        own.uid = uid
        own.policy = process.rawValue
        own.seccompMode = filters > 0 ? 2 : 0
        own.hasNoNewPrivileges = true
        own.landlock = .held
        own.landlockVersion = 6
        own.descriptors = 3
        return ProcessFacts(process, pid: 10, kernel: kernel, own: process == .keeper ? nil : own)
    }

    func report(
        ownUsers: Bool = true, _ change: (inout [AuditedProcess: ProcessFacts]) -> Void
    ) -> AuditReport {
        var facts = Self.sound()
        change(&facts)
        let rules = AuditRules(facts: Array(facts.values), ownUsers: ownUsers)
        return AuditReport(rules.rows(expecting: [.keeper, .signer, .network]))
    }

    func row(_ report: AuditReport, _ process: AuditedProcess, _ check: String) -> AuditRow? {
        report.rows.first { $0.process == process && $0.check == check }
    }

    func alter(_ facts: ProcessFacts?, status change: (String) -> String) -> ProcessFacts? {
        guard let facts else { return nil }
        var kernel = facts.kernel
        let uid = kernel.status?.userIDs.first ?? 0
        let text = ProcessStatusTests.text
            .replacing("990\t990\t990\t990", with: "\(uid)\t\(uid)\t\(uid)\t\(uid)")
            .replacing("989", with: "\(uid)")
        kernel.status = ProcessStatus(change(text))
        return ProcessFacts(facts.process, pid: facts.pid, kernel: kernel, own: facts.own)
    }

    @Test("a process that is down is missed, and one that the instance does not have is not")
    func expectation() {
        func expected(_ signer: UInt32, _ network: UInt32, _ listens: (Bool, Bool))
            -> [AuditedProcess]
        {
            AuditRules.expected(
                KeeperFacts(keeperPID: 9, signerPID: signer, networkPID: network),
                signerListens: listens.0, networkListens: listens.1)
        }
        #expect(expected(1, 2, (true, true)) == [.keeper, .signer, .network, .console])
        #expect(expected(1, 0, (true, true)) == [.keeper, .signer, .network, .console])
        #expect(expected(0, 2, (true, true)) == [.keeper, .signer, .network, .console])
        #expect(expected(1, 0, (true, false)) == [.keeper, .signer, .console])
        #expect(expected(0, 2, (false, true)) == [.keeper, .network, .console])
        // Somebody removed its socket.
        #expect(expected(1, 2, (true, false)) == [.keeper, .signer, .network, .console])

        let down = report { $0[.network] = nil }
        #expect(down.failed)
        #expect(row(down, .network, "running")?.verdict == .missing)
    }

    @Test("a sound appliance passes, and every row but the keeper's filter is good")
    func soundAppliance() {
        let report = report { _ in }
        #expect(!report.failed)
        #expect(report.rows.filter { $0.verdict != .good }.map(\.check) == ["seccomp"])
    }

    @Test(
        "each single weakness of the signer fails the audit under its own name",
        arguments: [
            ("Seccomp:\t2", "Seccomp:\t0", "seccomp"),
            ("NoNewPrivs:\t1", "NoNewPrivs:\t0", "no new privileges"),
            ("CapBnd:\t0000000000000000", "CapBnd:\t0000000000000001", "capabilities"),
            ("TracerPid:\t0", "TracerPid:\t77", "traced"),
            ("Threads:\t1", "Threads:\t2", "threads"),
            ("Uid:\t990\t990\t990\t990", "Uid:\t990\t0\t990\t990", "user"),
            ("Gid:\t990\t990\t990\t990", "Gid:\t990\t990\t0\t990", "groups"),
            ("Groups:\t 990", "Groups:\t 4 990", "groups"),
        ])
    func weakness(before: String, after: String, check: String) {
        let report = report { facts in
            facts[.signer] = alter(facts[.signer]) { $0.replacing(before, with: after) }
        }
        #expect(report.failed)
        let failing = report.rows.filter { $0.verdict == .missing || $0.verdict == .hole }
        #expect(failing.map(\.check).contains(check))
        #expect(failing.allSatisfy { $0.process == .signer })
    }

    @Test("a dumpable child, an allowed core file, a shared namespace and an open file fail it")
    func kernelFacts() {
        let changes: [(String, (inout KernelFacts) -> Void)] = [
            ("dumpable", { $0.isDumpable = true }),
            (
                "core files",
                { $0.coreLimit = .init(limits: "Max core file size   0   unlimited   bytes") }
            ),
            ("namespaces", { $0.namespaces?["net"] = 103 }),
            ("namespaces", { $0.namespaces?["mnt"] = 302 }),
            ("descriptors", { $0.descriptors?[7] = "/etc/passwd" }),
        ]
        for (check, change) in changes {
            let report = report { facts in
                guard let signer = facts[.signer] else { return }
                var kernel = signer.kernel
                change(&kernel)
                facts[.signer] = ProcessFacts(.signer, pid: 10, kernel: kernel, own: signer.own)
            }
            #expect(report.failed, "\(check)")
            #expect(
                report.rows.contains { $0.verdict == .missing || $0.verdict == .hole }
                    && row(report, .signer, check)?.verdict != .good, "\(check)")
        }
    }

    @Test("a device key that came as a credential is the signer's to hold, and nobody else's")
    func credential() {
        let credential = "/run/credentials/bulkhead.service/device-key"
        for process in [AuditedProcess.signer, .network] {
            let report = report { facts in
                facts[process] = facts[process].map {
                    var kernel = $0.kernel
                    kernel.descriptors?[6] = credential
                    return ProcessFacts(process, pid: 10, kernel: kernel, own: $0.own)
                }
            }
            let row = row(report, process, "descriptors")
            #expect(row?.verdict == (process == .signer ? .good : .missing))
            #expect(row?.finding.contains("1 device key") == true, "\(row?.finding ?? "")")
        }
    }

    @Test("a process that contradicts the kernel is a hole")
    func contradiction() {
        let report = report { facts in
            facts[.network]?.own.map { own in
                var own = own
                own.isDumpable = true
                facts[.network] = ProcessFacts(
                    .network, pid: 10, kernel: facts[.network]?.kernel ?? KernelFacts(), own: own)
            }
        }
        #expect(row(report, .network, "dumpable")?.verdict == .hole)
    }

    @Test("what nobody could see is not verified and never good")
    func nothingSeen() {
        let report = report { facts in
            for process in [AuditedProcess.signer, .network] {
                facts[process] = ProcessFacts(process, pid: 10, kernel: KernelFacts(), own: nil)
            }
        }
        for row in report.rows where row.process != .keeper {
            #expect(row.verdict == .notVerified, "\(row)")
        }
    }

    @Test("a process that says good things of itself is still not verified")
    func ownWordOnly() {
        let report = report { facts in
            facts[.signer] = facts[.signer].map {
                ProcessFacts(.signer, pid: 10, kernel: KernelFacts(), own: $0.own)
            }
        }
        for check in ["no new privileges", "dumpable", "seccomp", "user", "descriptors"] {
            #expect(row(report, .signer, check)?.verdict == .notVerified, "\(check)")
            #expect(row(report, .signer, check)?.witness == .process, "\(check)")
        }
    }

    @Test("the rights that the keeper keeps are named")
    func keeperCapabilities() {
        let report = report { facts in
            facts[.keeper] = alter(facts[.keeper]) {
                $0.replacing("CapEff:\t0000000000000000", with: "CapEff:\t00000000002001e4")
            }
        }
        let row = row(report, .keeper, "capabilities")
        #expect(row?.finding == "dac_read_search kill setgid setuid setpcap sys_admin")
        #expect(CapabilityNames.list(0) == "none")
        #expect(CapabilityNames.list(1 << 40 | 1 << 63) == "checkpoint_restore 63")
        #expect(CapabilityNames.list(0x1ff_ffff_ffff) == "all")
    }

    @Test("one user for all is weaker for an ordinary user and missing for root")
    func oneUser() {
        for (ownUsers, verdict) in [(false, AuditRow.Verdict.weaker), (true, .missing)] {
            let report = report(ownUsers: ownUsers) { facts in
                for process in [AuditedProcess.keeper, .signer, .network] {
                    facts[process] = Self.facts(
                        process, uid: 1000,
                        namespaceBase: process == .keeper ? 100 : process == .signer ? 200 : 300,
                        filters: process == .keeper ? 0 : 1)
                }
            }
            #expect(row(report, .signer, "user")?.verdict == verdict)
            #expect(row(report, .signer, "groups")?.verdict == verdict)
            #expect(report.failed == ownUsers)
        }
    }

    @Test("a kernel without Landlock is weaker, not a failure")
    func noLandlock() {
        let report = report { facts in
            guard let signer = facts[.signer], var own = signer.own else { return }
            own.landlock = .notInKernel
            facts[.signer] = ProcessFacts(.signer, pid: 10, kernel: signer.kernel, own: own)
        }
        #expect(row(report, .signer, "Landlock")?.verdict == .weaker)
        #expect(!report.failed)
    }

    @Test("a process that is not there fails the audit")
    func absent() {
        #expect(report { $0[.network] = nil }.failed)
    }
}
