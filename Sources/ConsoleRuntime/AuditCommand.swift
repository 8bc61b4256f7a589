import Configuration
import Confinement
import ConsoleCore
import Glibc
import LinuxIO
import Messages
import Wire

/// `bulkhead audit`: what the kernel shows, what each process says, and what probes tried.
enum AuditCommand {
    static func run(_ options: CommandOptions) throws(CommandEnd) -> ExitCode {
        guard let report = audit(options.runtimeDirectory) else {
            throw .problem(
                .unreachable,
                "the appliance does not answer in "
                    + "\(VisibleText(options.runtimeDirectory, limit: 120)): see bulkhead status")
        }
        StandardStream.out(
            (options.printsJSON ? report.json.text : report.lines.joined(separator: "\n")) + "\n")
        return report.failed ? .finding : .success
    }

    /// What one side answered.
    private struct Said {
        /// Whether somebody listens at its socket, which the keeper keeps open while it is down.
        var isListened = true
        var facts: KeeperFacts?
        var report: ProcessReport?
        var probes: [ProbeRow]?
        var uid: UInt32? { report?.uid }
    }

    private static func audit(_ runtimeDirectory: String) -> AuditReport? {
        let signer = askSigner(runtimeDirectory)
        let network = askNetwork(runtimeDirectory)
        guard let keeper = signer.facts ?? network.facts else { return nil }
        let console = ConsoleSpecimen.examine(keeper, runtimeDirectory)
        let expected = AuditRules.expected(
            keeper, signerListens: signer.isListened, networkListens: network.isListened)
        let facts = [
            facts(.keeper, keeper.keeperPID, nil), facts(.signer, keeper.signerPID, signer.report),
            facts(.network, keeper.networkPID, network.report),
            ProcessFacts(.console, pid: console.pid, kernel: console.kernel, own: console.report),
        ]
        let keeperUser = facts[0].kernel.status?.userIDs.first
        let rules = AuditRules(facts: facts, ownUsers: keeperUser == 0)
        var rows = rules.rows(expecting: expected)
        if expected.contains(.signer) { rows += probes(.signer, signer.probes) }
        if expected.contains(.network) { rows += probes(.network, network.probes) }
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

    /// What a helper brings, which may be nothing.
    private static func ask(
        _ work: (Int32) throws(ClientFailure) -> [UInt8]
    ) -> (Said, [UInt8]) {
        do {
            return (Said(), try Helper.start(work).answer(within: Conversation.limit))
        } catch let failure as HelperFailure where failure.exitCode == .unreachable {
            return (Said(isListened: false), [])
        } catch {
            return (Said(), [])
        }
    }

    private static func askSigner(_ runtimeDirectory: String) -> Said {
        let questions: [ConsoleRequest] = [.status, .selfReport, .probe]
        var (said, bytes) = ask { pipe throws(ClientFailure) in
            try Conversation.withSigner(runtimeDirectory, questions, pipe: pipe)
        }
        for reply in (try? Conversation.replies(in: bytes, as: ConsoleReply.self)) ?? [] {
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
        let questions: [QueryRequest] = [.status, .selfReport, .probe]
        var (said, bytes) = ask { pipe throws(ClientFailure) in
            try Conversation.withNetwork(runtimeDirectory, questions, pipe: pipe)
        }
        for reply in (try? Conversation.replies(in: bytes, as: QueryReply.self)) ?? [] {
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
