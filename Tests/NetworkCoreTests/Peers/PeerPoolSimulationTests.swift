import Chain
import PeerMessages
import TestSupport
import Testing

@testable import NetworkCore

/// Peers of every conduct, faults and people at random; a failure repeats from its seed.
@Suite("The pool of peers at random")
struct PeerPoolSimulationTests {
    private let proof = PeerFault.proven(.header(.noWork(height: 1)))

    private func policy(_ random: inout SeededGenerator) throws -> RoutingPolicy {
        switch Int.random(in: 0..<5, using: &random) {
        case 0: try RoutingPolicy(tor: Strangers.gateway)
        case 1: try RoutingPolicy(tor: Strangers.gateway, i2p: Strangers.gateway)
        case 2:
            try RoutingPolicy(
                mode: .manual([.clearnet, .tor, .i2p]), tor: Strangers.gateway,
                i2p: Strangers.gateway)
        default: RoutingPolicy.standard
        }
    }

    private func conduct(_ random: inout SeededGenerator) -> PoolWorld.Conduct {
        let height = Int32.random(in: .min ... .max, using: &random)
        let good = Strangers.version(height: Bool.random(using: &random) ? height : 1000)
        return switch Int.random(in: 0..<9, using: &random) {
        case 0: .refuses
        case 1: .mute
        case 2: .vanished
        case 3: .slow(.seconds(Int.random(in: 1...70, using: &random)), good)
        case 4: .serves(Strangers.version(PeerServices(rawValue: random.next())))
        default: .serves(good)
        }
    }

    private func everywhere() -> [PeerEndpoint] {
        var endpoints = (0..<30).map { Strangers.public4($0) }
        // Two addresses in each of some netblocks.
        endpoints += (0..<10).map { Strangers.ipv4(20, UInt8($0), 99, 99) }
        endpoints += (1...8).map { Strangers.tor($0) }
        endpoints += (1...8).map { Strangers.i2p($0) }
        return endpoints
    }

    private func world(_ random: inout SeededGenerator) throws -> PoolWorld {
        let endpoints = everywhere()
        var kept = KeptPeers()
        for endpoint in endpoints where Int.random(in: 0..<4, using: &random) == 0 {
            kept.records.append(
                PeerRecord(
                    endpoint, source: PeerSource.allCases.randomElement(using: &random) ?? .manual,
                    served: Bool.random(using: &random) ? 5 : nil))
        }
        var world = PoolWorld(policy: try policy(&random), kept: kept, seed: random.next())
        world.pool.height = 1000
        for endpoint in endpoints { world.conducts[endpoint] = conduct(&random) }
        let clearnet = endpoints.filter { $0.host.way == .clearnet }.map(\.host)
        world.names[Bool.random(using: &random) ? "x49.seed" : "seed"] = clearnet
        return world
    }

    /// What must hold after every step.
    private func check(_ world: PoolWorld, _ banned: Set<PeerEndpoint>, _ seed: Comment) {
        let seated = world.pool.seated
        let others = seated.filter { $0.source != .manual }
        #expect(seated.count <= 3, seed)
        let blocks = others.compactMap { Diversity.netblock($0.endpoint.host) }
        #expect(Set(blocks).count == blocks.count, seed)
        for source in PeerSource.allCases where source != .manual {
            #expect(others.count { $0.source == source } <= 2, seed)
        }
        let networks = world.pool.policy.networks
        if networks.contains(.clearnet) {
            #expect(others.count { $0.endpoint.host.way != .clearnet } <= 2, seed)
        }
        #expect(seated.allSatisfy { DialRoute(to: $0.endpoint, world.pool.policy) != nil }, seed)
        #expect(seated.allSatisfy { $0.version.services.contains(Strangers.needed) }, seed)
        #expect(Set(world.pool.book.allBans.map(\.endpoint)).isSubset(of: banned), seed)
        #expect(world.pool.dials.count <= 5, seed)
        if let deadline = world.pool.nextDeadline {
            #expect(deadline > world.now, seed)
        }
    }

    private func act(
        _ world: inout PoolWorld, _ banned: inout Set<PeerEndpoint>,
        _ random: inout SeededGenerator
    ) throws {
        let id = world.lines.keys.sorted().randomElement(using: &random)
        switch Int.random(in: 0..<9, using: &random) {
        case 0: world.hasNetwork.toggle()
        case 1: world.hasGateway.toggle()
        case 2:
            let endpoint = everywhere().randomElement(using: &random) ?? .none
            if let actions = try? world.pool.add(endpoint, at: world.now) { world.run(actions) }
            banned.remove(endpoint)
        case 3:
            let endpoint = everywhere().randomElement(using: &random) ?? .none
            world.run(try world.pool.remove(endpoint, at: world.now))
        case 4:
            guard let id, let endpoint = world.lines[id] else { return }
            banned.insert(endpoint)
            world.run(world.pool.report(id, proof, at: world.now))
        case 5:
            guard let id else { return }
            world.run(world.pool.report(id, .transport(.silent), at: world.now))
        case 6: if let id { world.hangUp(id) }
        case 7:
            world.run(world.pool.use(try policy(&random), at: world.now))
        default:
            let endpoint = everywhere().randomElement(using: &random) ?? .none
            world.conducts[endpoint] = conduct(&random)
        }
    }

    @Test(
        "ceilings hold, nobody is banned without proof, and nobody unwanted is dialled",
        arguments: 0..<60)
    func anything(seed: Int) throws {
        var random = SeededGenerator(seed: UInt64(seed))
        let name = Comment(rawValue: "seed \(seed)")
        var world = try world(&random)
        var banned: Set<PeerEndpoint> = []
        world.start()
        for _ in 0..<60 {
            try act(&world, &banned, &random)
            let before = world.dials.count
            let lookups = world.lookups.count
            let (policy, bans) = (world.pool.policy, world.pool.book.allBans)
            let time = Duration.seconds(Int.random(in: 1...900, using: &random))
            world.pass(time)
            check(world, banned, name)
            for dial in world.dials[before...] {
                #expect(DialRoute(to: dial.endpoint, policy) == dial.route, name)
                #expect(!bans.contains { $0.endpoint == dial.endpoint }, name)
            }
            // Never a storm, whatever happens.
            #expect(world.dials.count - before <= 200, name)
            if !policy.mayLookUp { #expect(world.lookups.count == lookups, name) }
        }
        // What a store was told is what the book holds.
        let kept = Set(world.kept.records.filter { $0.served != nil || $0.source == .manual })
        let held = Set(world.pool.book.all.filter { $0.served != nil || $0.source == .manual })
        #expect(held.isSubset(of: kept), name)
        #expect(Set(world.kept.bans) == Set(world.pool.book.allBans), name)
    }

    @Test(
        "three honest peers of different kinds are always found among the useless",
        arguments: 0..<20)
    func liveness(seed: Int) throws {
        var random = SeededGenerator(seed: UInt64(1000 + seed))
        let name = Comment(rawValue: "seed \(seed)")
        var kept = KeptPeers()
        for number in 0..<30 {
            kept.records.append(
                PeerRecord(Strangers.public4(number), source: .signedList, served: 1))
        }
        var world = PoolWorld(kept: kept, seed: random.next())
        for number in 0..<30 { world.conducts[Strangers.public4(number)] = .refuses }
        let useless: [PoolWorld.Conduct] = [
            .mute, .vanished, .refuses, .serves(Strangers.version([.network, .witness])),
        ]
        world.names["seed"] = (40..<80).map { Strangers.public4($0).host }
        for number in 40..<80 {
            world.conducts[Strangers.public4(number)] = useless.randomElement(using: &random)
        }
        let good = [7, 50, 61].map { Strangers.public4($0) }
        for endpoint in good { world.conducts[endpoint] = .serves(Strangers.version()) }
        world.start()
        world.pass(.seconds(2 * 3600))
        #expect(world.endpoints == Set(good), name)
        #expect(world.pool.state(at: world.now) == .full, name)
    }
}
