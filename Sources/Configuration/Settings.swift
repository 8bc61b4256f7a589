import Wire

/// The settings of one run: the defaults, then the configuration file, then the flags.
public struct Settings: Equatable, Sendable {
    /// The Bitcoin network.
    public private(set) var network = NetworkChoice.mainnet
    /// Which processes run.
    public private(set) var role = Role.home
    /// Holds `signer/` and `network/`; nil, as for all paths here, where the rule of its row decides.
    public private(set) var stateDirectory: String?
    /// Holds the sockets.
    public private(set) var runtimeDirectory: String?
    /// Holds the programs of the children.
    public private(set) var programDirectory: String?
    /// The file to read settings from.
    public private(set) var configurationFile: String?
    /// The user of the signer, used as root.
    public private(set) var signerUser = ""
    /// The user of the network process, used as root.
    public private(set) var networkUser = ""
    /// The group that may open the sockets, used as root.
    public private(set) var group = ""
    /// The first wait before a restart.
    public private(set) var restartDelay = Duration.zero
    /// The longest wait before a restart.
    public private(set) var restartDelayLimit = Duration.zero
    /// How long a child must run before its earlier failures are forgotten.
    public private(set) var stableAfter = Duration.zero
    /// How long wrong passwords make wait.
    public private(set) var attempts = AttemptsChoice.standard
    /// Which wallets the network process is told of.
    public private(set) var watchAccounts = WatchAccountsChoice.all
    /// The limits of reviews by the settings that set them, each of which has a `reviewLimit`.
    public private(set) var reviewLimits: [Setting: UInt64] = [:]
    /// How peers are reached.
    public private(set) var peers = PeerSettings()
    /// The file of a signed list of peers; `peers.listURL` where it is fetched instead.
    public private(set) var peerList: String?
    /// The authorities that certificates are checked against.
    public private(set) var certificates: String?
    /// Whether mainnet may start with neither namespaces nor Landlock.
    public private(set) var acceptsWeakerWall = false
    /// Development: the filters only log.
    public private(set) var traces = false
    /// Development: as on a kernel without namespaces.
    public private(set) var avoidsNamespaces = false

    /// The defaults of the table of settings.
    public init() {
        for setting in Setting.allCases {
            guard case .value(let text) = setting.row.defaultValue else { continue }
            do {
                try set(setting, to: text)
            } catch {
                preconditionFailure("the default of \(setting.rawValue) is not allowed: \(error)")
            }
        }
    }

    /// The development-only settings that are on.
    public var developmentSettings: [Setting] {
        (traces ? [.trace] : []) + (avoidsNamespaces ? [.withoutNamespaces] : [])
    }

    /// Which settings do not go together, and what to do; nil if all do.
    public var contradiction: String? {
        if peers.signetChallenge != nil, network != .signet {
            return
                "signet-challenge is set, and network is \(network.rawValue): set network = signet, or "
                + "take the challenge out"
        }
        if peerList != nil || peers.listURL != nil, peers.publishers.isEmpty {
            return
                "peer-list is set, and nobody whose lists are taken: set list-publishers to the key "
                + "of its publisher"
        }
        return nil
    }

    /// Takes one value as a person wrote it.
    mutating func set(_ setting: Setting, to text: String) throws(BadValue) {
        let values = setting.row.values
        switch setting {
        case .network: network = try values.choice(text)
        case .role: role = try values.choice(text)
        case .stateDirectory: stateDirectory = try values.path(text)
        case .runtimeDirectory: runtimeDirectory = try values.path(text)
        case .programDirectory: programDirectory = try values.path(text)
        case .config: configurationFile = try values.path(text)
        case .signerUser: signerUser = try values.account(text)
        case .networkUser: networkUser = try values.account(text)
        case .group: group = try values.account(text)
        case .restartDelay: restartDelay = try values.time(text)
        case .restartDelayLimit: restartDelayLimit = try values.time(text)
        case .stableAfter: stableAfter = try values.time(text)
        case .attempts: attempts = try values.choice(text)
        case .watchAccounts: watchAccounts = try values.choice(text)
        case .reviewFeeShareWarning, .reviewFeeShareStop, .reviewFeerateWarning,
            .reviewFeerateStop, .reviewFeeWarning, .reviewIndexDistance:
            reviewLimits[setting] = try values.number(text)
        case .peerNetworks: peers.networks = try values.checked(text, Setting.Values.isNetworks)
        case .torGateway: peers.torGateway = try values.checked(text, Setting.Values.isGateway)
        case .i2pGateway: peers.i2pGateway = try values.checked(text, Setting.Values.isGateway)
        case .dohServer: peers.dohServer = try values.checked(text, Setting.Values.isServer)
        case .certificates: certificates = try values.path(text)
        case .seats: peers.seats = Int(try values.number(text))
        case .peers: peers.peers = try values.list(text, Setting.Values.isPeer, most: 64)
        case .seeds: peers.seeds = try values.list(text, DomainName.isOne, most: 16)
        case .peerList:
            let isURL = text.hasPrefix("https:")
            peers.listURL = isURL ? try values.checked(text, Setting.Values.isPlace) : nil
            peerList = isURL ? nil : try values.path(text)
        case .listPublishers:
            peers.publishers = try values.list(text, Setting.Values.isKey, most: 16)
        case .filterStorage: peers.filterStorage = Int(try values.number(text))
        case .signetChallenge:
            peers.signetChallenge = try values.checked(text, Setting.Values.isScript)
        case .acceptWeakerWall: acceptsWeakerWall = try values.yesOrNo(text)
        case .trace: traces = try values.yesOrNo(text)
        case .withoutNamespaces: avoidsNamespaces = try values.yesOrNo(text)
        }
    }
}

extension Setting.Values {
    fileprivate func refusal(of text: String) -> BadValue {
        BadValue(found: text, allowed: allowed)
    }

    fileprivate func choice<Choice: RawRepresentable<String>>(
        _ text: String
    ) throws(BadValue) -> Choice {
        guard let choice = Choice(rawValue: text) else { throw refusal(of: text) }
        return choice
    }

    /// An absolute path without `.`, `..` or empty parts.
    fileprivate func path(_ text: String) throws(BadValue) -> String {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
        let isPlain = parts.allSatisfy { !["", ".", ".."].contains($0) }
        let isPrintable = text.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7f }
        guard text.hasPrefix("/"), isPlain, isPrintable, text.utf8.count < 4096 else {
            throw refusal(of: text)
        }
        return text
    }

    fileprivate func account(_ text: String) throws(BadValue) -> String {
        let isPlain = text.utf8.allSatisfy { byte in
            (0x61...0x7a).contains(byte) || (0x30...0x39).contains(byte)
                || [0x2d, 0x5f].contains(byte)
        }
        guard let first = text.utf8.first, isPlain, text.utf8.count <= 32,
            first != 0x2d, !(0x30...0x39).contains(first)
        else { throw refusal(of: text) }
        return text
    }

    fileprivate func time(_ text: String) throws(BadValue) -> Duration {
        guard case .time(let range) = self, let time = Duration(settingText: text),
            range.contains(time)
        else { throw refusal(of: text) }
        return time
    }

    fileprivate func number(_ text: String) throws(BadValue) -> UInt64 {
        let isPlain = text.utf8.allSatisfy { (0x30...0x39).contains($0) }
        guard case .number(let range) = self, isPlain, let number = UInt64(text),
            range.contains(number)
        else { throw refusal(of: text) }
        return number
    }

    fileprivate func checked(
        _ text: String, _ isAllowed: (String) -> Bool
    ) throws(BadValue) -> String {
        guard isAllowed(text) else { throw refusal(of: text) }
        return text
    }

    /// Different parts with commas, and perhaps spaces, between them.
    fileprivate func list(
        _ text: String, _ isAllowed: (String) -> Bool, most: Int
    ) throws(BadValue) -> [String] {
        let parts = text.split(separator: ",", omittingEmptySubsequences: false).map { part in
            String(part.trimmed)
        }
        if let wrong = parts.first(where: { !isAllowed($0) }) { throw refusal(of: wrong) }
        guard parts.count <= most else { throw refusal(of: text) }
        var seen: Set<String> = []
        if let again = parts.first(where: { !seen.insert($0).inserted }) {
            throw BadValue(found: again, allowed: "each only once; it is there twice")
        }
        return parts
    }

    fileprivate func yesOrNo(_ text: String) throws(BadValue) -> Bool {
        switch text {
        case "yes": true
        case "no": false
        default: throw refusal(of: text)
        }
    }
}
