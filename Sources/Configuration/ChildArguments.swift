/// The command line that the keeper gives a child. The child reads it with the same type.
public struct ChildArguments: Equatable, Sendable {
    /// The Bitcoin network that it serves.
    public var network: NetworkChoice
    /// Which processes the instance has.
    public var role: Role
    /// The child's own directory: `/state` in its private root; `.` where it has none and was started
    /// in that directory.
    public var stateDirectory: String
    /// How long wrong passwords make wait.
    public var attempts: AttemptsChoice
    /// Which wallets the signer tells the network process of.
    public var watchAccounts: WatchAccountsChoice
    /// Whether descriptor 6 is a device key that the service manager gave.
    public var hasCredential: Bool
    /// Whether descriptor 7 tells how much memory the machine has (`/proc/meminfo`).
    public var hasMemoryFigures: Bool
    /// How the network process reaches peers.
    public var peers: PeerSettings
    /// Whether descriptor 6 is the authorities that certificates are checked against.
    public var hasCertificates: Bool
    /// Whether descriptor 7 is a signed list of peers.
    public var hasPeerList: Bool
    /// Whether the child's filter only logs what it would kill.
    public var traces: Bool

    /// Names the parts.
    public init(
        network: NetworkChoice, role: Role, stateDirectory: String,
        attempts: AttemptsChoice = .standard, watchAccounts: WatchAccountsChoice = .all,
        hasCredential: Bool = false, hasMemoryFigures: Bool = false,
        peers: PeerSettings = PeerSettings(), hasCertificates: Bool = false,
        hasPeerList: Bool = false, traces: Bool
    ) {
        self.network = network
        self.role = role
        self.stateDirectory = stateDirectory
        self.attempts = attempts
        self.watchAccounts = watchAccounts
        self.hasCredential = hasCredential
        self.hasMemoryFigures = hasMemoryFigures
        self.peers = peers
        self.hasCertificates = hasCertificates
        self.hasPeerList = hasPeerList
        self.traces = traces
    }

    /// The arguments, without the program's name.
    public var rendered: [String] {
        var words = ["--network", network.rawValue, "--role", role.rawValue]
        words += ["--state", stateDirectory]
        if attempts != .standard { words += ["--attempts", attempts.rawValue] }
        if watchAccounts != .all { words += ["--watch-accounts", watchAccounts.rawValue] }
        if hasCredential { words.append("--credential") }
        if hasMemoryFigures { words.append("--memory") }
        words += peers.rendered
        if hasCertificates { words.append("--certificates") }
        if hasPeerList { words.append("--peer-list") }
        if traces { words.append("--trace") }
        return words
    }

    /// Reads the arguments, without the program's name. All but the first three may be missing.
    public init(_ arguments: [String]) throws(UsageError) {
        let parsed = try ParsedArguments(arguments, flags: ChildArguments.flags)
        if let operand = parsed.operands.first { throw .unexpectedOperand(operand) }
        network = try parsed.choice("network")
        role = try parsed.choice("role")
        stateDirectory = try parsed.required("state")
        attempts =
            parsed.values["attempts"] == nil ? .standard : try parsed.choice("attempts")
        watchAccounts =
            parsed.values["watch-accounts"] == nil ? .all : try parsed.choice("watch-accounts")
        hasCredential = parsed.values["credential"] != nil
        hasMemoryFigures = parsed.values["memory"] != nil
        peers = try PeerSettings(parsed.values)
        hasCertificates = parsed.values["certificates"] != nil
        hasPeerList = parsed.values["peer-list"] != nil
        traces = parsed.values["trace"] != nil
    }

    static let flags = own + PeerSettings.flags

    private static let own = [
        Flag("network", argument: "NAME", "The Bitcoin network that the process serves."),
        Flag("role", argument: "NAME", "Which processes the instance has."),
        Flag("state", argument: "DIR", "The process's own directory."),
        Flag("attempts", argument: "NAME", "How long wrong passwords make wait."),
        Flag(
            "watch-accounts", argument: "NAME", "Which wallets the network process is told of."),
        Flag("credential", "Descriptor 6 is the device key."),
        Flag("memory", "Descriptor 7 tells how much memory the machine has."),
        Flag("certificates", "Descriptor 6 is the authorities of certificates."),
        Flag("peer-list", "Descriptor 7 is a signed list of peers."),
        Flag("trace", "Development only: log what the filter would kill."),
    ]
}

extension ParsedArguments {
    fileprivate func required(_ name: String) throws(UsageError) -> String {
        guard let value = values[name] else {
            throw .missingValue(flag: name, argument: "VALUE")
        }
        return value
    }

    fileprivate func choice<Choice: RawRepresentable<String> & CaseIterable>(
        _ name: String
    ) throws(UsageError) -> Choice {
        let value = try required(name)
        guard let choice = Choice(rawValue: value) else {
            let allowed = Choice.allCases.map(\.rawValue).joined(separator: ", ")
            throw .badValue(flag: name, BadValue(found: value, allowed: allowed))
        }
        return choice
    }
}
