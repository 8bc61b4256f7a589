public import Messages
import Wire

/// Judges what the kernel and the processes say. A pure function: facts in, rows out.
///
/// The kernel is believed before the process; where both speak and contradict each other the row is
/// a hole. What nobody could see is `not verified`, never good.
public struct AuditRules: Sendable {
    /// Whether the appliance was started as root, so that each child has a user of its own.
    public let ownUsers: Bool
    private let facts: [AuditedProcess: ProcessFacts]

    /// Rules over the facts of the running processes.
    public init(facts: [ProcessFacts], ownUsers: Bool) {
        self.ownUsers = ownUsers
        self.facts = Dictionary(facts.map { ($0.process, $0) }) { first, _ in first }
    }

    /// The processes that should run: those that do, and those for which the keeper listens, be they
    /// up or down.
    public static func expected(
        _ keeper: KeeperFacts, signerListens: Bool, networkListens: Bool
    ) -> [AuditedProcess] {
        var expected: [AuditedProcess] = [.keeper]
        if signerListens || keeper.signerPID != 0 { expected.append(.signer) }
        if networkListens || keeper.networkPID != 0 { expected.append(.network) }
        return expected + [.console]
    }

    /// The rows of every process that should run, in the order of `AuditedProcess`.
    public func rows(expecting processes: [AuditedProcess]) -> [AuditRow] {
        processes.flatMap { process -> [AuditRow] in
            guard let found = facts[process], found.pid != nil else {
                return [AuditRow(process, "running", "no such process", .missing, .nobody)]
            }
            return [
                user(found), groups(found), capabilities(found), noNewPrivileges(found),
                seccomp(found),
                landlock(found), dumpable(found), coreFiles(found), tracer(found), threads(found),
                namespaces(found), descriptors(found), lockedMemory(found),
            ].compactMap { $0 }
        }
    }

    // MARK: Identity

    private func user(_ found: ProcessFacts) -> AuditRow {
        let process = found.process
        guard let status = found.kernel.status else {
            guard let own = found.own else { return unseen(process, "user") }
            return AuditRow(process, "user", "uid \(own.uid)", .notVerified, .process)
        }
        let ids = Set(status.userIDs)
        let text = "uid " + ids.sorted().map(String.init).joined(separator: ", ")
        if ids.count != 1 { return AuditRow(process, "user", text, .hole, .kernel) }
        if process == .keeper || process == .console {
            return AuditRow(process, "user", text, .good, .kernel)
        }
        let others = facts.values.filter { $0.process != process && $0.process != .worker }
            .compactMap { $0.kernel.status?.userIDs.first }
        let shared = others.contains(status.userIDs[0])
        if !shared && !ids.contains(0) {
            return AuditRow(process, "user", text + ", its own", .good, .kernel)
        }
        let verdict: AuditRow.Verdict = ownUsers ? .missing : .weaker
        return AuditRow(process, "user", text + ", shared with others", verdict, .kernel)
    }

    private func groups(_ found: ProcessFacts) -> AuditRow {
        let process = found.process
        guard let status = found.kernel.status else { return unseen(process, "groups") }
        let ids = Set(status.groupIDs)
        let further = Set(status.groups).subtracting(ids).sorted().map(String.init)
        let text =
            "gid " + ids.sorted().map(String.init).joined(separator: ", ")
            + (further.isEmpty ? ", no further" : ", also " + further.joined(separator: " "))
        if ids.count != 1 { return AuditRow(process, "groups", text, .hole, .kernel) }
        if process == .keeper || process == .console {
            return AuditRow(process, "groups", text, .good, .kernel)
        }
        let others = facts.values.filter { $0.process != process && $0.process != .worker }
            .compactMap { $0.kernel.status?.groupIDs.first }
        if further.isEmpty && !others.contains(status.groupIDs[0]) && !ids.contains(0) {
            return AuditRow(process, "groups", text, .good, .kernel)
        }
        // An ordinary user cannot leave groups; the private root holds no file of theirs.
        return AuditRow(process, "groups", text, ownUsers ? .missing : .weaker, .kernel)
    }

    private func capabilities(_ found: ProcessFacts) -> AuditRow {
        let process = found.process
        guard let status = found.kernel.status else { return unseen(process, "capabilities") }
        let capabilities = status.capabilities
        if process == .keeper || process == .console {
            let held = capabilities.permitted | capabilities.effective
            let text = held == 0 ? "none in force" : CapabilityNames.list(held)
            let isExpected = held == 0 || (process == .keeper && ownUsers)
            return AuditRow(process, "capabilities", text, isExpected ? .good : .weaker, .kernel)
        }
        return capabilities.areNone
            ? AuditRow(process, "capabilities", "none, none can come back", .good, .kernel)
            : AuditRow(
                process, "capabilities",
                "effective: " + CapabilityNames.list(capabilities.effective) + "; bounding: "
                    + CapabilityNames.list(capabilities.bounding), .missing, .kernel)
    }

    private func noNewPrivileges(_ found: ProcessFacts) -> AuditRow {
        judge(
            found, "no new privileges", found.kernel.status?.noNewPrivileges,
            found.own?.hasNoNewPrivileges, good: true, "set", "not set")
    }

    // MARK: Filters

    private func seccomp(_ found: ProcessFacts) -> AuditRow {
        let process = found.process
        if process == .keeper {
            let text = "none by design: it starts and confines the others"
            return AuditRow(process, "seccomp", text, .weaker, .nobody)
        }
        guard let status = found.kernel.status else {
            guard let own = found.own else { return unseen(process, "seccomp") }
            let verdict: AuditRow.Verdict = own.seccompMode == 2 ? .notVerified : .missing
            let text = "mode \(own.seccompMode), policy " + own.policy
            return AuditRow(process, "seccomp", text, verdict, .process)
        }
        guard status.seccompMode == 2 else {
            return AuditRow(process, "seccomp", "mode \(status.seccompMode)", .missing, .kernel)
        }
        let filters = status.seccompFilters.map { ", " + counted($0, "filter") } ?? ""
        return AuditRow(process, "seccomp", "mode 2" + filters, .good, .kernel)
    }

    private func landlock(_ found: ProcessFacts) -> AuditRow? {
        let process = found.process
        guard process != .keeper else { return nil }
        guard let own = found.own else { return unseen(process, "Landlock") }
        switch own.landlock {
        case .held:
            // The kernel shows a process's Landlock domain nowhere; the probes test what it does.
            let text = "version \(own.landlockVersion), see the probes"
            return AuditRow(process, "Landlock", text, .good, .process)
        case .notInKernel, .switchedOff:
            let text = "not in this kernel: the private root carries the file wall"
            return AuditRow(process, "Landlock", text, .weaker, .process)
        case .unused:
            return AuditRow(process, "Landlock", "not used", .missing, .process)
        }
    }

    // MARK: Being looked into

    private func dumpable(_ found: ProcessFacts) -> AuditRow? {
        guard found.process != .keeper else { return nil }
        return judge(
            found, "dumpable", found.kernel.isDumpable, found.own?.isDumpable, good: false, "yes",
            "no")
    }

    private func coreFiles(_ found: ProcessFacts) -> AuditRow {
        guard let limit = found.kernel.coreLimit else { return unseen(found.process, "core files") }
        let isOff = limit.soft == 0 && limit.hard == 0
        let isExpected = isOff || found.process == .keeper
        return AuditRow(
            found.process, "core files", isOff ? "limit 0" : "allowed",
            isExpected ? .good : .missing, .kernel)
    }

    private func tracer(_ found: ProcessFacts) -> AuditRow {
        guard let status = found.kernel.status else { return unseen(found.process, "traced") }
        return status.tracer == 0
            ? AuditRow(found.process, "traced", "by nobody", .good, .kernel)
            : AuditRow(found.process, "traced", "by process \(status.tracer)", .hole, .kernel)
    }

    private func threads(_ found: ProcessFacts) -> AuditRow? {
        guard found.process == .signer, let status = found.kernel.status else { return nil }
        return AuditRow(
            .signer, "threads", "\(status.threads)", status.threads == 1 ? .good : .missing, .kernel
        )
    }

    // MARK: Helpers

    func unseen(_ process: AuditedProcess, _ check: String) -> AuditRow {
        AuditRow(process, check, "nobody could look", .notVerified, .nobody)
    }

    func facts(of process: AuditedProcess) -> ProcessFacts? { facts[process] }

    private func judge(
        _ found: ProcessFacts, _ check: String, _ kernel: Bool?, _ own: Bool?, good: Bool,
        _ yes: String, _ no: String
    ) -> AuditRow {
        let process = found.process
        func text(_ value: Bool) -> String { value ? yes : no }
        if let kernel, let own, kernel != own {
            let finding = "the kernel says \(text(kernel)), the process \(text(own))"
            return AuditRow(process, check, finding, .hole, .kernel)
        }
        if let kernel {
            return AuditRow(
                process, check, text(kernel), kernel == good ? .good : .missing, .kernel)
        }
        guard let own else { return unseen(process, check) }
        let verdict: AuditRow.Verdict = own == good ? .notVerified : .missing
        return AuditRow(process, check, text(own), verdict, .process)
    }
}
