import Chain
import PeerMessages
import Testing

@testable import NetworkCore

@Suite("Questions for seeds")
struct SeedLookupTests {
    private struct Asked: Hashable {
        let name: String
        let method: ResolveMethod
    }

    /// Runs a look-up to its end: who was asked, in order, and what came of it.
    private func run(
        _ names: [String] = ["one", "two"], chain: ChainParameters = ChainParameters(.mainnet),
        answer: (Asked) -> [PeerHost]?
    ) -> (asked: [Asked], hosts: [PeerHost]?) {
        var lookup = SeedLookup(chain, names: names)
        var asked: [Asked] = []
        var now = Duration.zero
        var queue = lookup.start(at: now)
        while true {
            var next: [SeedLookup.Action] = []
            for action in queue {
                switch action {
                case .ask(let id, let name, let method):
                    asked.append(Asked(name: name, method: method))
                    if let hosts = answer(Asked(name: name, method: method)) {
                        next += lookup.received(hosts, to: id, at: now)
                    }
                case .finished(let hosts): return (asked, hosts)
                }
            }
            if next.isEmpty {
                guard let deadline = lookup.nextDeadline else { return (asked, nil) }
                now = deadline
                next = lookup.time(at: now)
            }
            queue = next
        }
    }

    private let host = Strangers.public4(1).host

    @Test("a seed is asked for peers with the services that are needed, and that is all")
    func prefix() {
        let result = run { _ in [host] }
        #expect(result.asked.map(\.name) == ["x49.one", "x49.two"])
        #expect(result.asked.allSatisfy { $0.method == .https })
        #expect(result.hosts == [host])
    }

    @Test("a seed that knows no services is asked without them")
    func plain() {
        let result = run { $0.name.hasPrefix("x49.") ? [] : [host] }
        #expect(result.asked.map(\.name) == ["x49.one", "x49.two", "one", "two"])
        #expect(result.asked.allSatisfy { $0.method == .https })
    }

    @Test("criterion 39: the resolver of this machine is asked only if nothing else is left")
    func systemLast() {
        let result = run { $0.method == .system ? [host] : [] }
        #expect(result.asked.map(\.method) == [.https, .https, .https, .https, .system, .system])
        #expect(result.hosts == [host])
        let none = run { _ in [] }
        #expect(none.asked.count == 8)
        #expect(none.hosts == [])
    }

    @Test("criterion 39: answers of private and documentation addresses alone count as none")
    func special() {
        let special = [
            Strangers.ipv4(10, 0).host, Strangers.ipv4(100, 64).host,
            Strangers.ipv4(192, 0, 2).host,
            Strangers.ipv4(0, 0).host, PeerHost.ipv6(high: 0x2001_0DB8 << 32, low: 1),
            PeerHost.ipv6(high: 0, low: 1), Strangers.tor(1).host, Strangers.i2p(1).host,
            PeerHost.cjdns(high: 0xFC << 56, low: 1),
        ]
        let result = run { $0.method == .https ? special : special + [host] }
        #expect(result.asked.contains { $0.method == .system })
        #expect(result.hosts == [host])
        // Where everybody is private, that is what peers are.
        let regtest = run(chain: ChainParameters(.regtest)) { _ in special }
        #expect(regtest.hosts?.count == 6)
    }

    @Test("one seed that does not answer holds nothing up, and each host comes once")
    func silent() {
        let result = run { $0.name == "x49.one" ? nil : [host, host] }
        #expect(result.asked.count == 2)
        #expect(result.hosts == [host])
    }

    @Test("an answer has no more hosts than are taken")
    func bound() {
        let many = (0..<20_000).map { PeerHost.ipv4(0x1400_0000 + UInt32($0)) }
        let result = run(["one"]) { _ in many }
        #expect(result.hosts?.count == SeedLookup.mostHosts)
    }

    @Test("an answer to no question, or after the end, is none")
    func stray() {
        var lookup = SeedLookup(ChainParameters(.mainnet), names: ["one"])
        #expect(lookup.received([host], to: ResolveID(1), at: .zero) == [])
        guard case .ask(let id, _, _)? = lookup.start(at: .zero).first else {
            Issue.record("nothing was asked")
            return
        }
        lookup.cancel()
        #expect(lookup.received([host], to: id, at: .zero) == [])
        #expect(!lookup.isRunning && lookup.time(at: .seconds(100)) == [])
    }

    @Test("without seeds the end comes at once")
    func noSeeds() {
        #expect(run([]) { _ in [] }.hosts == [])
        #expect(DNSSeeds.names(of: ChainParameters(signetChallenge: .init([0x51]))).isEmpty)
    }
}
