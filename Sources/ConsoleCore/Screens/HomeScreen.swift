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
        case .pageUp: cursor = max(0, cursor - 10)
        case .pageDown: cursor = min(cursor + 10, max(0, rows.count - 1))
        case .home: cursor = 0
        case .end: cursor = max(0, rows.count - 1)
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
    private static let keys = [
        "arrows Enter open", "n new", "i import", "s sign file", "v verify", "l ledger", "q leave",
    ]
    private static let keysWithoutSigner = ["r refresh", "q leave"]

    /// Exactly `rows` lines of at most `columns` characters each.
    public func lines(columns: Int, rows: Int) -> [String] {
        let frame = ScreenFrame(
            columns: columns, rows: rows,
            keys: signer.value == nil ? Self.keysWithoutSigner : Self.keys, message: message)
        var above = signerLines + [networkLine]
        if let status = signer.value { above.append(Self.ledgerLine(status)) }
        var body = above.flatMap { TextWrap.lines($0, columns: columns, hang: 10) }
        guard signer.value != nil else { return frame.lines(title: title(columns), body: body) }
        // Four lines are the least that a list can be moved in.
        body = TextWrap.cut(body + [""], to: frame.height - 4) { _ in
            "bulkhead status says how both sides are"
        }
        let below = weaknessLines(columns)
        // On a low screen the list comes first: of what is below it there is room for its number.
        let reserved = min(below.count, frame.height < 18 ? 2 : 4)
        let room = max(4, frame.height - body.count - reserved)
        body += list(columns: columns, room: room)
        body += TextWrap.cut(below, to: frame.height - body.count) {
            "  and \(counted($0, "more line")): bulkhead status"
        }
        return frame.lines(title: title(columns), body: body)
    }

    private func title(_ columns: Int) -> String {
        guard let status = signer.value, status.chain != .mainnet else { return "Bulkhead" }
        let warning = "*** \(status.chain.name): coins of no value ***"
        let title = "Bulkhead   " + warning
        return title.count <= columns ? title : warning
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

    private func weaknessLines(_ columns: Int) -> [String] {
        let problems = signer.value?.problems ?? []
        let weaknesses = signer.value?.weaknesses ?? []
        var lines: [String] = []
        func add(_ heading: String, _ texts: [String]) {
            guard !texts.isEmpty else { return }
            lines += [""] + TextWrap.lines(heading, columns: columns)
            for text in texts {
                let shown = "  - " + VisibleText(text, limit: 300).description
                lines += TextWrap.lines(shown, columns: columns, hang: 4)
            }
        }
        add("Wrong with the signer's files:", problems)
        add("Walls that are weaker than they could be (bulkhead audit shows all):", weaknesses)
        return lines
    }

    /// A part of the list, which stays together: a heading, or one that can be chosen.
    private struct Block {
        var lines: [String]
        var isRow = true
    }

    /// The requests and vaults, as many of them as there is room for, around the chosen one; a mark says
    /// how many are above and below.
    private func list(columns: Int, room: Int) -> [String] {
        let blocks = self.blocks(columns)
        func lines(_ shown: Range<Int>) -> [String] {
            let above = blocks[..<shown.lowerBound].count { $0.isRow }
            let below = blocks[shown.upperBound...].count { $0.isRow }
            return (above > 0 ? ["  ... \(above) more above"] : [])
                + blocks[shown].flatMap(\.lines)
                + (below > 0 ? ["  ... \(below) more below"] : [])
        }
        let rows = blocks.indices.filter { blocks[$0].isRow }
        let chosen = rows.indices.contains(cursor) ? rows[cursor] : 0
        var shown = chosen..<chosen + 1
        while true {
            let before = shown
            for wider in [
                shown.lowerBound..<min(blocks.count, shown.upperBound + 1),
                max(0, shown.lowerBound - 1)..<min(blocks.count, shown.upperBound + 1),
                max(0, shown.lowerBound - 1)..<shown.upperBound,
            ] where wider.count > shown.count && lines(wider).count <= room {
                shown = wider
            }
            if shown == before { return lines(shown) }
        }
    }

    private func blocks(_ columns: Int) -> [Block] {
        var blocks: [Block] = []
        var place = 0
        func add(_ heading: String...) { blocks.append(Block(lines: heading, isRow: false)) }
        func add(row text: String, hang: Int) {
            let line = (place == cursor ? "> " : "  ") + text
            blocks.append(Block(lines: TextWrap.lines(line, columns: columns, hang: hang)))
            place += 1
        }
        if let requests {
            add("Requests that wait")
            if requests.isEmpty { add("  none") }
            for request in requests {
                add(row: "\(request.id)  \(VisibleText(request.text, limit: 200))", hang: 5)
            }
            add("")
        }
        add("Vaults")
        guard let vaults else {
            add("  asking")
            return blocks
        }
        if vaults.isEmpty { add("  none yet: n makes a wallet, i imports one") }
        let names = vaults.map { Self.name(of: $0, among: vaults) }
        let width = names.map(\.columns).max() ?? 0
        for (vault, name) in zip(vaults, names) {
            add(row: Self.line(of: vault, name, width), hang: 4)
        }
        return blocks
    }

    /// Two of one name are told apart by the start of their ids.
    private static func name(of vault: VaultRow, among all: [VaultRow]) -> String {
        let name = VisibleText(vault.name.isEmpty ? "?" : vault.name, limit: 40).description
        let isClear = !vault.name.isEmpty && !all.hasTwin(of: vault)
        return isClear ? name : "\(name) (\(vault.id.description.prefix(8)))"
    }

    private static func line(of vault: VaultRow, _ name: String, _ width: Int) -> String {
        name + String(repeating: " ", count: max(0, width - name.columns))
            + "  \(vault.kind)  made \(UTCTime(seconds: vault.createdAt).date)"
            + (vault.problem.isEmpty ? "" : "  DAMAGED")
    }
}
