import Testing

@testable import Configuration

@Suite("Configuration file")
struct ConfigurationFileTests {
    private func read(_ text: String) throws(FileError) -> Settings {
        var settings = Settings()
        try settings.read(file: "b.conf", bytes: Array(text.utf8))
        return settings
    }

    private func message(_ text: String) -> String {
        do throws(FileError) {
            _ = try read(text)
            return "no error"
        } catch {
            return error.description
        }
    }

    @Test("an empty file and one of comments say nothing")
    func nothing() throws {
        #expect(try read("") == Settings())
        #expect(try read("# a comment\n\n   \n\t# another\r\n") == Settings())
    }

    @Test("every kind of value is taken, spaces around it are not")
    func values() throws {
        let settings = try read(
            """
            network = signet
              role=offline\t
            state-directory = /srv/bulk head/#1
            signer-user = _signer-2
            restart-delay = 20ms
            restart-delay-limit = 2min
            accept-weaker-wall = yes\r
            """)
        #expect(settings.network == .signet)
        #expect(settings.role == .offline)
        #expect(settings.stateDirectory == "/srv/bulk head/#1")
        #expect(settings.signerUser == "_signer-2")
        #expect(settings.restartDelay == .milliseconds(20))
        #expect(settings.restartDelayLimit == .seconds(120))
        #expect(settings.acceptsWeakerWall)
    }

    @Test(
        "a wrong line is named by file, line, what was found and what is allowed",
        arguments: [
            ("netwrok = signet", #"b.conf, line 1: unknown key "netwrok"; did you mean network?"#),
            ("\nrole offline", #"b.conf, line 2: expected key = value, found "role offline""#),
            (
                "role = home\nrole = home", "b.conf, line 2: role is already set on line 1"
            ),
            ("trace = yes", "b.conf, line 1: trace can only be given as a flag, --trace"),
            (
                "role = Home",
                #"b.conf, line 1: role: "Home" is not allowed here; allowed: home, offline, watch"#
            ),
            (
                "network =",
                "b.conf, line 1: network: \"\" is not allowed here; "
                    + "allowed: mainnet, testnet3, testnet4, signet, regtest"
            ),
            (
                "role = \u{1b}[2J",
                #"b.conf, line 1: role: "\u{1b}[2J" is not allowed here; allowed: home, offline, watch"#
            ),
        ])
    func wrongLines(text: String, sentence: String) { #expect(message(text) == sentence) }

    @Test(
        "settings that do not go together are told apart from those that do",
        arguments: [
            ("network = signet\nsignet-challenge = 51", nil),
            ("signet-challenge = 51", "set network = signet"),
            ("peer-list = /srv/peers", "set list-publishers"),
            ("peer-list = https://lists.example/peers", "set list-publishers"),
            (
                "peer-list = /srv/peers\nlist-publishers = " + String(repeating: "0a", count: 32),
                nil
            ),
        ] as [(String, String?)])
    func contradictions(text: String, advice: String?) throws {
        let sentence = try read(text).contradiction
        #expect((sentence == nil) == (advice == nil))
        #expect(sentence?.contains(advice ?? "") != false)
    }

    @Test("a wrong part of a list is named, with its line")
    func listParts() {
        let text = message("\npeers = 203.0.113.9, node.example:8333")
        #expect(text.hasPrefix("b.conf, line 2: peers: \"node.example:8333\" is not allowed here"))
        #expect(text.contains("[2001:db8::9]"))
        let twice = message("peers = 203.0.113.9, 203.0.113.8, 203.0.113.9")
        #expect(twice.hasPrefix("b.conf, line 1: peers: \"203.0.113.9\" is not allowed here"))
        #expect(twice.contains("twice"))
    }

    @Test("an unknown key that resembles none lists all keys")
    func unknownKey() {
        let text = message("zzzzzzzz = 1")
        for setting in Setting.allCases {
            #expect(text.contains(setting.rawValue) == setting.isAllowedInFile)
        }
    }

    @Test("bytes that are not UTF-8 and a file beyond the limit are refused")
    func bytes() {
        var settings = Settings()
        #expect(throws: FileError(file: "f", line: 2, problem: .notUTF8)) {
            try settings.read(file: "f", bytes: [0x0a, 0x72, 0xff])
        }
        let limit = Settings.largestFile
        let spaces = [UInt8](repeating: 0x0a, count: limit)
        #expect(throws: Never.self) { try settings.read(file: "f", bytes: spaces) }
        #expect(throws: FileError(file: "f", line: 1, problem: .tooLong(limit: limit))) {
            try settings.read(file: "f", bytes: spaces + [0x0a])
        }
    }

    @Test(
        "values outside their kind are refused",
        arguments: [
            "state-directory = relative", "state-directory = /a/../b", "state-directory = /a//b",
            "state-directory = /a/", "state-directory = /", "signer-user = Root",
            "signer-user = 0root", "signer-user = -x",
            "signer-user = abcdefghijklmnopqrstuvwxyz1234567",
            "restart-delay = 0ms", "restart-delay = 3601s", "restart-delay = 1.5s",
            "restart-delay = s", "restart-delay = -1s", "restart-delay = 1h",
            "restart-delay = 99999999999999999999s", "accept-weaker-wall = true",
        ])
    func refusedValues(line: String) { #expect(message(line).contains("is not allowed here")) }
}
