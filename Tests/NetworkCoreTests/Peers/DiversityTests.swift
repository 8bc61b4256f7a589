import PeerMessages
import Testing

@testable import NetworkCore

@Suite("Who sits beside whom")
struct DiversityTests {
    private func sitter(
        _ endpoint: PeerEndpoint, _ source: PeerSource = .dnsSeed
    ) -> Diversity.Sitter {
        Diversity.Sitter(endpoint: endpoint, source: source)
    }

    private let clearnet = Diversity(seats: 3, networks: [.clearnet])

    @Test("criterion 37: one netblock has one seat: /16 of IPv4, /32 of IPv6")
    func netblocks() {
        let seated = [
            sitter(Strangers.ipv4(20, 1, 2, 3)),
            sitter(PeerEndpoint(.ipv6(high: 0x2A00_0001 << 32, low: 1), port: 1)),
        ]
        let cases: [(PeerEndpoint, Bool)] = [
            (Strangers.ipv4(20, 1, 99, 99), false), (Strangers.ipv4(20, 2, 2, 3), true),
            (PeerEndpoint(.ipv6(high: 0x2A00_0001 << 32 | 0xFFFF_FFFF, low: 9), port: 1), false),
            (PeerEndpoint(.ipv6(high: 0x2A00_0002 << 32, low: 1), port: 1), true),
        ]
        for (endpoint, isFree) in cases {
            let objection = clearnet.objection(to: sitter(endpoint, .signedList), beside: seated)
            #expect(objection == (isFree ? nil : .netblock), "\(endpoint)")
        }
    }

    @Test("private addresses and overlays have no netblocks")
    func noNetblocks() {
        let policy = Diversity(seats: 4, networks: [.tor])
        #expect(
            policy.objection(to: sitter(Strangers.tor(2)), beside: [sitter(Strangers.tor(1))])
                == nil)
        #expect(
            policy.objection(
                to: sitter(Strangers.ipv4(10, 0, 0, 2)),
                beside: [sitter(Strangers.ipv4(10, 0, 0, 1))]
            ) == nil)
    }

    @Test("criterion 37: no source holds all seats")
    func sources() {
        let two = [sitter(Strangers.public4(1)), sitter(Strangers.public4(2))]
        #expect(clearnet.objection(to: sitter(Strangers.public4(3)), beside: two) == .source)
        #expect(
            clearnet.objection(to: sitter(Strangers.public4(3), .signedList), beside: two) == nil)
        let one = Diversity(seats: 1, networks: [.clearnet])
        #expect(one.objection(to: sitter(Strangers.public4(1)), beside: []) == nil)
    }

    @Test("criterion 37: overlays hold not all seats beside clearnet, nor one of two overlays")
    func overlays() {
        let seated = [sitter(Strangers.tor(1), .signedList), sitter(Strangers.i2p(1))]
        let mixed = Diversity(seats: 3, networks: [.clearnet, .tor, .i2p])
        #expect(mixed.objection(to: sitter(Strangers.tor(2)), beside: seated) == .overlay)
        #expect(mixed.objection(to: sitter(Strangers.public4(1)), beside: seated) == nil)
        let overlays = Diversity(seats: 3, networks: [.tor, .i2p])
        #expect(overlays.objection(to: sitter(Strangers.tor(2)), beside: seated) == nil)
        let twoTor = [sitter(Strangers.tor(1), .signedList), sitter(Strangers.tor(2))]
        #expect(overlays.objection(to: sitter(Strangers.tor(3)), beside: twoTor) == .overlay)
        // Where nothing else is used, there is nothing to mix.
        let tor = Diversity(seats: 3, networks: [.tor])
        #expect(tor.objection(to: sitter(Strangers.tor(3)), beside: twoTor) == nil)
    }

    @Test("a peer added by hand is bound by nothing, and counts for the netblocks of others")
    func manual() {
        let seated = [
            sitter(Strangers.ipv4(20, 1), .manual), sitter(Strangers.ipv4(20, 1, 1), .manual),
        ]
        #expect(
            clearnet.objection(to: sitter(Strangers.ipv4(20, 1, 2), .manual), beside: seated) == nil
        )
        #expect(
            clearnet.objection(to: sitter(Strangers.ipv4(20, 1, 2)), beside: seated) == .netblock)
        #expect(clearnet.objection(to: sitter(Strangers.ipv4(20, 2)), beside: seated) == nil)
    }
}
