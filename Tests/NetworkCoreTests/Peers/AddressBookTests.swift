import Bitcoin
import Chain
import PeerMessages
import TestSupport
import Testing

@testable import NetworkCore

@Suite("The book of addresses")
struct AddressBookTests {
    private let mainnet = ChainParameters(.mainnet)
    private let proof = PeerFault.proven(.header(.noWork(height: 5)))
    private let timeout = PeerFault.transport(.silent)

    private func book(
        _ kept: KeptPeers = KeptPeers(), limits: AddressBook.Limits = AddressBook.Limits(),
        clock: Int64 = 1000
    ) -> AddressBook {
        AddressBook(mainnet, kept, limits: limits, clock: clock)
    }

    /// What a store holds after these changes.
    private func kept(_ changes: [PeerChange], _ before: KeptPeers = KeptPeers()) -> KeptPeers {
        var kept = before
        for change in changes { kept.apply(change) }
        return kept
    }

    @Test("those added by hand come first, then those that served, then a list's, then seeds'")
    func order() throws {
        var book = book()
        _ = try book.add(Strangers.public4(1), .dnsSeed)
        _ = try book.add(Strangers.public4(2), .signedList)
        _ = try book.add(Strangers.public4(3), .dnsSeed)
        _ = book.served(Strangers.public4(3), .dnsSeed, services: Strangers.needed, clock: 5)
        _ = try book.add(Strangers.public4(4), .manual)
        var random = SeededGenerator(seed: 1)
        #expect(
            book.candidates(using: &random).map(\.endpoint)
                == [4, 3, 2, 1].map { Strangers.public4($0) })
    }

    @Test("peers of the configuration file are as if added by hand, and nothing of them is kept")
    func configured() throws {
        let (named, both) = (Strangers.public4(1), Strangers.public4(2))
        let kept = KeptPeers(records: [PeerRecord(both, source: .manual)])
        var book = AddressBook(
            ChainParameters(.mainnet), kept, configured: [named, both], clock: 1_000_000)
        #expect(book.all.map(\.source) == [.manual, .manual])
        #expect(book.isConfigured(named) && !book.isConfigured(both))
        #expect(try book.add(named, .manual) == [])
        #expect(book.served(named, .manual, services: Strangers.needed, clock: 5) == [])
        #expect(book.forget() == [.forgotten])
        #expect(book.all.count == 2)
        #expect(throws: AddressBook.Refusal.configured) { try book.remove(named) }
        #expect(try book.remove(both) == [.removed(both)])
    }

    @Test("criterion 39: private, shared and documentation ranges are dropped on public networks")
    func specialRanges() throws {
        let starts: [(UInt8, UInt8)] = [
            (10, 1), (100, 64), (127, 0), (169, 254), (172, 16), (192, 168), (198, 18), (224, 0),
            (240, 0), (255, 255),
        ]
        var special = starts.map { Strangers.ipv4($0.0, $0.1, 1) }
        special.append(Strangers.ipv4(192, 0, 2))
        special.append(Strangers.ipv4(198, 51, 100))
        special.append(Strangers.ipv4(203, 0, 113))
        for high: UInt64 in [0x2001_0DB8 << 32, 0xFE80 << 48, 0xFD00 << 48, 0] {
            special.append(PeerEndpoint(.ipv6(high: high, low: 1), port: 1))
        }
        for endpoint in special {
            var book = book()
            #expect(throws: AddressBook.Refusal.special) { try book.add(endpoint, .dnsSeed) }
            #expect(throws: AddressBook.Refusal.special) { try book.add(endpoint, .signedList) }
            #expect(try book.add(endpoint, .manual).count == 1)
            var regtest = AddressBook(ChainParameters(.regtest), clock: 0)
            #expect(try regtest.add(endpoint, .dnsSeed) == [])
            #expect(regtest.record(endpoint) != nil)
        }
    }

    @Test(
        "criterion 33: a peer rests 30 s, doubling to 600 s, stays saved, and one success ends it")
    func rests() {
        var book = book()
        let peer = Strangers.public4(1)
        _ = book.served(peer, .dnsSeed, services: [], clock: 1)
        for seconds in [30, 60, 120, 240, 480, 600, 600] {
            #expect(book.failed(peer, timeout, at: .seconds(7), clock: 1) == [])
            #expect(book.rest(of: peer, at: .seconds(7))?.until == .seconds(7 + seconds))
            #expect(book.record(peer)?.served == 1)
        }
        #expect(book.rest(of: peer, at: .seconds(607)) == nil)
        _ = book.served(peer, .dnsSeed, services: [], clock: 2)
        #expect(book.rest(of: peer, at: .seconds(7)) == nil)
    }

    @Test("A peer that a person named is tried again within a minute, unless it is of no use")
    func restsOfManual() throws {
        var book = book()
        let peer = Strangers.public4(1)
        _ = try book.add(peer, .manual)
        for seconds in [10, 20, 40, 60, 60] {
            _ = book.failed(peer, timeout, at: .seconds(7), clock: 1)
            #expect(book.rest(of: peer, at: .seconds(7))?.until == .seconds(7 + seconds))
        }
        let misconduct = PeerFault.misconduct(.handshake)
        _ = book.failed(peer, misconduct, at: .seconds(7), clock: 1)
        let rest = book.rest(of: peer, at: .seconds(7))
        #expect(rest?.until == .seconds(607))
        #expect(rest?.fault == misconduct)
        #expect(rest?.seconds(from: .seconds(606)) == 1)
    }

    @Test("criterion 34: a proven lie bans and strikes out; nothing else bans")
    func bans() {
        let faults: [PeerFault] = [
            .transport(.silent), .transport(.disputed(height: 1)), .unsuitable(.isSelf),
            .unsuitable(.services(missing: .compactFilters)), .misconduct(.handshake),
            .misconduct(.violation(.malformedCommand)),
        ]
        for fault in faults {
            var book = book()
            _ = book.served(Strangers.public4(1), .dnsSeed, services: [], clock: 1)
            let changes = book.failed(Strangers.public4(1), fault, at: .zero, clock: 1)
            #expect(book.allBans.isEmpty, "\(fault)")
            #expect((book.record(Strangers.public4(1)) != nil) == fault.keepsSaved)
            #expect(changes.isEmpty == fault.keepsSaved)
        }
        var book = book()
        _ = book.served(Strangers.public4(1), .dnsSeed, services: [], clock: 1)
        let changes = book.failed(Strangers.public4(1), proof, at: .zero, clock: 9)
        #expect(
            kept(changes).bans.map(\.reason) == ["header 5 does not prove the work that it claims"])
        #expect(changes.contains(.removed(Strangers.public4(1))))
        #expect(throws: AddressBook.Refusal.banned) {
            try book.add(Strangers.public4(1), .dnsSeed)
        }
    }

    @Test("a refusal of a header that proves nothing is no proof")
    func noProof() {
        #expect(PeerProof(.aheadOfClock(height: 1, found: 2, clock: 0)) == nil)
        #expect(PeerProof(.branchTooLong(height: 1)) == nil)
        #expect(PeerProof(.branchChanged(height: 1)) == nil)
        #expect(PeerProof(.unlinked(height: 1)) != nil)
    }

    @Test("a ban holds for every port of a public host, and for one of a private")
    func banScope() {
        var book = book()
        let (open, home) = (Strangers.public4(1), Strangers.ipv4(192, 168))
        for endpoint in [open, home] { _ = book.failed(endpoint, proof, at: .zero, clock: 1) }
        #expect(book.ban(of: PeerEndpoint(open.host, port: 1)) != nil)
        #expect(book.ban(of: PeerEndpoint(home.host, port: 1)) == nil)
        #expect(book.ban(of: home) != nil)
    }

    @Test("a ban ends when it is old, and when a person adds the peer by hand")
    func banEnds() throws {
        let ban = PeerBan(Strangers.public4(1), reason: "a lie", since: 1000)
        let days = Int64(90 * 24 * 3600)
        #expect(book(KeptPeers(bans: [ban]), clock: 1000 + days - 1).allBans == [ban])
        #expect(book(KeptPeers(bans: [ban]), clock: 1000 + days).allBans == [])
        var book = book(KeptPeers(bans: [ban]))
        let changes = try book.add(Strangers.public4(1), .manual)
        #expect(changes.first == .banEnded(Strangers.public4(1)))
        #expect(book.ban(of: Strangers.public4(1)) == nil)
    }

    @Test("a manual peer that lied is banned, but what the person wrote stays")
    func manualLiar() throws {
        var book = book()
        _ = try book.add(Strangers.public4(1), .manual)
        let changes = book.failed(Strangers.public4(1), proof, at: .zero, clock: 1)
        #expect(changes.count == 1)
        #expect(book.record(Strangers.public4(1)) != nil)
        #expect(book.ban(of: Strangers.public4(1)) != nil)
    }

    @Test("criterion 38: a peer keeps its source over serving and restarts")
    func provenance() throws {
        var first = book()
        _ = try first.add(Strangers.public4(1), .dnsSeed)
        let changes = first.served(
            Strangers.public4(1), .dnsSeed, services: Strangers.needed, clock: 77)
        var second = book(kept(changes))
        #expect(second.record(Strangers.public4(1))?.source == .dnsSeed)
        #expect(second.record(Strangers.public4(1))?.served == 77)
        // A list that names it later does not make it another kind.
        _ = try second.add(Strangers.public4(1), .signedList)
        #expect(second.record(Strangers.public4(1))?.source == .dnsSeed)
    }

    @Test("what was kept has to pass as what comes does")
    func keptIsChecked() {
        let kept = KeptPeers(records: [
            PeerRecord(Strangers.ipv4(10, 0), source: .dnsSeed, served: 1),
            PeerRecord(PeerEndpoint(.ipv4(0), port: 0), source: .manual),
            PeerRecord(Strangers.public4(1), source: .dnsSeed, served: 1),
        ])
        #expect(book(kept).all.map(\.endpoint) == [Strangers.public4(1)])
    }

    @Test("nothing grows without a bound")
    func bounds() {
        var limits = AddressBook.Limits()
        limits.candidates = 5
        limits.saved = 4
        limits.manual = 3
        limits.bans = 6
        limits.rests = 8
        var book = book(limits: limits)
        var changes: [PeerChange] = []
        for number in 0..<50 {
            _ = try? book.add(Strangers.public4(number), .dnsSeed)
            _ = try? book.add(Strangers.public4(number + 50), .signedList)
            changes += (try? book.add(Strangers.public4(number + 100), .manual)) ?? []
        }
        #expect(book.all.count == 5 + 5 + 3)
        for number in 0..<50 {
            changes += book.served(
                Strangers.public4(number + 200), .dnsSeed, services: [], clock: Int64(number))
        }
        #expect(book.all.count { $0.served != nil } == 4)
        #expect(book.all.compactMap(\.served).min() == 46)
        for number in 0..<50 {
            changes += book.failed(
                Strangers.public4(number + 300), proof, at: .zero, clock: Int64(number))
        }
        #expect(book.allBans.count == 6)
        #expect(book.allBans.map(\.since).min() == 44)
        let stored = kept(changes)
        #expect(Set(stored.bans) == Set(book.allBans))
        #expect(stored.records.count == 7)
    }

    @Test("forgetting leaves what was added by hand")
    func forget() throws {
        var book = book()
        _ = try book.add(Strangers.public4(1), .manual)
        _ = book.served(Strangers.public4(2), .dnsSeed, services: [], clock: 1)
        _ = book.failed(Strangers.public4(3), proof, at: .zero, clock: 1)
        #expect(book.forget() == [.forgotten])
        #expect(book.all.map(\.endpoint) == [Strangers.public4(1)])
        #expect(book.allBans.isEmpty)
    }
}
