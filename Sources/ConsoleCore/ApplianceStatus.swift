public import JSON
public import Messages
import Wire

/// What one side answered, or why it did not.
public enum Answer<Value: Hashable & Sendable>: Hashable, Sendable {
    /// It answered.
    case value(Value)
    /// It did not; a sentence says why.
    case problem(String)

    /// The answer, if there is one.
    public var value: Value? {
        if case .value(let value) = self { value } else { nil }
    }
}

/// The appliance as `bulkhead status` shows it: both sides, asked apart from each other.
public struct ApplianceStatus: Hashable, Sendable {
    /// What the signer said.
    public let signer: Answer<SignerStatus>
    /// What the network process said.
    public let network: Answer<NetworkStatus>
    /// How far the light client is; nil where nobody said.
    public let chain: ChainProgress?
    /// The peers that have a seat.
    public let peers: [PeerRow]

    /// The two answers.
    public init(
        signer: Answer<SignerStatus>, network: Answer<NetworkStatus>, chain: ChainProgress? = nil,
        peers: [PeerRow] = []
    ) {
        self.signer = signer
        self.network = network
        self.chain = chain
        self.peers = peers
    }

    /// What the two answers come to.
    public enum Verdict: Hashable, Sendable {
        /// Every process that the instance has answers.
        case complete
        /// One answers, and another that should does not.
        case incomplete(missing: String)
        /// None answers.
        case unreachable
    }

    /// What the two answers come to.
    public var verdict: Verdict {
        switch (signer, network) {
        case (.problem, .problem): .unreachable
        case (.problem, .value) where has(\.hasSigner): .incomplete(missing: "signer")
        case (.value, .problem) where has(\.hasNetwork): .incomplete(missing: "network process")
        default: .complete
        }
    }

    /// What the keeper told whoever answers; nil as long as it has told nothing.
    private var facts: KeeperFacts? {
        let facts = signer.value?.facts ?? network.value?.facts
        return facts.flatMap { $0.keeperPID == 0 ? nil : $0 }
    }

    /// Whether the instance has a process; as long as nobody says otherwise, it should.
    private func has(_ process: KeyPath<InstanceRole, Bool>) -> Bool {
        facts.map { $0.role[keyPath: process] } ?? true
    }

    /// A few lines for a person.
    public var lines: [String] {
        signerLines + networkLines + chainLines + problemLines + weaknessLines + verdictLines
    }

    private var verdictLines: [String] {
        guard case .incomplete(let missing) = verdict else { return [] }
        return ["The \(missing) should run and does not answer: the keeper's log says why."]
    }

    private var signerLines: [String] {
        switch signer {
        case .problem where !has(\.hasSigner):
            return ["signer    none: the role of this appliance is watch"]
        case .problem(let reason): return ["signer    not answering: " + shown(reason)]
        case .value(let status):
            return [
                "signer    running for \(duration(status.uptimeSeconds)) on \(status.chain.name)"
                    + ", process \(status.facts.signerPID)"
                    + restarts(status.facts.signerRestarts),
                "          \(link(to: "network process", \.hasNetwork, isUp: status.linkIsUp))"
                    + "\(counted(status.waiting, "request")) waiting, \(status.done) done"
                    + ", \(status.failed) failed, \(status.refused) refused",
            ] + ledgerLines(status)
        }
    }

    private func ledgerLines(_ status: SignerStatus) -> [String] {
        guard let entries = status.ledgerEntries else { return ["          ledger not read yet"] }
        guard entries > 0 else { return [] }
        let witness =
            switch status.witness {
            case .unheard: ""
            case .none: ", no head of it was kept before this start"
            case .agrees: ", goes on from the head that the network process kept"
            case .differs: ", differs from what the network process kept"
            }
        return [
            "          ledger of \(counted(entries, "entry", "entries"))" + witness
        ]
    }

    private var networkLines: [String] {
        switch network {
        case .problem where !has(\.hasNetwork):
            return ["network   none: the role of this appliance is offline"]
        case .problem(let reason): return ["network   not answering: " + shown(reason)]
        case .value(let status):
            return [
                "network   running for \(duration(status.uptimeSeconds)) on \(status.chain.name)"
                    + ", process \(status.facts.networkPID)"
                    + restarts(status.facts.networkRestarts),
                "          \(link(to: "signer", \.hasSigner, isUp: status.linkIsUp))"
                    + "round trip \(status.roundTripNanoseconds / 1000) us"
                    + ", \(counted(status.sent, "request")) sent, \(status.answered) answered",
            ]
        }
    }

    private var chainLines: [String] {
        (chain?.lines ?? [])
            + peers.map { peer in
                let transport = peer.transport == .v2 ? "v2 (encrypted)" : "v1 (in the clear)"
                return "          peer \(shown(peer.endpoint)) over \(transport)"
            }
    }

    private func link(
        to other: String, _ process: KeyPath<InstanceRole, Bool>, isUp: Bool
    ) -> String {
        has(process) ? "link to the \(other) \(isUp ? "up" : "down"), " : ""
    }

    /// Both were told by the keeper; whoever keeps something back hides nothing so.
    private var weaknesses: [String] {
        let first = signer.value?.weaknesses ?? []
        return first + (network.value?.weaknesses ?? []).filter { !first.contains($0) }
    }

    private var weaknessLines: [String] {
        guard !weaknesses.isEmpty else { return [] }
        return ["weaker than it could be:"] + weaknesses.map { "  - " + shown($0) }
    }

    private var problemLines: [String] {
        guard let problems = signer.value?.problems, !problems.isEmpty else { return [] }
        return ["wrong with the signer's files:"] + problems.map { "  - " + shown($0) }
    }

    private func shown(_ text: String) -> String { VisibleText(text, limit: 400).description }

    /// The same for `--json`.
    public var json: JSONValue {
        .object([
            .init("schema", .string("bulkhead-status-1")),
            .init("complete", .bool(verdict == .complete)),
            .init("role", facts.map { .string($0.role.name) } ?? .null),
            .init("signer", signerJSON),
            .init("network", networkJSON),
            .init("chain", chain?.json ?? .null),
            .init("peers", .array(peers.map(\.json))),
            .init("problems", .array((signer.value?.problems ?? []).map { .string($0) })),
            .init("weaknesses", .array(weaknesses.map { .string($0) })),
        ])
    }

    private func silence(_ reason: String, _ process: KeyPath<InstanceRole, Bool>) -> JSONValue {
        .object([
            .init("answers", .bool(false)), .init("shouldRun", .bool(has(process))),
            .init("problem", .string(reason)),
        ])
    }

    private var signerJSON: JSONValue {
        switch signer {
        case .problem(let reason): return silence(reason, \.hasSigner)
        case .value(let status):
            return .object([
                .init("answers", .bool(true)),
                .init("network", .string(status.chain.name)),
                .init("pid", .integer(Int(status.facts.signerPID))),
                .init("restarts", .integer(Int(status.facts.signerRestarts))),
                .init("uptimeSeconds", .integer(Int(clamping: status.uptimeSeconds))),
                .init("linkIsUp", .bool(status.linkIsUp)),
                .init("requestsWaiting", .integer(Int(status.waiting))),
                .init("workDone", .integer(Int(clamping: status.done))),
                .init("workFailed", .integer(Int(clamping: status.failed))),
                .init("requestsRefused", .integer(Int(clamping: status.refused))),
                .init("consoles", .integer(Int(status.consoles))),
                .init(
                    "ledgerEntries",
                    status.ledgerEntries.map { .integer(Int(clamping: $0)) } ?? .null),
                .init("witness", .string("\(status.witness)")),
            ])
        }
    }

    private var networkJSON: JSONValue {
        switch network {
        case .problem(let reason): return silence(reason, \.hasNetwork)
        case .value(let status):
            return .object([
                .init("answers", .bool(true)),
                .init("network", .string(status.chain.name)),
                .init("pid", .integer(Int(status.facts.networkPID))),
                .init("restarts", .integer(Int(status.facts.networkRestarts))),
                .init("uptimeSeconds", .integer(Int(clamping: status.uptimeSeconds))),
                .init("linkIsUp", .bool(status.linkIsUp)),
                .init(
                    "linkRoundTripNanoseconds",
                    .integer(Int(clamping: status.roundTripNanoseconds))),
                .init("requestsSent", .integer(Int(clamping: status.sent))),
                .init("requestsAnswered", .integer(Int(clamping: status.answered))),
                .init("connections", .integer(Int(status.connections))),
                .init("walletsHandedOver", .integer(Int(status.handedWallets))),
                .init(
                    "ledgerEntriesWitnessed", .integer(Int(clamping: status.witnessedEntries))),
            ])
        }
    }
}

/// A time span in the two largest units that say something: `5 s`, `3 min 20 s`, `2 d 4 h`.
func duration(_ seconds: UInt64) -> String {
    let units: [(UInt64, String)] = [(86_400, "d"), (3600, "h"), (60, "min"), (1, "s")]
    guard let first = units.firstIndex(where: { seconds >= $0.0 }) else { return "0 s" }
    let (size, name) = units[first]
    let whole = "\(seconds / size) \(name)"
    guard first + 1 < units.count else { return whole }
    let (nextSize, nextName) = units[first + 1]
    let rest = seconds % size / nextSize
    return rest == 0 ? whole : whole + " \(rest) \(nextName)"
}

/// What to add to a line about a process that was started again; nothing where it was not.
func restarts(_ count: UInt32) -> String {
    count == 0 ? "" : ", restarted \(counted(count, "time"))"
}
