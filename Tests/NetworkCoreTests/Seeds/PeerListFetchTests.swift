import Chain
import PeerMessages
import TestSupport
import Testing

@testable import NetworkCore

@Suite("Signed lists of peers from a URL")
struct PeerListFetchTests {
    private let publisher = Publisher(1)
    private let url = "https://lists.example/peers"
    /// The day 2026-11-30.
    private let clock: Int64 = 20_787 * 86_400 + 5_000

    private func list(_ date: String = "2026-11-30", peers: [PeerEndpoint]? = nil) -> [UInt8] {
        let peers = peers ?? (0..<60).map { Strangers.public4($0) }
        return publisher.list(
            ["bulkhead-peer-list 1", "network mainnet", "date \(date)", "height 925000"]
                + peers.map { "peer \($0)" })
    }

    private func world(
        _ policy: RoutingPolicy = .standard, kept: KeptPeers = KeptPeers(), url: String? = nil,
        seeds: [String] = []
    ) -> PoolWorld {
        var world = PoolWorld(
            policy: policy, kept: kept, publishers: [publisher.key], list: url ?? self.url,
            seeds: seeds, clock: clock)
        world.names["lists.example"] = [.ipv4(0x0505_0505), .ipv4(0x0606_0606)]
        for number in 0..<60 {
            world.conducts[Strangers.public4(number)] = .serves(Strangers.version())
        }
        return world
    }

    @Test("A list is fetched before seeds are asked, kept, and fetched again about once a day")
    func daily() {
        var world = world(seeds: ["seed"])
        world.lists = [.success(list()), .success(list()), .success(list())]
        world.start()
        world.pass(.seconds(60))
        #expect(world.endpoints.count == 2)
        #expect(world.pool.seated.allSatisfy { $0.source == .signedList })
        #expect(world.kept.signedList == list())
        #expect(world.lookups.first?.name == "lists.example")
        let route = ListRoute.direct([.ipv4(0x0505_0505), .ipv4(0x0606_0606)])
        #expect(world.fetches.map(\.route) == [route] && world.fetches[0].url == url)
        #expect(world.notes.contains(.listFetched))
        world.pass(.seconds(60 * 3600))
        #expect(world.fetches.count == 3)
        let pauses = zip(world.fetches.dropFirst(), world.fetches).map { $0.at - $1.at }
        let day = Duration.seconds(20 * 3600)...Duration.seconds(27 * 3600)
        #expect(pauses.allSatisfy { day.contains($0) }, "\(pauses)")
    }

    @Test("A list of today that is kept is enough at a start; an older one is not")
    func kept() {
        var fresh = world(kept: KeptPeers(signedList: list()))
        fresh.lists = [.success(list())]
        fresh.start()
        fresh.pass(.seconds(3600))
        #expect(fresh.fetches.isEmpty && fresh.pool.book.all.count == 60)
        fresh.pass(.seconds(28 * 3600))
        #expect(fresh.fetches.count == 1)
        var older = world(kept: KeptPeers(signedList: list("2026-11-28")))
        older.start()
        older.pass(.seconds(5))
        #expect(older.fetches.count == 1)
    }

    @Test(
        "What fails or is refused leaves the list before, is told once, and tried again ever later")
    func failures() {
        var world = world(kept: KeptPeers(signedList: list("2026-11-28")), seeds: ["seed"])
        let gone = ListFetchFailure("lists.example took no connection")
        var altered = list()
        altered[60] ^= 1
        world.lists = [
            .failure(gone), .failure(gone), .success(altered), .success(list("2026-11-01")),
            .success(Array(repeating: 0x61, count: SignedPeerList.longest + 1)), .success(list()),
        ]
        world.start()
        world.pass(.seconds(3 * 3600))
        #expect(world.pool.book.all.count == 60 && world.kept.signedList == list())
        let reasons = world.notes.compactMap { note in
            if case .listNotFetched(let reason) = note { reason } else { nil }
        }
        let refused: [SignedListError] = [
            .wrongSignature, .tooOld("2026-11-01"), .tooLong(SignedPeerList.longest + 1),
        ]
        #expect(reasons == [gone.sentence] + refused.map { "\($0)" })
        let pauses = zip(world.fetches.dropFirst(), world.fetches)
            .map { Int(($0.at - $1.at).components.seconds) }
        #expect(pauses == [61, 121, 241, 481, 961], "\(pauses)")
    }

    @Test(
        "A server that never answers is given up after two minutes, and seeds are asked meanwhile no more"
    )
    func silence() {
        var world = world(seeds: ["seed"])
        world.start()
        world.pass(.seconds(100))
        #expect(!world.lookups.contains { $0.name.hasSuffix("seed") })
        world.pass(.seconds(60))
        #expect(world.lookups.contains { $0.name.hasSuffix("seed") })
        #expect(
            world.notes.contains(.listNotFetched("lists.example gave no list within two minutes")))
        // A late answer is none.
        let late = world.pool.fetched(
            ListFetchID((1 << 48) + 2), .success(list()), isCurrent: false, at: world.now)
        #expect(late.isEmpty && world.kept.signedList == nil)
    }

    @Test("A name that nobody knows is asked of the machine's servers too, and then said")
    func unknownName() {
        var world = world()
        world.names = [:]
        world.start()
        world.pass(.seconds(1))
        #expect(world.lookups.map(\.method) == [.https, .system])
        #expect(world.fetches.isEmpty)
        #expect(world.notes == [.listNotFetched("lists.example could not be looked up")])
    }

    @Test(
        "Over Tor every list comes through its gateway, by its name, whatever else is used; never directly",
        arguments: ["https://lists.example/peers", "https://203.0.113.9/peers"])
    func overTor(url: String) throws {
        let gateway = Strangers.gateway
        let policies = [
            try RoutingPolicy(tor: gateway),
            try RoutingPolicy(mode: .manual([.clearnet, .tor]), tor: gateway),
            try RoutingPolicy(mode: .manual([.tor, .i2p]), tor: gateway, i2p: gateway),
        ]
        for policy in policies {
            var world = world(policy, url: url)
            let failure = ListFetchFailure("the gateway refused")
            world.lists = Array(repeating: .failure(failure), count: 5)
            world.start()
            world.pass(.seconds(1200))
            #expect(world.fetches.count >= 4)
            #expect(world.fetches.allSatisfy { $0.route == .gateway(.tor) })
            #expect(world.lookups.isEmpty)
        }
    }

    @Test("Where no network that is used leads to the server, nothing is asked, and it is said why")
    func noWay() throws {
        let gateway = Strangers.gateway
        let onion = "https://\(Strangers.tor(1).host)/peers"
        let i2pOnly = try RoutingPolicy(i2p: gateway)
        for (policy, url) in [
            (i2pOnly, self.url), (i2pOnly, onion), (RoutingPolicy.standard, onion),
            (try RoutingPolicy(mode: .manual([.cjdns])), self.url),
        ] {
            var world = world(policy, url: url)
            world.start()
            world.pass(.seconds(600))
            #expect(world.fetches.isEmpty && world.lookups.isEmpty)
            guard case .listNotFetched(let reason)? = world.notes.first else {
                Issue.record("nothing is said")
                continue
            }
            #expect(reason.contains("peer-networks") && world.notes.count == 1)
        }
    }

    @Test(
        "The place of a list is an https URL",
        arguments: [
            ("https://lists.example/peers", "lists.example", 443),
            ("https://lists.example:8443", "lists.example", 8443),
            ("https://203.0.113.9/x?y", "203.0.113.9", 443),
            ("https://[2001:db8::9]:8443/", "2001:db8::9", 8443),
            ("http://lists.example/", nil, 0), ("https://", nil, 0), ("https:///peers", nil, 0),
            ("https://me@lists.example/", nil, 0), ("https://lists.example:0/", nil, 0),
            ("https://lists.example:70000/", nil, 0), ("https://lists.example/#a", nil, 0),
            ("https://localhost/", nil, 0), ("https://1.2.3/", nil, 0),
            ("https://a.onion/", nil, 0), ("https://lists..example/", nil, 0),
            ("https://lists.example/a b", nil, 0), ("https://li\u{F6}sts.example/", nil, 0),
        ] as [(String, String?, UInt16)])
    func location(_ url: String, _ name: String?, _ port: UInt16) {
        let location = HTTPSLocation(url)
        #expect(location?.name == name)
        #expect(location.map(\.port) ?? 0 == port)
    }
}
