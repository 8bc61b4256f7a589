import Confinement
import ConsoleCore
import LinuxIO
import Messages
import Wire

/// A process confined exactly as those of `bulkhead console` and of commands that take a password, started
/// for an audit.
enum ConsoleSpecimen {
    /// What was found.
    struct Found {
        var pid: Int32?
        var kernel = KernelFacts()
        var report: ProcessReport?
        var probes: [ProbeRow]?
    }

    /// Starts one, looks at it while it lives, and lets it go.
    ///
    /// - Parameter facts: Of the keeper, which names the directories that the probes aim at.
    static func examine(_ facts: KeeperFacts, _ runtimeDirectory: String) -> Found {
        var found = Found()
        do {
            let hold = try Pipe()
            let holdNumber = hold.reading.number
            let helper = try Helper.start { pipe throws(ClientFailure) in
                let signer = facts.stateDirectory + "/signer"
                let targets = ProbeTargets(
                    deviceKey: signer + "/device.key", vaultDirectory: signer + "/vaults",
                    signerSocket: runtimeDirectory + "/signer.sock", otherProcess: 1)
                return try specimen(targets, pipe: pipe, hold: holdNumber)
            }
            found.pid = helper.pid
            // The first bytes come when it is confined; it lives until `hold` is closed.
            let bytes = try helper.answer(within: Conversation.limit)
            found.kernel = ProcessFolder.facts(of: helper.pid)
            for reply in try Conversation.replies(in: bytes, as: ConsoleReply.self) {
                switch reply {
                case .selfReport(let report): found.report = report
                case .probes(let rows): found.probes = rows
                default: break
                }
            }
            _ = consume hold
        } catch {
            return found
        }
        return found
    }

    private static func specimen(
        _ targets: ProbeTargets, pipe: Int32, hold: Int32
    ) throws(ClientFailure) -> [UInt8] {
        try ConsoleConfinement.lockSecretMemory()
        let (report, probes) = try ConsoleConfinement.enterWithProbes(keeping: [pipe, hold])
        let rows = ProbeKind.allCases.filter { $0.mustFail(in: .console) }.map { kind in
            ProbeRow(kind, probes.run(kind, at: targets))
        }
        var writer = Writer()
        Conversation.write(ConsoleReply.selfReport(report), to: &writer)
        Conversation.write(ConsoleReply.probes(rows), to: &writer)
        Helper.writeAnswer(writer.bytes, to: pipe)
        // Waits for the end of the pipe: nothing is ever written into it.
        var byte: [UInt8] = [0]
        _ = try? byte.withUnsafeMutableBytes { try Kernel.read(hold, into: $0) }
        Kernel.exit(0)
    }
}

extension ProbeRow {
    /// A row for what became of an attempt of the asked process.
    init(_ kind: ProbeKind, _ outcome: ProbeOutcome) {
        let (result, number): (Outcome, Int32) =
            switch outcome {
            case .refused(let error): (.refused, error.number)
            case .absent(let error): (.absent, error.number)
            case .killed(let signal): (.killed, signal)
            case .reached: (.reached, 0)
            case .unclear(let error): (.unclear, error?.number ?? 0)
            }
        self.init(place: .process, probe: kind.rawValue, outcome: result, number: number)
    }
}
