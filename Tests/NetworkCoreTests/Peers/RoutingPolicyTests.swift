import PeerMessages
import TestSupport
import Testing

@testable import NetworkCore

@Suite("Routes to peers")
struct RoutingPolicyTests {
    private let everywhere = [
        Strangers.public4(1), PeerEndpoint(.ipv6(high: 0x2A00 << 48, low: 1), port: 8333),
        Strangers.tor(1), Strangers.i2p(1),
        PeerEndpoint(.cjdns(high: 0xFC << 56, low: 1), port: 8333),
    ]

    private func routes(_ policy: RoutingPolicy) -> [DialRoute?] {
        everywhere.map { DialRoute(to: $0, policy) }
    }

    @Test("without gateways automatic is clearnet, and says that it shows this machine's address")
    func automaticWithout() throws {
        let policy = try RoutingPolicy()
        #expect(policy.networks == [.clearnet])
        #expect(routes(policy) == [.direct, .direct, nil, nil, nil])
        #expect(policy.exposesAddress && policy.mayLookUp)
        #expect(RoutingPolicy.standard == policy)
    }

    @Test("criterion 42: with a gateway automatic leaves clearnet alone, and nobody is looked up")
    func automaticWith() throws {
        let tor = try RoutingPolicy(tor: Strangers.gateway)
        #expect(routes(tor) == [nil, nil, .gateway(.tor), nil, nil])
        #expect(!tor.mayLookUp && !tor.exposesAddress)
        let both = try RoutingPolicy(tor: Strangers.gateway, i2p: Strangers.gateway)
        #expect(routes(both) == [nil, nil, .gateway(.tor), .gateway(.i2p), nil])
        #expect(!both.mayLookUp)
    }

    @Test("direct leaves gateways alone that are set")
    func direct() throws {
        let policy = try RoutingPolicy(mode: .direct, tor: Strangers.gateway)
        #expect(routes(policy) == [.direct, .direct, nil, nil, nil])
    }

    @Test("every choice of networks gives routes on these and on no other")
    func manual() throws {
        for bits in 1..<16 {
            let chosen = Set(
                PeerNetwork.allCases.enumerated().filter { bits >> $0.offset & 1 == 1 }
                    .map(\.element))
            let policy = try RoutingPolicy(
                mode: .manual(chosen), tor: Strangers.gateway, i2p: Strangers.gateway)
            for endpoint in everywhere {
                let isChosen = endpoint.host.way.map { chosen.contains($0) } ?? false
                #expect((DialRoute(to: endpoint, policy) != nil) == isChosen)
                if endpoint.host.way == .tor || endpoint.host.way == .i2p {
                    #expect(DialRoute(to: endpoint, policy) != .direct)
                }
            }
            #expect(policy.mayLookUp == chosen.contains(.clearnet))
        }
    }

    @Test("a network that needs a gateway is not chosen without one")
    func missingGateway() throws {
        #expect(throws: RoutingError.nothingChosen) { try RoutingPolicy(mode: .manual([])) }
        #expect(throws: RoutingError.noGateway(.tor)) {
            try RoutingPolicy(mode: .manual([.clearnet, .tor]), i2p: Strangers.gateway)
        }
        #expect(throws: RoutingError.noGateway(.i2p)) {
            try RoutingPolicy(mode: .manual([.i2p]), tor: Strangers.gateway)
        }
    }

    @Test("a gateway is a numeric address")
    func gateways() throws {
        #expect(Gateway(Strangers.tor(1)) == nil)
        #expect(Gateway(Strangers.i2p(1)) == nil)
        #expect(Gateway(PeerEndpoint(.ipv4(1), port: 0)) == nil)
        #expect(Gateway(Strangers.ipv4(10, 0, 0, 1)) != nil)
    }

    @Test("what cannot be dialled has no route")
    func unusable() {
        let policy = RoutingPolicy.standard
        for endpoint in [
            PeerEndpoint(.ipv4(0), port: 8333), PeerEndpoint(.ipv4(1), port: 0),
            PeerEndpoint(.ipv6(high: 0, low: 0), port: 1),
            PeerEndpoint(.unusable(network: 3, []), port: 1),
        ] {
            #expect(DialRoute(to: endpoint, policy) == nil)
        }
    }

    @Test("criterion 33: waits double from the first to the longest")
    func backOff() {
        let peers = (0...7).map { BackOff.peers.delay(afterFailures: $0) }
        #expect(peers == [0, 30, 60, 120, 240, 480, 600, 600].map { .seconds($0) })
        #expect(BackOff.peers.delay(afterFailures: .max) == .seconds(600))
        #expect(BackOff.peers.delay(afterFailures: .min) == .zero)
    }

    @Test("criterion 60: announcements wait 60 s, doubling, an hour at most")
    func broadcastBackOff() {
        let waits = (1...8).map { BackOff.broadcast.delay(afterFailures: $0) }
        #expect(waits == [60, 120, 240, 480, 960, 1920, 3600, 3600].map { .seconds($0) })
    }
}
