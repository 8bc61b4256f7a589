import Chain
import PeerMessages
import TestSupport
import Testing
import Wire

@testable import NetworkCore

@Suite("The pool of peers")
struct PeerPoolTests {
    private let version = Strangers.version()

    /// A world whose seed knows some peers, and a few that were added by hand.
    private func world(
        seeds count: Int = 10, manual: Int = 0, saved: Int = 0, policy: RoutingPolicy = .standard
    ) -> PoolWorld {
        var kept = KeptPeers()
        for number in 0..<manual {
            kept.records.append(PeerRecord(Strangers.public4(100 + number), source: .manual))
        }
        for number in 0..<saved {
            let source: PeerSource = number % 2 == 0 ? .signedList : .dnsSeed
            kept.records.append(
                PeerRecord(Strangers.public4(200 + number), source: source, served: 1))
        }
        var world = PoolWorld(policy: policy, kept: kept)
        world.names["x49.seed"] = (0..<count).map { Strangers.public4($0).host }
        for number in 0..<300 {
            world.conducts[Strangers.public4(number)] = .serves(version)
        }
        return world
    }

    // MARK: Order

    @Test("those added by hand and saved fill the seats, and then no seed is asked")
    func manualAndSaved() {
        var world = world(manual: 1, saved: 5)
        world.start()
        world.pass(.seconds(600))
        #expect(world.endpoints.contains(Strangers.public4(100)))
        #expect(world.endpoints.count == 3)
        #expect(world.lookups.isEmpty)
        #expect(world.pool.state(at: world.now) == .full)
        #expect(world.dials.first?.endpoint == Strangers.public4(100))
    }

    @Test(
        "seeds are asked for peers with the services that are needed, and fill two of three seats")
    func seedsAlone() {
        var world = world()
        world.start()
        world.pass(.seconds(3600))
        #expect(world.lookups.map(\.name) == ["x49.seed"])
        #expect(world.lookups.allSatisfy { $0.method == .https })
        #expect(world.endpoints.count == 2)
        #expect(world.pool.state(at: world.now) == .limited)
    }

    @Test("a peer that is added by hand gets a seat though all are taken")
    func addedLater() throws {
        var world = world(manual: 0, saved: 5)
        world.names = [:]
        let seed = PeerRecord(Strangers.public4(1), source: .dnsSeed, served: 1)
        _ = try world.pool.book.add(seed.endpoint, .dnsSeed)
        world.start()
        world.pass(.seconds(60))
        #expect(world.endpoints.count == 3)
        world.run(try world.pool.add(Strangers.public4(150), at: world.now))
        world.pass(.seconds(5))
        #expect(world.endpoints.contains(Strangers.public4(150)))
        #expect(world.endpoints.count == 3)
        #expect(world.kept.records.contains { $0.endpoint == Strangers.public4(150) })
        // Three of them leave no seat to others.
        for number in 151..<155 {
            world.run(try world.pool.add(Strangers.public4(number), at: world.now))
        }
        world.pass(.seconds(5))
        #expect(world.pool.seated.allSatisfy { $0.source == .manual })
        #expect(world.endpoints.count == 3)
    }

    @Test("a peer that is removed is hung up on and not dialled again")
    func removed() throws {
        var world = world(manual: 3)
        world.start()
        world.pass(.seconds(5))
        world.run(try world.pool.remove(Strangers.public4(100), at: world.now))
        world.pass(.seconds(60))
        #expect(!world.endpoints.contains(Strangers.public4(100)))
        #expect(world.dials.count { $0.endpoint == Strangers.public4(100) } == 1)
        #expect(!world.kept.records.contains { $0.endpoint == Strangers.public4(100) })
    }

    @Test("a peer is dialled with encryption first until it has served and offered none")
    func encryption() {
        func services(_ served: Int64?, _ more: PeerServices) -> PeerRecord {
            PeerRecord(
                Strangers.public4(200), source: .signedList,
                services: version.services.union(more), served: served)
        }
        for (record, isEncrypted) in [
            (services(nil, []), true), (services(1, .v2Transport), true), (services(1, []), false),
        ] {
            var world = PoolWorld(kept: KeptPeers(records: [record]))
            world.conducts[record.endpoint] = .refuses
            world.start()
            #expect(world.dials.map(\.isEncrypted) == [isEncrypted])
        }
        // What it offers is kept of every connection, so that one that learns it is not passed over.
        var world = PoolWorld(kept: KeptPeers(records: [services(1, [])]))
        let learned = Strangers.version(Strangers.needed.union(.v2Transport))
        world.conducts[Strangers.public4(200)] = .serves(learned)
        world.start()
        world.pass(.seconds(5))
        for info in world.pool.seated {
            world.run(
                world.pool.send(.getheaders(GetHeaders(locator: [])), to: info.id, at: world.now))
        }
        world.pass(.seconds(5))
        #expect(world.kept.records.map { $0.services.contains(.v2Transport) } == [true])
    }

    // MARK: Faults

    @Test("criterion 33: a peer that times out rests, is retried, and is never struck out")
    func transportFaults() throws {
        var world = world(manual: 0, saved: 1)
        world.names = [:]
        let peer = Strangers.public4(200)
        world.conducts[peer] = .refuses
        world.start()
        world.pass(.seconds(2000))
        let times = world.dials.filter { $0.endpoint == peer }.map(\.at.components.seconds)
        let gaps = zip(times.dropFirst(), times).map { $0.0 - $0.1 }
        #expect(Array(gaps.prefix(6)) == [30, 60, 120, 240, 480, 600])
        #expect(world.kept.records.map(\.endpoint) == [peer])
        world.conducts[peer] = .serves(version)
        world.pass(.seconds(700))
        #expect(world.endpoints == [peer])
    }

    @Test("bug 6: with no network nobody is banned or blamed, and all are back with it")
    func offline() {
        var world = world(manual: 1, saved: 4)
        world.start()
        world.pass(.seconds(60))
        world.hasNetwork = false
        for id in world.lines.keys.sorted() { world.hangUp(id) }
        world.pass(.seconds(24 * 3600))
        #expect(world.pool.book.allBans.isEmpty)
        #expect(world.pool.state(at: world.now) == .noWay(.clearnet, "no network"))
        let notice = PeerNote.wayFailed(DialFailure(.noNetwork, "no network"))
        #expect(world.notes.count { $0 == notice } == 1)
        #expect(world.kept.records.count == 5)
        world.hasNetwork = true
        world.pass(.seconds(301))
        #expect(world.endpoints.count == 3)
    }

    @Test("criterion 34: who proves to lie is banned, struck out and not dialled again")
    func provenLie() throws {
        var world = world(saved: 5)
        world.start()
        world.pass(.seconds(5))
        let liar = try #require(world.pool.seated.first)
        world.run(
            world.pool.report(liar.id, .proven(.header(.noWork(height: 9))), at: world.now))
        world.pass(.seconds(7200))
        #expect(world.dials.count { $0.endpoint == liar.endpoint } == 1)
        #expect(world.kept.bans.map(\.endpoint) == [liar.endpoint])
        #expect(!world.kept.records.contains { $0.endpoint == liar.endpoint })
        #expect(world.endpoints.count >= 2)
        // Nor after a restart.
        var again = PoolWorld(kept: world.kept)
        again.conducts = world.conducts
        again.names = ["x49.seed": [liar.endpoint.host]]
        again.start()
        again.pass(.seconds(600))
        #expect(!again.dials.contains { $0.endpoint == liar.endpoint })
    }

    @Test("criterion 15: peers that differ rest both, and neither is struck out")
    func disputed() throws {
        var world = world(saved: 2)
        world.names = [:]
        world.start()
        world.pass(.seconds(5))
        for info in world.pool.seated {
            world.run(
                world.pool.report(info.id, .transport(.disputed(height: 5)), at: world.now))
        }
        #expect(world.endpoints.isEmpty)
        #expect(world.kept.records.count == 2)
        #expect(world.kept.bans.isEmpty)
        world.pass(.seconds(31))
        #expect(world.endpoints.count == 2)
    }

    @Test("bug 22: a fault of one peer falls on no other")
    func faultOfOne() throws {
        var world = world(saved: 5)
        world.start()
        world.pass(.seconds(5))
        let before = world.pool.seated
        world.run(
            world.pool.report(before[0].id, .proven(.filter(height: 5)), at: world.now))
        #expect(world.pool.seated.contains(before[1]) && world.pool.seated.contains(before[2]))
        #expect(world.pool.book.allBans.map(\.endpoint) == [before[0].endpoint])
    }

    @Test("bug 25: what is said of a connection that is gone does not fall on the next one")
    func oldConnection() throws {
        var world = world(manual: 1)
        world.names = [:]
        world.start()
        world.pass(.seconds(5))
        let old = try #require(world.id(Strangers.public4(100)))
        world.hangUp(old)
        world.pass(.seconds(60))
        let new = try #require(world.id(Strangers.public4(100)))
        #expect(new != old)
        for action in world.pool.report(old, .proven(.filter(height: 1)), at: world.now) {
            Issue.record("\(action)")
        }
        #expect(world.pool.closed(old, .closed(""), at: world.now).isEmpty)
        #expect(world.endpoints == [Strangers.public4(100)])
    }

    @Test("bugs 1 and 2: peers without filters are not dialled for ever, and the state says so")
    func noFilters() {
        var world = world(seeds: 3, manual: 1)
        for (endpoint, _) in world.conducts {
            world.conducts[endpoint] = .serves(Strangers.version([.network, .witness]))
        }
        world.start()
        world.pass(.seconds(60))
        #expect(world.pool.state(at: world.now) == .noneServesFilters)
        world.pass(.seconds(3600))
        #expect(world.seated.isEmpty)
        #expect(world.pool.book.allBans.isEmpty)
        #expect(world.dials.count { $0.endpoint == Strangers.public4(100) } <= 7)
        #expect(world.dials.count < 60)
        // A peer that has them is found when there is one.
        world.conducts[Strangers.public4(100)] = .serves(version)
        world.pass(.seconds(601))
        #expect(world.endpoints == [Strangers.public4(100)])
    }

    @Test("bug 13: a service that takes 29 s to reach by Tor gets its seat, the gateway its name")
    func slowOnion() throws {
        let policy = try RoutingPolicy(tor: Strangers.gateway)
        var world = PoolWorld(policy: policy)
        for number: UInt64 in 1...3 {
            world.conducts[Strangers.tor(number)] = .slow(.seconds(29), version)
            world.run(try world.pool.add(Strangers.tor(number), at: .zero))
        }
        world.start()
        world.pass(.seconds(40))
        #expect(world.endpoints.count == 3)
        #expect(world.dials.allSatisfy { $0.route == .gateway(.tor) })
        #expect(world.dials.count == 3)
    }

    @Test("a dial of which nothing is heard is given up")
    func lostDial() {
        var world = world(saved: 1)
        world.names = [:]
        world.conducts[Strangers.public4(200)] = .vanished
        world.start()
        world.pass(.seconds(24))
        #expect(world.dials.count == 1)
        let peer = Strangers.public4(200)
        #expect(world.pool.book.rest(of: peer, at: world.now) != nil)
    }

    // MARK: Claims

    @Test("criterion 36: a peer far below our chain is let go, by our own height alone")
    func behind() {
        var world = world(saved: 4)
        world.names = [:]
        world.pool.height = 1000
        let heights: [Int32] = [.max, 899, 900, .min]
        for (place, height) in heights.enumerated() {
            world.conducts[Strangers.public4(200 + place)] = .serves(
                Strangers.version(height: height))
        }
        world.start()
        world.pass(.seconds(20))
        // The boast moves nobody; 899 and less are more than 100 below.
        #expect(world.endpoints == [Strangers.public4(200), Strangers.public4(202)])
        let left = world.notes.compactMap { note -> PeerEndpoint? in
            if case .left(let endpoint, .unsuitable(.behind), _) = note { endpoint } else { nil }
        }
        #expect(Set(left) == [Strangers.public4(201), Strangers.public4(203)])
        #expect(left.count == 2)
        #expect(world.pool.book.allBans.isEmpty)
        #expect(!world.kept.records.contains { $0.endpoint == Strangers.public4(201) })
    }

    @Test("a manual peer below our chain stays")
    func manualBehind() {
        var world = world(manual: 1)
        world.names = [:]
        world.pool.height = 1000
        world.start()
        world.pass(.seconds(20))
        #expect(world.endpoints == [Strangers.public4(100)])
    }

    @Test("criterion 35, bug 17: who claims more than it shows makes room when all were asked")
    func withholds() {
        var world = world(saved: 3)
        world.names = [:]
        world.pool.height = 1000
        for (place, height) in ([2_000_000, 1100, 1000] as [Int32]).enumerated() {
            world.conducts[Strangers.public4(200 + place)] = .serves(
                Strangers.version(height: height))
        }
        world.start()
        world.pass(.seconds(20))
        #expect(world.endpoints.count == 3)
        world.run(world.pool.settled(at: world.now))
        world.pass(.seconds(20))
        #expect(world.endpoints == [Strangers.public4(201), Strangers.public4(202)])
        #expect(world.pool.book.allBans.isEmpty)
    }

    // MARK: Routing

    @Test("criterion 42: with overlays alone nobody is dialled directly and nothing looked up")
    func overlaysOnly() throws {
        let policy = try RoutingPolicy(tor: Strangers.gateway, i2p: Strangers.gateway)
        var world = world(saved: 5, policy: policy)
        for number: UInt64 in 1...2 {
            world.conducts[Strangers.tor(number)] = .serves(version)
            world.run(try world.pool.add(Strangers.tor(number), at: .zero))
        }
        world.start()
        world.pass(.seconds(3600))
        #expect(world.lookups.isEmpty)
        #expect(world.dials.allSatisfy { $0.route == .gateway(.tor) })
        #expect(world.endpoints.count == 2)
    }

    @Test("criterion 43: a gateway that fails blames no peer, and nothing is dialled past it")
    func gatewayDown() throws {
        let policy = try RoutingPolicy(tor: Strangers.gateway)
        var world = world(saved: 5, policy: policy)
        world.conducts[Strangers.tor(1)] = .serves(version)
        world.run(try world.pool.add(Strangers.tor(1), at: .zero))
        world.hasGateway = false
        world.start()
        world.pass(.seconds(3600))
        #expect(world.pool.state(at: world.now) == .noWay(.tor, "no gateway"))
        let notice = PeerNote.wayFailed(DialFailure(.gateway, "no gateway"))
        #expect(world.notes.count { $0 == notice } == 1)
        #expect(world.dials.allSatisfy { $0.route == .gateway(.tor) })
        #expect(world.lookups.isEmpty)
        #expect(world.dials.count < 30)
        world.hasGateway = true
        world.pass(.seconds(301))
        #expect(world.endpoints == [Strangers.tor(1)])
    }

    @Test("a policy that changes closes at once what it does not allow, and stops look-ups")
    func policyChanges() throws {
        var world = world(saved: 1)
        world.names = [:]
        world.start()
        world.pass(.milliseconds(300))
        #expect(world.endpoints.count == 1)
        let count = world.lookups.count
        #expect(count > 0)
        world.run(world.pool.use(try RoutingPolicy(tor: Strangers.gateway), at: world.now))
        #expect(world.endpoints.isEmpty && world.lines.isEmpty)
        world.pass(.seconds(3600))
        #expect(world.lookups.count == count)
        #expect(world.pool.state(at: world.now) == .noneKnown)
    }

    @Test("criterion 76: what is kept of another network's peers is not this one's")
    func networks() {
        // A private address is a peer of regtest, never one of mainnet.
        let kept = KeptPeers(records: [
            PeerRecord(Strangers.ipv4(10, 0), source: .dnsSeed, served: 1)
        ])
        var mainnet = PoolWorld(kept: kept, seeds: [])
        var regtest = PoolWorld(ChainParameters(.regtest), kept: kept, seeds: [])
        mainnet.start()
        regtest.start()
        #expect(mainnet.dials.isEmpty && regtest.dials.count == 1)
        #expect(DNSSeeds.names(of: ChainParameters(.regtest)).isEmpty)
        let all = [.mainnet, .testnet4, .signet].map { DNSSeeds.names(of: ChainParameters($0)) }
        #expect(Set(all.flatMap { $0 }).count == all.flatMap { $0 }.count)
        #expect(all.map(\.count) == [9, 2, 2])
    }

    // MARK: Sessions

    @Test("the first answer saves a peer with its services, later ones write nothing")
    func saved() throws {
        var world = world(seeds: 3)
        world.start()
        world.pass(.seconds(1))
        #expect(world.kept.records.isEmpty)
        let info = try #require(world.pool.seated.first)
        for _ in 0..<2 {
            world.run(
                world.pool.send(.getheaders(GetHeaders(locator: [])), to: info.id, at: world.now))
            world.pass(.seconds(1))
        }
        #expect(
            world.kept.records == [
                PeerRecord(
                    info.endpoint, source: .dnsSeed, services: Strangers.needed, served: 1_000_000)
            ])
    }

    @Test(
        "peers are told not to announce transactions until somebody looks, without a new connection"
    )
    func feeFilter() throws {
        var world = world(saved: 1)
        world.names = [:]
        world.start()
        var actions: [PeerPool.Action] = []
        world.pass(.seconds(5))
        let id = try #require(world.pool.seated.first?.id)
        actions = world.pool.announceAbove(0)
        #expect(actions == [.send(id, .feefilter(0))])
        #expect(world.pool.announceAbove(0) == [])
        actions = world.pool.announceAbove(PeerPool.noTransactions)
        #expect(actions == [.send(id, .feefilter(2_100_000_000_000_000))])
    }

    @Test("a peer's name for itself cannot speak to a terminal")
    func software() throws {
        var world = world(saved: 1)
        world.names = [:]
        var version = version
        version.userAgent = Array("/a\u{1B}[2J\u{9B}é/".utf8) + [0xFF]
        world.conducts[Strangers.public4(200)] = .serves(version)
        world.start()
        world.pass(.seconds(5))
        #expect(world.pool.seated.first?.software == "/a?[2J????/?")
    }

    @Test("nobody is asked for addresses, and addresses that come change nothing")
    func gossip() throws {
        var world = world(saved: 2)
        world.names = [:]
        world.start()
        world.pass(.seconds(5))
        let known = world.pool.book.all
        let address = PeerAddress(
            time: 1, services: Strangers.needed, host: Strangers.public4(5).host, port: 8333)
        for id in world.lines.keys.sorted() {
            for _ in 0..<20 { world.say(.addrv2([address]), from: id) }
        }
        world.pass(.seconds(60))
        #expect(world.pool.book.all == known && known.count == 2)
        #expect(world.endpoints.count == 2)
        #expect(!world.heard.contains(.getaddr))
    }

    @Test("a stopped pool holds nothing and dials nobody")
    func stopped() {
        var world = world(saved: 5)
        world.start()
        world.pass(.seconds(5))
        world.run(world.pool.stop())
        #expect(world.lines.isEmpty && world.pool.seated.isEmpty)
        let count = world.dials.count
        world.pass(.seconds(3600))
        #expect(world.dials.count == count)
        #expect(world.pool.nextDeadline == nil)
    }
}
