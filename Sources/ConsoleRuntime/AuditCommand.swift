import Configuration
import Confinement
import ConsoleCore
import Glibc
import LinuxIO
import Messages
import Wire

/// `bulkhead audit`: what the kernel shows, what each process says, and what probes tried.
enum AuditCommand {
    static func run(_ options: CommandOptions) -> ExitCode {
        let report = audit(options.runtimeDirectory)
        guard let report else {
            StandardStream.error(
                "bulkhead audit: the appliance does not answer in \(options.runtimeDirectory): "
                    + "see bulkhead status\n")
            return .unreachable
        }
        StandardStream.out(
            (options.printsJSON ? report.json.text : report.lines.joined(separator: "\n")) + "\n")
        return report.failed ? .finding : .success
    }

    /// What one side answered.
    private struct Said {
        var facts: KeeperFacts?
        var report: ProcessReport?
        var probes: [ProbeRow]?
        var uid: UInt32? { report?.uid }
    }

    private static func audit(_ runtimeDirectory: String) -> AuditReport? {
        let signer = askSigner(runtimeDirectory)
        let network = askNetwork(runtimeDirectory)
        guard let keeper = signer.facts ?? network.facts else { return nil }
        let console = ConsoleSpecimen.examine(runtimeDirectory)
        var expected: [AuditedProcess] = [.keeper]
        if keeper.signerPID != 0 { expected.append(.signer) }
        if keeper.networkPID != 0 { expected.append(.network) }
        expected.append(.console)
        let facts = [
            facts(.keeper, keeper.keeperPID, nil), facts(.signer, keeper.signerPID, signer.report),
            facts(.network, keeper.networkPID, network.report),
            ProcessFacts(.console, pid: console.pid, kernel: console.kernel, own: console.report),
        ]
        let keeperUser = facts[0].kernel.status?.userIDs.first
        let rules = AuditRules(facts: facts, ownUsers: keeperUser == 0)
        var rows = rules.rows(expecting: expected)
        if keeper.signerPID != 0 { rows += probes(.signer, signer.probes) }
        if keeper.networkPID != 0 { rows += probes(.network, network.probes) }
        rows += probes(.console, console.probes)
        return AuditReport(rows)
    }

    private static func facts(
        _ process: AuditedProcess, _ pid: UInt32, _ own: ProcessReport?
    ) -> ProcessFacts {
        guard pid > 1, pid <= UInt32(Int32.max) else {
            return ProcessFacts(process, pid: nil, kernel: KernelFacts(), own: own)
        }
        let number = Int32(pid)
        return ProcessFacts(
            process, pid: number, kernel: ProcessFolder.facts(of: number), own: own)
    }

    private static func probes(_ process: AuditedProcess, _ rows: [ProbeRow]?) -> [AuditRow] {
        AuditRules.probes(asked: process, rows) { process, row in
            guard let kind = ProbeKind(rawValue: row.probe),
                let probed = ProbedProcess(process)
            else { return nil }
            return ProbeMeaning(
                title: kind.title, mustFail: kind.mustFail(in: probed),
                summary: ProbeOutcome(row).summary)
        }
    }

    private static func askSigner(_ runtimeDirectory: String) -> Said {
        var said = Said()
        let questions: [ConsoleRequest] = [.status, .selfReport, .probe]
        let bytes = try? Helper.start { pipe throws(ClientFailure) in
            try Conversation.withSigner(runtimeDirectory, questions, pipe: pipe)
        }.answer(within: Conversation.limit)
        for reply in (try? Conversation.replies(in: bytes ?? [], as: ConsoleReply.self)) ?? [] {
            switch reply {
            case .status(let status): said.facts = status.facts
            case .selfReport(let report): said.report = report
            case .probes(let rows): said.probes = rows
            default: break
            }
        }
        return said
    }

    private static func askNetwork(_ runtimeDirectory: String) -> Said {
        var said = Said()
        let questions: [QueryRequest] = [.status, .selfReport, .probe]
        let bytes = try? Helper.start { pipe throws(ClientFailure) in
            try Conversation.withNetwork(runtimeDirectory, questions, pipe: pipe)
        }.answer(within: Conversation.limit)
        for reply in (try? Conversation.replies(in: bytes ?? [], as: QueryReply.self)) ?? [] {
            switch reply {
            case .status(let status): said.facts = status.facts
            case .selfReport(let report): said.report = report
            case .probes(let rows): said.probes = rows
            default: break
            }
        }
        return said
    }
}

extension ProbedProcess {
    /// The process as the probes' table calls it; nil for the keeper, which nothing probes.
    init?(_ process: AuditedProcess) {
        switch process {
        case .keeper: return nil
        case .signer: self = .signer
        case .worker: self = .worker
        case .network: self = .network
        case .console: self = .console
        }
    }
}

extension ProbeOutcome {
    /// The outcome that a row carries.
    init(_ row: ProbeRow) {
        switch row.outcome {
        case .refused: self = .refused(Errno(row.number))
        case .absent: self = .absent(Errno(row.number))
        case .killed: self = .killed(signal: row.number)
        case .reached: self = .reached
        case .unclear: self = .unclear(row.number == 0 ? nil : Errno(row.number))
        }
    }
}
