import Messages
import Testing

@testable import ConsoleCore

@Suite("Status of the appliance")
struct ApplianceStatusTests {
    private func signer(
        _ role: InstanceRole = .home, _ weaknesses: [String] = []
    ) -> Answer<SignerStatus> {
        var status = SignerStatus(chain: .regtest)
        status.facts = KeeperFacts(keeperPID: 1, signerPID: 2, role: role)
        status.weaknesses = weaknesses
        return .value(status)
    }

    private func network(
        _ role: InstanceRole = .home, _ weaknesses: [String] = []
    ) -> Answer<NetworkStatus> {
        var status = NetworkStatus(chain: .regtest)
        status.facts = KeeperFacts(keeperPID: 1, networkPID: 3, role: role)
        status.weaknesses = weaknesses
        return .value(status)
    }

    @Test("the ledger's counter is shown, and what the kept head says of it")
    func ledger() {
        var signer = SignerStatus(chain: .regtest)
        func lines() -> [String] {
            ApplianceStatus(signer: .value(signer), network: .problem("")).lines
        }
        func json() -> String {
            ApplianceStatus(signer: .value(signer), network: .problem("")).json.text
        }
        #expect(lines().contains { $0.contains("ledger not read yet") })
        #expect(json().contains(#""ledgerEntries": null"#))
        signer.ledgerEntries = 0
        #expect(!lines().contains { $0.contains("ledger") })
        signer.ledgerEntries = 41
        for finding in WitnessFinding.allCases {
            signer.witness = finding
            #expect(lines().count { $0.contains("ledger of 41 entries") } == 1)
        }
        #expect(lines().contains { $0.contains("differs from what the network process kept") })
        #expect(json().contains(#""witness": "differs""#))
        #expect(json().contains(#""ledgerEntries": 41"#))
    }

    @Test("what is wrong with the signer's files is shown, escaped, and in the JSON")
    func problems() {
        var status = SignerStatus(chain: .regtest)
        status.problems = ["device.key is missing\u{1b}[2J"]
        let shown = ApplianceStatus(signer: .value(status), network: network())
        #expect(shown.lines.contains("wrong with the signer's files:"))
        #expect(shown.lines.contains { $0.contains("device.key is missing") })
        #expect(!shown.lines.contains { $0.contains("\u{1b}") })
        #expect(shown.json.text.contains("device.key is missing"))
        #expect(
            !ApplianceStatus(signer: signer(), network: network()).lines.contains {
                $0.contains("wrong with")
            })
    }

    @Test("a process that the role has not is no problem, and no link to it is shown")
    func roles() {
        let offline = ApplianceStatus(signer: signer(.offline), network: .problem("no socket"))
        #expect(offline.verdict == .complete)
        #expect(offline.lines.contains("network   none: the role of this appliance is offline"))
        let watch = ApplianceStatus(signer: .problem("no socket"), network: network(.watch))
        #expect(watch.verdict == .complete)
        #expect(watch.lines.contains("signer    none: the role of this appliance is watch"))
        for status in [offline, watch] {
            #expect(!status.lines.contains { $0.contains("link") || $0.contains("no socket") })
            #expect(status.json.text.contains(#""shouldRun": false"#))
            #expect(status.json.text.contains(#""complete": true"#))
        }
    }

    @Test("a process that should run and is silent is named")
    func silence() {
        let first = ApplianceStatus(signer: .problem("no answer"), network: network())
        #expect(first.verdict == .incomplete(missing: "signer"))
        #expect(first.lines.last?.hasPrefix("The signer should run and does not answer") == true)
        let second = ApplianceStatus(signer: signer(), network: .problem("no answer"))
        #expect(second.verdict == .incomplete(missing: "network process"))
        // The keeper has told nothing yet: nobody knows that it has a role without one.
        let early = ApplianceStatus(
            signer: .value(SignerStatus(chain: .regtest)), network: .problem("no answer"))
        #expect(early.verdict == .incomplete(missing: "network process"))
        for status in [first, second, early] {
            #expect(status.json.text.contains(#""complete": false"#))
        }
        #expect(
            ApplianceStatus(signer: .problem("a"), network: .problem("b")).verdict == .unreachable)
        #expect(ApplianceStatus(signer: signer(), network: network()).verdict == .complete)
    }

    @Test("what is weaker is shown once, whoever says it, and in every role")
    func weaknesses() {
        let both = ApplianceStatus(
            signer: signer(.home, ["one", "two"]), network: network(.home, ["two", "three\u{1b}"]))
        #expect(
            both.lines.suffix(4) == [
                "weaker than it could be:", "  - one", "  - two", #"  - three\u{1b}"#,
            ])
        let watch = ApplianceStatus(signer: .problem("none"), network: network(.watch, ["one"]))
        #expect(watch.lines.last == "  - one")
    }
}
