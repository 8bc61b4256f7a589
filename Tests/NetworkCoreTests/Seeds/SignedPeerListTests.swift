import Chain
import PeerMessages
import TestSupport
import Testing
import Wire

@testable import NetworkCore

@Suite("Signed lists of peers")
struct SignedPeerListTests {
    private let publisher = Publisher(1)
    private let mainnet = ChainParameters(.mainnet)
    /// 2026-11-30, some seconds after noon.
    private let clock: Int64 = 1_796_040_005

    private func lines(
        network: String = "mainnet", date: String = "2026-11-30", height: String = "925000",
        peers: [PeerEndpoint]? = nil
    ) -> [String] {
        let all = peers ?? (0..<60).map { Strangers.public4($0) }
        return ["bulkhead-peer-list 1", "network \(network)", "date \(date)", "height \(height)"]
            + all.map { "peer \($0)" }
    }

    private func read(
        _ file: [UInt8], trusted: Set<Bytes32>? = nil, clock: Int64? = nil, tip: Int? = 925_000
    ) throws(SignedListError) -> SignedPeerList {
        try SignedPeerList(
            file, for: mainnet, trusted: trusted ?? [publisher.key], clock: clock ?? self.clock,
            tip: tip)
    }

    private func refusal(_ file: [UInt8], tip: Int? = 925_000) -> SignedListError? {
        thrown(SignedListError.self) { try read(file, tip: tip) }
    }

    @Test("a list is read")
    func honest() throws {
        let overlays = (1...3).map { Strangers.tor($0) } + (1...3).map { Strangers.i2p($0) }
        let peers = (0..<50).map { Strangers.public4($0) } + overlays
        let list = try read(publisher.list(lines(peers: peers)))
        #expect(list.peers == peers)
        #expect(list.height == 925_000)
        #expect(Int64(list.day) == clock / 86400)
    }

    @Test("criterion 40: no signature, an unknown key, an altered byte and no trust are refused")
    func signatures() {
        let file = publisher.list(lines())
        let unsigned = Array(lines().map { $0 + "\n" }.joined().utf8)
        #expect(refusal(unsigned) == .noSignature)
        #expect(refusal(Array(file.dropLast())) == .noSignature)
        #expect(refusal(Publisher(2).list(lines())) == .unknownKey(Publisher(2).key))
        #expect(thrown(SignedListError.self) { try read(file, trusted: []) } == .noKeys)
        // Another key in the line than the one that signed.
        let renamed = String(decoding: file, as: UTF8.self)
            .replacing("\(publisher.key)", with: "\(Publisher(2).key)")
        let error = thrown(SignedListError.self) {
            try read(Array(renamed.utf8), trusted: [publisher.key, Publisher(2).key])
        }
        #expect(error == .wrongSignature)
        for place in stride(from: 0, to: file.count, by: 7) {
            var changed = file
            changed[place] ^= 1
            #expect(refusal(changed) != nil, "byte \(place)")
        }
    }

    @Test("every cut of a list is refused")
    func cuts() {
        let file = publisher.list(lines())
        for count in stride(from: 0, to: file.count, by: 11) {
            #expect(refusal(Array(file[..<count])) != nil)
        }
    }

    @Test("criterion 40: a list of tomorrow, or of eight days ago, is refused")
    func age() throws {
        #expect(
            refusal(publisher.list(lines(date: "2026-12-01"))) == .fromTheFuture("2026-12-01"))
        #expect(refusal(publisher.list(lines(date: "2026-11-22"))) == .tooOld("2026-11-22"))
        #expect(try read(publisher.list(lines(date: "2026-11-23"))).peers.count == 60)
        // A clock that is years behind is told apart from an old list.
        let behind = thrown(SignedListError.self) { try read(publisher.list(lines()), clock: 0) }
        #expect(behind == .fromTheFuture("2026-11-30"))
        #expect(throws: SignedListError.self) { try read(publisher.list(lines()), clock: .min) }
        #expect(throws: SignedListError.self) { try read(publisher.list(lines()), clock: .max) }
    }

    @Test("criterion 40: a height more than 100 from our own is refused, where ours is known")
    func height() throws {
        let file = publisher.list(lines())
        for tip in [924_900, 925_100] { #expect(try read(file, tip: tip).height == 925_000) }
        #expect(refusal(file, tip: 924_899) == .otherHeight(found: 925_000, ours: 924_899))
        #expect(refusal(file, tip: 925_101) == .otherHeight(found: 925_000, ours: 925_101))
        #expect(refusal(file, tip: nil) == nil)
        for text in ["0", "-1", "2147483648", "x", ""] {
            #expect(refusal(publisher.list(lines(height: text)), tip: nil) == .line(4))
        }
    }

    @Test("criterion 40: too few peers, two of one netblock and one twice are refused")
    func peers() {
        let few = (0..<49).map { Strangers.public4($0) }
        #expect(refusal(publisher.list(lines(peers: few))) == .tooFew(49))
        let many = (0..<60).map { Strangers.public4($0) }
        let near = Strangers.ipv4(20, 5, 77, 77)
        #expect(refusal(publisher.list(lines(peers: many + [near]))) == .sameNetblock(near))
        #expect(refusal(publisher.list(lines(peers: many + [many[3]]))) == .twice(many[3]))
        let services = (0...2000).map { Strangers.tor(UInt64($0)) }
        #expect(refusal(publisher.list(lines(peers: services))) == .tooMany(.tor))
    }

    @Test("peers that nobody could reach, other texts and other lines are refused")
    func forms() {
        let many = lines()
        for line in [
            "peer 10.0.0.1:8333", "peer 20.200.1.1", "peer example.com:8333", "peer ", "peer",
            "Peer 99.1.1.1:8333", "99.1.1.1:8333", "peer 99.1.1.1:8333 ", "",
            "peer " + String(repeating: "9", count: 200), "peer 99.1.1.1:8333\u{7F}",
        ] {
            #expect(refusal(publisher.list(many + [line])) == .line(many.count + 1), "\(line)")
        }
        var other = many
        other[0] = "bulkhead-peer-list 2"
        #expect(refusal(publisher.list(other)) == .line(1))
        for date in [
            "2026-13-01", "2026-02-29", "2026-00-10", "26-11-30", "2026-11-30 ", "+026-11-30",
        ] {
            #expect(refusal(publisher.list(lines(date: date))) == .line(3), "\(date)")
        }
    }

    @Test("criterion 76: a list for another network is refused, and none is taken on one's own")
    func networks() {
        #expect(refusal(publisher.list(lines(network: "signet"))) == .otherNetwork("signet"))
        let own = ChainParameters(signetChallenge: .init([0x51]))
        let error = thrown(SignedListError.self) {
            try SignedPeerList(
                publisher.list(lines(network: "signet")), for: own, trusted: [publisher.key],
                clock: clock, tip: nil)
        }
        #expect(error == .otherNetwork("signet"))
    }

    @Test("a file of megabytes is refused before it is looked at")
    func tooLong() {
        let huge = [UInt8](repeating: 0x0A, count: SignedPeerList.longest + 1)
        #expect(refusal(huge) == .tooLong(huge.count))
    }

    @Test("days are counted right")
    func days() {
        let known = [
            "1970-01-01": 0, "1970-12-31": 364, "2000-02-29": 11016, "2000-03-01": 11017,
            "2026-11-30": 20787, "2100-03-01": 47541,
        ]
        for (text, day) in known { #expect(SignedPeerList.day(text) == day, "\(text)") }
        #expect(SignedPeerList.day("2100-02-29") == nil)
        #expect(SignedPeerList.day("1969-12-31") == nil)
    }

    // MARK: In the pool

    private func world(_ kept: KeptPeers = KeptPeers()) -> PoolWorld {
        var world = PoolWorld(kept: kept, publishers: [publisher.key], seeds: [], clock: clock)
        for number in 0..<60 {
            world.conducts[Strangers.public4(number)] = .serves(Strangers.version())
        }
        return world
    }

    @Test("a list gives candidates, at most two of three seats, and is kept as it came")
    func inThePool() throws {
        var world = world()
        world.start()
        let file = publisher.list(lines())
        world.run(try world.pool.take(list: file, isCurrent: false, at: world.now))
        world.pass(.seconds(60))
        #expect(world.endpoints.count == 2)
        #expect(world.pool.seated.allSatisfy { $0.source == .signedList })
        #expect(world.kept.signedList == file)
    }

    @Test("criterion 40: a list that is refused leaves the one before")
    func refusedInThePool() throws {
        var world = world()
        world.start()
        _ = try world.pool.take(list: publisher.list(lines()), isCurrent: false, at: .zero)
        let before = world.pool.book.all
        for file in [Publisher(2).list(lines()), publisher.list(lines(date: "2026-01-01"))] {
            #expect(throws: SignedListError.self) {
                try world.pool.take(list: file, isCurrent: false, at: .zero)
            }
        }
        world.pool.height = 100
        #expect(throws: SignedListError.otherHeight(found: 925_000, ours: 100)) {
            try world.pool.take(list: publisher.list(lines()), isCurrent: true, at: .zero)
        }
        let onions = (0..<50).map { Strangers.tor($0) }
        #expect(throws: SignedListError.nothingReachable) {
            try world.pool.take(
                list: publisher.list(lines(peers: onions)), isCurrent: false, at: .zero)
        }
        #expect(world.pool.book.all == before && before.count == 60)
    }

    @Test("criterion 41: a list that was kept is checked again at every start")
    func restart() {
        var good = world(KeptPeers(signedList: publisher.list(lines())))
        good.start()
        #expect(good.pool.book.all.count == 60)
        var altered = publisher.list(lines())
        altered[100] ^= 1
        var bad = world(KeptPeers(signedList: altered))
        bad.start()
        #expect(bad.pool.book.all.isEmpty)
        #expect(bad.notes == [.listRefused(.wrongSignature)])
        var old = world(KeptPeers(signedList: publisher.list(lines(date: "2026-11-01"))))
        old.start()
        #expect(old.pool.book.all.isEmpty)
        #expect(old.notes == [.listRefused(.tooOld("2026-11-01"))])
    }
}
