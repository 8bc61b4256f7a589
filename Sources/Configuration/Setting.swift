/// A setting of the appliance: a key of the configuration file, a flag of `bulkheadd`, or both.
///
/// Each is declared once, in `row`. `--help`, the file's parser and `docs/configuration.md` all read
/// that table.
public enum Setting: String, CaseIterable, Sendable {
    case network
    case role
    case stateDirectory = "state-directory"
    case runtimeDirectory = "runtime-directory"
    case signerUser = "signer-user"
    case networkUser = "network-user"
    case group
    case restartDelay = "restart-delay"
    case restartDelayLimit = "restart-delay-limit"
    case stableAfter = "stable-after"
    case attempts
    case watchAccounts = "watch-accounts"
    case reviewFeeShareWarning = "review-fee-share-warning"
    case reviewFeeShareStop = "review-fee-share-stop"
    case reviewFeerateWarning = "review-feerate-warning"
    case reviewFeerateStop = "review-feerate-stop"
    case reviewFeeWarning = "review-fee-warning"
    case reviewIndexDistance = "review-index-distance"
    case peerNetworks = "peer-networks"
    case torGateway = "tor-gateway"
    case i2pGateway = "i2p-gateway"
    case dohServer = "doh-server"
    case certificates
    case seats
    case peers
    case seeds
    case peerList = "peer-list"
    case listPublishers = "list-publishers"
    case filterStorage = "filter-storage"
    case signetChallenge = "signet-challenge"
    case acceptWeakerWall = "accept-weaker-wall"
    case config
    case programDirectory = "program-directory"
    case trace
    case withoutNamespaces = "without-namespaces"

    /// What one setting is.
    public struct Row: Sendable {
        /// The values that it allows.
        public let values: Values
        /// What holds where it is not given.
        public let defaultValue: Default
        /// What it does, as a sentence.
        public let sentence: String

        init(_ values: Values, _ defaultValue: Default, _ sentence: String) {
            self.values = values
            self.defaultValue = defaultValue
            self.sentence = sentence
        }
    }

    /// The values that a setting allows.
    public enum Values: Sendable {
        case oneOf([String])
        case directory
        case file
        case fileOrURL
        case account
        case time(ClosedRange<Duration>)
        case number(ClosedRange<UInt64>)
        case yesOrNo
        case networks
        case gateway
        case server
        case peers
        case seeds
        case publishers
        case script

        /// What stands for the value in the help text; a flag of kind `yesOrNo` takes none.
        public var argument: String? {
            switch self {
            case .oneOf: "NAME"
            case .directory: "DIR"
            case .file: "FILE"
            case .fileOrURL: "PLACE"
            case .account: "NAME"
            case .time: "TIME"
            case .number: "NUMBER"
            case .yesOrNo: nil
            case .networks, .peers, .seeds, .publishers: "LIST"
            case .gateway: "ADDRESS"
            case .server: "URL"
            case .script: "HEX"
            }
        }

        /// The allowed values, for a person.
        public var allowed: String {
            switch self {
            case .oneOf(let names): names.joined(separator: ", ")
            case .directory, .file: "an absolute path"
            case .account:
                "a name of at most 32 of a-z, 0-9, - and _, not starting with a digit or -"
            case .time(let range):
                "\(range.lowerBound.settingText) to \(range.upperBound.settingText), "
                    + "a number with ms, s or min"
            case .number(let range): "\(range.lowerBound) to \(range.upperBound)"
            case .yesOrNo: "yes, no"
            case .networks: Setting.Values.networksAllowed
            case .gateway: "an IP address with a port, 127.0.0.1:9050 or [::1]:9050"
            case .fileOrURL:
                "an absolute path, or a URL that starts with https:// and a name with a dot, an IP address "
                    + "or an overlay's service, perhaps with a port from 1 on, and has no user and no #"
            case .server:
                "a URL that starts with https:// and an IP address, perhaps with a port from 1 on"
            case .peers, .seeds, .publishers, .script: peerValuesAllowed
            }
        }
    }

    /// What holds where a setting is not given.
    public enum Default: Sendable {
        /// A value that could as well have been given.
        case value(String)
        /// Found out at start, by a rule.
        case rule(String)

        /// The value or the rule, for a person.
        public var text: String {
            switch self {
            case .value(let text), .rule(let text): text
            }
        }
    }
}

extension Setting {
    /// The declaration of this setting.
    public var row: Row {
        switch self {
        case .network:
            Row(
                .oneOf(NetworkChoice.allCases.map(\.rawValue)), .value("mainnet"),
                "The Bitcoin network of this instance; another network is another instance.")
        case .role:
            Row(
                .oneOf(Role.allCases.map(\.rawValue)), .value("home"),
                "home runs both processes, offline the signer alone, watch the network process alone."
            )
        case .stateDirectory:
            Row(
                .directory, .rule("/var/lib/bulkhead as root, else ~/.local/state/bulkhead"),
                "Holds signer/ and network/; must exist, owned by the caller, mode 0700.")
        case .runtimeDirectory:
            Row(
                .directory,
                .rule("/run/bulkhead as root, else $XDG_RUNTIME_DIR/bulkhead or STATE/run"),
                "Holds the sockets signer.sock and network.sock.")
        case .signerUser:
            Row(.account, .value("bulkhead-signer"), "The signer's user, where root starts it.")
        case .networkUser:
            Row(
                .account, .value("bulkhead-network"),
                "The network process's user, where root starts it.")
        case .group:
            Row(
                .account, .value("bulkhead"),
                "The group whose members may open the sockets, where root starts it.")
        case .restartDelay:
            Row(
                .time(.milliseconds(1)...(.seconds(3600))), .value("250ms"),
                "How long to wait before a child starts again; doubles with each failure.")
        case .restartDelayLimit:
            Row(
                .time(.milliseconds(1)...(.seconds(3600))), .value("30s"),
                "The longest wait before a child starts again.")
        case .stableAfter:
            Row(
                .time(.milliseconds(1)...(.seconds(86400))), .value("60s"),
                "How long a child must run before earlier failures are forgotten.")
        case .attempts:
            Row(
                .oneOf(AttemptsChoice.allCases.map(\.rawValue)), .value("standard"),
                "How long wrong passwords make wait: standard from the fifth on, 2 s doubled up to 5 "
                    + "minutes; strict from the sixth on, 30 s, 1, 5, 15 and 60 minutes.")
        case .watchAccounts:
            Row(
                .oneOf(WatchAccountsChoice.allCases.map(\.rawValue)), .value("all"),
                "Which wallets' public accounts the signer hands to the network process, which watches "
                    + "them: all, or none.")
        case .reviewFeeShareWarning, .reviewFeeShareStop, .reviewFeerateWarning,
            .reviewFeerateStop, .reviewFeeWarning, .reviewIndexDistance:
            reviewRow
        case .peerNetworks:
            Row(
                .networks, .value(PeerSettings.automatic),
                "On which networks peers are reached: automatic takes the overlays that a gateway is set "
                    + "for, else clearnet; direct takes clearnet; one that is not chosen is never used."
            )
        case .torGateway:
            Row(.gateway, .rule("none"), "The SOCKS5 gateway to Tor services.")
        case .i2pGateway:
            Row(.gateway, .rule("none"), "The SOCKS5 gateway to I2P destinations.")
        case .dohServer:
            Row(
                .server, .value(PeerSettings.standardServer),
                "The server that names of seeds are looked up by, over HTTPS; only on clearnet.")
        case .certificates:
            Row(
                .file, .rule("/etc/ssl/certs/ca-certificates.crt if there is one"),
                "The authorities that the certificates of doh-server and of the server of a peer-list are "
                    + "checked against, PEM.")
        case .seats, .peers, .seeds, .peerList, .listPublishers, .filterStorage, .signetChallenge:
            peerRow
        case .acceptWeakerWall:
            Row(
                .yesOrNo, .value("no"),
                "Start on mainnet although the kernel offers neither namespaces nor Landlock.")
        case .config:
            Row(
                .file, .rule("/etc/bulkhead/bulkhead.conf if there is one"),
                "The configuration file.")
        case .programDirectory:
            Row(
                .directory, .rule("where bulkheadd itself is"),
                "Holds the programs bulkhead-signer and bulkhead-network.")
        case .trace:
            Row(
                .yesOrNo, .value("no"),
                "Development only: log what the system call filters would kill.")
        case .withoutNamespaces:
            Row(
                .yesOrNo, .value("no"),
                "Development only: act as on a kernel that refuses namespaces.")
        }
    }

    /// Whether the configuration file may carry it, or only the command line.
    public var isAllowedInFile: Bool {
        switch self {
        case .config, .programDirectory, .trace, .withoutNamespaces: false
        default: true
        }
    }

    /// Whether it weakens the wall so far that only a state directory made for development will do.
    public var isForDevelopment: Bool { self == .trace || self == .withoutNamespaces }

    /// The flag of `bulkheadd` for this setting.
    public var flag: Flag {
        let row = row
        let allowed =
            switch row.values {
            case .oneOf, .time, .number, .networks, .gateway, .server, .fileOrURL, .peers, .seeds,
                .publishers, .script:
                " Allowed: \(row.values.allowed)."
            case .directory, .file, .account, .yesOrNo: ""
            }
        return Flag(
            rawValue, argument: row.values.argument, row.sentence + allowed,
            defaultText: row.defaultValue.text)
    }
}

extension Setting {
    /// The name of the limit of reviews that it sets, as reports have it; nil for all other settings.
    public var reviewLimit: String? {
        switch self {
        case .reviewFeeShareWarning: "fee_share_warning"
        case .reviewFeeShareStop: "fee_share_stop"
        case .reviewFeerateWarning: "feerate_warning"
        case .reviewFeerateStop: "feerate_stop"
        case .reviewFeeWarning: "fee_warning"
        case .reviewIndexDistance: "index_distance"
        default: nil
        }
    }

    fileprivate var reviewRow: Row {
        switch self {
        case .reviewFeeShareWarning:
            Row(
                .number(1...1000), .value("100"),
                "A fee of so many thousandths of what others are paid is a warning.")
        case .reviewFeeShareStop:
            Row(
                .number(1...1000), .value("500"),
                "A fee of so many thousandths of what is spent is not signed.")
        case .reviewFeerateWarning:
            Row(
                .number(1_000...1_000_000_000), .value("500000"),
                "From this feerate there is a warning, in satoshis per 1,000 vbytes.")
        case .reviewFeerateStop:
            Row(
                .number(1_000...1_000_000_000), .value("10000000"),
                "From this feerate nothing is signed, in satoshis per 1,000 vbytes.")
        case .reviewFeeWarning:
            Row(
                .number(1...2_100_000_000_000_000), .value("1000000"),
                "A fee of so many satoshis is a warning.")
        default:
            Row(
                .number(1...1_000_000), .value("1000"),
                "An own output so far above the highest index that is spent is a warning.")
        }
    }
}

/// The Bitcoin network that an instance serves.
public enum NetworkChoice: String, CaseIterable, Sendable {
    case mainnet, testnet3, testnet4, signet, regtest
}

/// How long wrong passwords make wait.
public enum AttemptsChoice: String, CaseIterable, Sendable {
    /// Nothing after four, then 2 s, doubled each time, at most 5 minutes.
    case standard
    /// Nothing after five, then 30 s, 1, 5, 15 and 60 minutes.
    case strict
}

/// Which wallets the network process is told of.
public enum WatchAccountsChoice: String, CaseIterable, Sendable {
    /// It gets the public accounts of every wallet, so it sees all their addresses.
    case all
    /// It gets nothing.
    case none
}

/// Which processes an instance has.
public enum Role: String, CaseIterable, Sendable {
    /// Signer and network process.
    case home
    /// The signer alone, for a machine that is never online.
    case offline
    /// The network process alone, paired with an offline signer by files.
    case watch
}
