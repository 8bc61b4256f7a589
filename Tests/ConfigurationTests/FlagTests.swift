import Testing

@testable import Configuration

@Suite("Flags")
struct FlagTests {
    private let flags = [
        Flag("count", argument: "N", "A number."), Flag("quiet", "No output."), .help,
    ]

    @Test("values are taken after a space and after an equals sign, operands apart")
    func values() throws {
        let parsed = try ParsedArguments(["a", "--count", "3", "--quiet", "b"], flags: flags)
        #expect(parsed.values == ["count": "3", "quiet": ""])
        #expect(parsed.operands == ["a", "b"])
        #expect(try ParsedArguments(["--count=a=b"], flags: flags).values == ["count": "a=b"])
        #expect(try ParsedArguments(["--count="], flags: flags).values == ["count": ""])
        let ended = try ParsedArguments(["--", "--quiet", "-"], flags: flags)
        #expect(ended.values.isEmpty && ended.operands == ["--quiet", "-"])
    }

    @Test("each mistake has its own error")
    func mistakes() {
        let table: [([String], UsageError)] = [
            (["--cuont"], .unknownFlag("--cuont", nearest: "count")),
            (["--zzzzz=1"], .unknownFlag("--zzzzz", nearest: nil)),
            (["-quiet"], .unknownFlag("-quiet", nearest: "quiet")),
            (["--quiet", "--quiet"], .repeatedFlag("quiet")),
            (["--count"], .missingValue(flag: "count", argument: "N")),
            (["--quiet=1"], .unexpectedValue(flag: "quiet")),
        ]
        for (arguments, error) in table {
            #expect(throws: error) { try ParsedArguments(arguments, flags: flags) }
        }
    }

    @Test("an unknown flag of bulkheadd is named with the nearest one, escaped")
    func sentences() {
        #expect(
            UsageError.unknownFlag("--rol", nearest: "role").description
                == #"unknown flag "--rol"; did you mean --role?"#)
        #expect(
            UsageError.unknownFlag("--\u{9b}x", nearest: nil).description
                == #"unknown flag "--\u{9b}x"; --help lists the flags"#)
    }

    @Test("a check takes the flags that a run would take, and its mistakes are the same")
    func check() throws {
        let run = ["--role=watch", "--network", "signet"]
        #expect(
            try KeeperArguments(run + ["--check"])
                == .check(flags: [.role: "watch", .network: "signet"]))
        #expect(throws: UsageError.unknownFlag("--rolle", nearest: "role")) {
            try KeeperArguments(["--check", "--rolle", "home"])
        }
    }

    @Test("flags win over the file, and a wrong value names its flag")
    func precedence() throws {
        guard case .run(let flags) = try KeeperArguments(["--role=watch", "--trace"]) else {
            Issue.record("no run")
            return
        }
        var settings = Settings()
        try settings.read(file: "f", bytes: Array("role = offline\nnetwork = regtest".utf8))
        try settings.take(flags: flags)
        #expect(settings.role == .watch && settings.network == .regtest && settings.traces)
        #expect(settings.developmentSettings == [.trace])

        let bad = BadValue(found: "x", allowed: "home, offline, watch")
        #expect(throws: UsageError.badValue(flag: "role", bad)) {
            try settings.take(flags: [.role: "x"])
        }
        #expect(throws: UsageError.unexpectedOperand("start")) { try KeeperArguments(["start"]) }
        #expect(try KeeperArguments(["--role", "x", "--help"]) == .help)
    }

    @Test("a child reads the arguments that the keeper renders, and refuses any other")
    func childArguments() throws {
        for traces in [false, true] {
            let given = ChildArguments(
                network: .testnet4, role: .home, stateDirectory: "/state", traces: traces)
            #expect(try ChildArguments(given.rendered) == given)
            let strict = ChildArguments(
                network: .testnet4, role: .home, stateDirectory: "/state", attempts: .strict,
                hasCredential: true, traces: traces)
            #expect(try ChildArguments(strict.rendered) == strict)
            var peers = PeerSettings()
            (peers.networks, peers.dohServer) = ("tor,i2p", "https://9.9.9.9/dns-query")
            (peers.torGateway, peers.i2pGateway) = ("127.0.0.1:9050", "[::1]:4447")
            (peers.seats, peers.filterStorage) = (5, 0)
            peers.peers = ["203.0.113.9:8333", "[2001:db8::9]"]
            peers.seeds = ["seed.example.org"]
            peers.publishers = [
                String(repeating: "0a", count: 32), String(repeating: "b", count: 64),
            ]
            peers.signetChallenge = "51"
            peers.listURL = "https://lists.example:8443/peers?network=signet"
            let outside = ChildArguments(
                network: .regtest, role: .watch, stateDirectory: "/state",
                peers: peers, hasCertificates: true, hasPeerList: true, traces: false)
            #expect(try ChildArguments(outside.rendered) == outside)
        }
        #expect(throws: UsageError.self) { try ChildArguments([]) }
        #expect(throws: UsageError.self) {
            try ChildArguments(["--network", "x", "--role", "home", "--state", "/state"])
        }
    }

    /// Settings of peers, and whether they are allowed.
    private static let peerSettings: [(String, String, Bool)] = [
        ("peer-networks", "automatic", true), ("peer-networks", "direct", true),
        ("peer-networks", "tor,i2p", true), ("peer-networks", "clearnet", true),
        ("peer-networks", "tor,tor", false), ("peer-networks", "", false),
        ("peer-networks", "tor, i2p", false), ("peer-networks", "moon", false),
        ("tor-gateway", "127.0.0.1:9050", true), ("tor-gateway", "[::1]:9050", true),
        ("tor-gateway", "127.0.0.1", false), ("tor-gateway", "localhost:9050", false),
        ("tor-gateway", "127.0.0.1:0", false), ("i2p-gateway", "127.0.0.1:70000", false),
        ("doh-server", "https://9.9.9.9/dns-query", true),
        ("doh-server", "http://9.9.9.9/dns-query", false),
        ("doh-server", "https://dns.example/dns-query", false),
        ("doh-server", "https://[2606:4700::1111]:443/dns-query", true),
        ("doh-server", "https://someone@9.9.9.9/", false),
        ("seats", "1", true), ("seats", "8", true), ("seats", "0", false),
        ("seats", "9", false), ("filter-storage", "0", true),
        ("filter-storage", "49152", true), ("filter-storage", "49153", false),
        ("filter-storage", "2GB", false),
        ("peers", "203.0.113.9", true), ("peers", "203.0.113.9:8333, [2001:db8::9]:8333", true),
        ("peers", String(repeating: "a", count: 56) + ".onion", true),
        ("peers", String(repeating: "a", count: 52) + ".b32.i2p", true),
        ("peers", "", false), ("peers", "203.0.113.9,", false),
        ("peers", "node.example", false),
        ("peers", "203.0.113.9,203.0.113.9", false), ("peers", "203.0.113.9:x", false),
        ("peers", "short.onion", false), ("peers", "2001:db8::9", false),
        ("seeds", "seed.example.org,x.y", true), ("seeds", "seed", false),
        ("seeds", "seed.example.org/", false), ("seeds", "a..b", false),
        ("peer-list", "/var/lib/peers.txt", true),
        ("peer-list", "peers.txt", false),
        ("peer-list", "https://lists.example/peers.txt", true),
        ("peer-list", "https://203.0.113.9:8443/", true),
        ("peer-list", "https://[2001:db8::9]/peers", true),
        ("peer-list", "https://\(String(repeating: "a", count: 56)).onion/peers", true),
        ("peer-list", "http://lists.example/peers", false),
        ("peer-list", "https://me@lists.example/peers", false),
        ("peer-list", "https://lists.example/peers#top", false),
        ("peer-list", "https://lists.example:0/", false), ("peer-list", "https://", false),
        ("peer-list", "https://localhost/peers", false),
        ("peer-list", "https://1.2.3/x", false), ("peer-list", "https://0x7f.1/x", false),
        ("peer-list", "https://a.onion/x", false), ("seeds", "1.2.3", false),
        ("peer-list", "https://lists.example/a b", false),
        ("peers", "203.0.113.9:0", false), ("peers", "[2001:db8::9]:0", false),
        ("peers", String(repeating: "a", count: 52) + ".b32.i2p:0", true),
        ("list-publishers", String(repeating: "0a", count: 32), true),
        ("list-publishers", String(repeating: "0g", count: 32), false),
        ("list-publishers", "0a", false), ("signet-challenge", "51", true),
        ("signet-challenge", "5", false), ("signet-challenge", "", false),
        ("signet-challenge", String(repeating: "51", count: 521), false),
        ("certificates", "/etc/ssl/cert.pem", true), ("certificates", "cert.pem", false),
    ]

    @Test("How peers are reached is checked before anything starts", arguments: peerSettings)
    func peers(name: String, value: String, isAllowed: Bool) throws {
        let setting = try #require(Setting(rawValue: name))
        var settings = Settings()
        do throws(BadValue) {
            try settings.set(setting, to: value)
            #expect(isAllowed, "\(name) = \(value)")
        } catch {
            #expect(!isAllowed, "\(name) = \(value): \(error)")
            // What a URL needs is said whole, whatever this one lacks.
            guard setting == .peerList else { return }
            for part in ["https://", "a name with a dot", "a port from 1 on", "no user and no #"] {
                #expect("\(error)".contains(part), "\(error)")
            }
        }
    }

    @Test("the nearest name is the one with the fewest edits, if few enough")
    func nearest() {
        let names = ["network", "network-user", "role"]
        #expect(names.nearest(to: "netwrk") == "network")
        #expect(names.nearest(to: "networkuser") == "network-user")
        #expect(names.nearest(to: "rule") == "role")
        #expect(names.nearest(to: "password") == nil)
        #expect(names.nearest(to: String(repeating: "a", count: 100_000)) == nil)
        #expect(["a"].nearest(to: "") == "a")
    }
}
