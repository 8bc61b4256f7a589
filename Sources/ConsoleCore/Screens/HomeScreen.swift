public import Messages
import StateFiles
import Wire

/// The home screen of `bulkhead console`: how both sides are, the requests that wait, the vaults, and
/// the keys at the bottom. A pure function of what is known and typed to lines of text.
public struct HomeScreen: Sendable {
    /// What the signer last said.
    public var signer: Answer<SignerStatus>
    /// What the network helper last said.
    public var network: NetworkAnswer
    /// The requests that wait for a person; nil while they are not known.
    public var requests: [WaitingRequest]?
    /// The vaults; nil while they are not known.
    public var vaults: [VaultRow]?
    /// What is said in the lower rule until the next key.
    public var message = ""
    private var cursor = 0

    /// A screen over these answers.
    public init(signer: Answer<SignerStatus>, network: NetworkAnswer = .asking) {
        self.signer = signer
        self.network = network
    }

    /// A request as the home screen lists it.
    public struct WaitingRequest: Hashable, Sendable {
        /// What `bulkhead approve` calls it.
        public let id: UInt32
        /// What it is, in one line.
        public let text: String

        /// A request and its line.
        public init(id: UInt32, text: String) {
            self.id = id
            self.text = text
        }
    }

    /// What a key led to.
    public enum Step: Hashable, Sendable {
        /// It is drawn anew.
        case more
        /// Ask again now.
        case refresh
        /// Leave.
        case quit
        /// Look at a request.
        case request(UInt32)
        /// Look at a vault.
        case vault(VaultRow)
        /// Ask for what a task needs.
        case form(ConsoleForm)
        /// Do it.
        case run(ConsoleTask)
    }

    private enum Row {
        case request(WaitingRequest)
        case vault(VaultRow)
    }

    private var rows: [Row] {
        (requests ?? []).map(Row.request) + (vaults ?? []).map(Row.vault)
    }

    /// Takes a key.
    public mutating func take(_ key: ScreenKey) -> Step {
        message = ""
        switch key {
        case .character("q"), .character("Q"), .cancel: return .quit
        case .character("r"), .character("R"): return .refresh
        case .up: cursor = max(0, cursor - 1)
        case .down: cursor = min(cursor + 1, max(0, rows.count - 1))
        case .enter where rows.indices.contains(cursor):
            switch rows[cursor] {
            case .request(let request): return .request(request.id)
            case .vault(let vault): return .vault(vault)
            }
        case .character("n"): return .form(.create)
        case .character("i"): return .form(.importWords)
        case .character("s"): return .form(.sign)
        case .character("v"): return .form(.verify)
        case .character("l"): return .run(.ledger)
        default: break
        }
        return .more
    }

    // MARK: Drawing

    /// The keys of a signer that answers.
    static let keys =
        "arrows Enter open  n new  i import  s sign file  v verify  l ledger  q leave"

    /// Exactly `rows` lines of at most `columns` characters each.
    public func lines(columns: Int, rows: Int) -> [String] {
        var above = signerLines + [networkLine]
        if let status = signer.value { above.append(Self.ledgerLine(status)) }
        above.append("")
        let height = ScreenFrame.height(rows: rows)
        let below = weaknessLines
        let room = max(3, height - above.count - min(below.count, 4))
        let body = above + (signer.value == nil ? [] : list(room: room)) + below
        return ScreenFrame.lines(
            title: title, body: body, message: message,
            keys: signer.value == nil ? "r refresh   q leave" : Self.keys, columns: columns,
            rows: rows)
    }

    private var title: String {
        guard let status = signer.value else { return "Bulkhead" }
        let isMainnet = status.chain == .mainnet
        return "Bulkhead" + (isMainnet ? "" : "   *** \(status.chain.name): coins of no value ***")
    }

    private var signerLines: [String] {
        switch signer {
        case .problem(let reason):
            ["Signer    " + VisibleText(reason, limit: 300).description]
        case .value(let status):
            [
                "Signer    running for \(duration(status.uptimeSeconds))"
                    + restarts(status.facts.signerRestarts).uppercased()
            ]
        }
    }

    private var networkLine: String {
        if signer.value?.facts.role == .offline {
            return "Network   none: this appliance is offline"
        }
        switch network {
        case .asking: return "Network   asking"
        case .silent: return "Network   not connected"
        case .numbers(let numbers):
            return "Network   running for \(duration(numbers.uptimeSeconds)), link "
                + (numbers.linkIsUp ? "up, round trip \(numbers.roundTripMicroseconds) us" : "down")
        }
    }

    /// Its counter, which a person can compare, and what the network process kept of it.
    private static func ledgerLine(_ status: SignerStatus) -> String {
        guard let count = status.ledgerEntries else { return "Ledger    not read yet" }
        let witness =
            switch status.witness {
            case .unheard: ""
            case .none: ", nothing was kept of it before this start"
            case .agrees: ", goes on from what the network process kept"
            case .differs: ", DIFFERS from what the network process kept"
            }
        return "Ledger    \(counted(count, "entry", "entries"))" + witness
    }

    private var weaknessLines: [String] {
        let problems = signer.value?.problems ?? []
        let weaknesses = signer.value?.weaknesses ?? []
        func rows(_ texts: [String]) -> [String] {
            texts.map { "  - " + VisibleText($0, limit: 300).description }
        }
        var lines: [String] = []
        if !problems.isEmpty { lines += ["", "Wrong with the signer's files:"] + rows(problems) }
        if !weaknesses.isEmpty {
            lines += ["", "Walls that are weaker than they could be (bulkhead audit shows all):"]
            lines += rows(weaknesses)
        }
        return lines
    }

    /// The requests and vaults, as many lines of them as there is room, around the chosen one.
    private func list(room: Int) -> [String] {
        var lines: [String] = []
        var chosen = 0
        var place = 0
        func mark(_ text: String) -> String {
            defer { place += 1 }
            if place == cursor { chosen = lines.count }
            return (place == cursor ? "> " : "  ") + text
        }
        if let requests {
            lines.append("Requests that wait")
            if requests.isEmpty { lines.append("  none") }
            for request in requests {
                let text = VisibleText(request.text, limit: 200).description
                lines.append(mark("\(request.id)  \(text)"))
            }
            lines.append("")
        }
        lines.append("Vaults")
        guard let vaults else { return lines + ["  asking"] }
        if vaults.isEmpty { lines.append("  none yet: n makes a wallet, i imports one") }
        let width = vaults.map { VisibleText($0.name, limit: 40).description.count }.max() ?? 0
        for vault in vaults { lines.append(mark(Self.line(of: vault, width))) }
        let start = max(0, min(chosen - room / 2, lines.count - room))
        return Array(lines.dropFirst(start).prefix(room))
    }

    private static func line(of vault: VaultRow, _ width: Int) -> String {
        let name = VisibleText(vault.name.isEmpty ? "?" : vault.name, limit: 40).description
        return name + String(repeating: " ", count: max(0, width - name.count))
            + "  \(vault.kind)  made \(UTCTime(seconds: vault.createdAt).date)"
            + (vault.problem.isEmpty ? "" : "  DAMAGED")
    }
}
