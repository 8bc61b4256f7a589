import Bitcoin
import Chain
import PeerMessages
import Testing
import Wire

@testable import NetworkCore

@Suite("Sessions with peers")
struct PeerSessionTests {
    private func session(throughGateway: Bool = false) -> PeerSession {
        PeerSession(
            PeerSession.Introduction(nonce: 7, ownNonces: [8]), throughGateway: throughGateway,
            at: .zero)
    }

    /// A session that has introduced itself.
    private func ready(_ version: VersionMessage = Strangers.version()) -> PeerSession {
        var session = session()
        _ = session.received(.version(version), at: .zero)
        _ = session.received(.wtxidrelay, at: .zero)
        _ = session.received(.verack, at: .zero)
        #expect(session.isReady)
        return session
    }

    // MARK: Introduction

    @Test("the introduction asks for wtxids, addrv2 and headers in the order of the protocol")
    func introduction() {
        var session = session()
        let opening = session.opening(height: 900_000, clock: 5)
        guard case .send(.version(let version))? = opening.first else {
            Issue.record("no version")
            return
        }
        #expect(version.startHeight == 900_000 && version.services == [] && version.relay)
        #expect(
            session.received(.version(Strangers.version()), at: .zero) == [
                .send(.wtxidrelay), .send(.sendaddrv2), .send(.verack),
            ])
        #expect(session.received(.wtxidrelay, at: .zero) == [])
        #expect(session.received(.sendaddrv2, at: .zero) == [])
        #expect(session.received(.verack, at: .zero) == [.send(.sendheaders), .ready])
        #expect(session.usesWtxid)
    }

    @Test("an older peer is not asked for wtxids")
    func olderPeer() {
        var session = session()
        let actions = session.received(.version(Strangers.version(version: 70_015)), at: .zero)
        #expect(actions == [.send(.sendaddrv2), .send(.verack)])
        _ = session.received(.wtxidrelay, at: .zero)
        #expect(!session.usesWtxid)
    }

    @Test("criterion 30: a peer without filters, all blocks or witnesses is never ready")
    func services() {
        let lacking: [PeerServices] = [
            [], [.network, .witness], [.network, .compactFilters], [.witness, .compactFilters],
            [.networkLimited, .witness, .compactFilters], PeerServices(rawValue: 0x409),
        ]
        for services in lacking {
            var session = session()
            let missing = Strangers.needed.subtracting(services)
            #expect(
                session.received(.version(Strangers.version(services)), at: .zero)
                    == [.end(.unsuitable(.services(missing: missing)))])
            #expect(session.received(.verack, at: .zero) == [])
            #expect(!session.isReady)
        }
    }

    @Test("a peer of an old version of the protocol is let go")
    func oldVersion() {
        for version: Int32 in [.min, -1, 0, 70_012] {
            var session = session()
            #expect(
                session.received(.version(Strangers.version(version: version)), at: .zero)
                    == [.end(.unsuitable(.version(version)))])
        }
    }

    @Test("a connection to this program itself is found by the number of any of its connections")
    func selfConnection() {
        for nonce: UInt64 in [7, 8] {
            var session = session()
            #expect(
                session.received(.version(Strangers.version(nonce: nonce)), at: .zero)
                    == [.end(.unsuitable(.isSelf))])
        }
    }

    @Test("a second introduction before the first was accepted is bad manners")
    func secondVersion() {
        var session = session()
        _ = session.received(.version(Strangers.version()), at: .zero)
        #expect(
            session.received(.version(Strangers.version()), at: .zero)
                == [.end(.misconduct(.handshake))])
    }

    @Test("what comes before the introduction is passed over, and nothing is asked")
    func before() {
        var session = session()
        for message in [.verack, .inv([]), .getheaders(GetHeaders(locator: []))] as [PeerMessage] {
            #expect(session.received(message, at: .zero) == [])
        }
        #expect(session.send(.getheaders(GetHeaders(locator: [])), at: .zero) == [])
    }

    @Test("the introduction has a deadline, a longer one through a gateway")
    func handshakeDeadline() {
        for (isGateway, seconds) in [(false, 30), (true, 60)] {
            var session = session(throughGateway: isGateway)
            _ = session.received(.version(Strangers.version()), at: .seconds(1))
            let deadline = Duration.seconds(seconds)
            #expect(session.nextDeadline == deadline)
            #expect(session.time(random: 1, at: deadline - .milliseconds(1)) == [])
            #expect(
                session.time(random: 1, at: deadline) == [.end(.transport(.handshakeTimedOut))])
        }
    }

    // MARK: Signs of life

    @Test("a ping is answered, and ours are sent every minute")
    func pings() {
        var session = ready()
        #expect(session.received(.ping(nonce: 5), at: .zero) == [.send(.pong(nonce: 5))])
        #expect(session.time(random: 9, at: .seconds(60)) == [.send(.ping(nonce: 9))])
        #expect(session.received(.pong(nonce: 8), at: .seconds(61)) == [])
        #expect(session.roundTrip == nil)
        _ = session.received(.pong(nonce: 9), at: .seconds(62))
        #expect(session.roundTrip == .seconds(2))
    }

    @Test("criterion 31: a peer silent for 150 s is dropped, a slow one that talks is not")
    func idle() {
        var silent = ready()
        var slow = ready()
        for second in 1..<1000 {
            let now = Duration.seconds(second)
            _ = slow.received(bytes: 1, at: now)
            #expect(!slow.time(random: 1, at: now).contains(.end(.transport(.idle))))
            let actions = silent.time(random: 1, at: now)
            #expect(actions.contains(.end(.transport(.idle))) == (second == 150))
        }
        #expect(slow.isReady)
    }

    @Test("a question without enough bytes in time ends the connection, which proves nothing")
    func stalled() {
        let question = PeerMessage.getdata([InventoryItem(.witnessBlock, Strangers.bytes(1))])
        var dripping = ready()
        var slow = ready()
        _ = dripping.send(question, at: .zero)
        _ = slow.send(question, at: .zero)
        var ended: Int?
        for second in 1...1000 {
            let now = Duration.seconds(second)
            _ = dripping.received(bytes: 1, at: now)
            if dripping.time(random: 1, at: now).contains(.end(.transport(.stalled))) {
                ended = second
            }
            // 3 kB a second need minutes for a block.
            _ = slow.received(bytes: 3000, at: now)
            _ = slow.time(random: 1, at: now)
        }
        #expect(ended == 120)
        #expect(slow.isReady)
    }

    @Test("bug 15: messages that answer nothing do not count for the question that is open")
    func unrelated() {
        var session = ready()
        _ = session.send(.getcfheaders(FilterRange(start: 0, stop: hash(1))), at: .zero)
        var ended = false
        for second in 1...130 {
            let now = Duration.seconds(second)
            _ = session.received(bytes: 32, at: now)
            _ = session.received(.ping(nonce: 1), at: now)
            if session.time(random: 1, at: now).contains(.end(.transport(.stalled))) {
                ended = true
            }
        }
        #expect(ended)
    }

    // MARK: Answers

    private func hash(_ number: UInt64) -> BlockHash { BlockHash(Strangers.bytes(number)) }

    @Test("criterion 32: a late answer is not one to the next question of its kind")
    func lateAnswers() {
        var session = ready()
        let early = PeerMessage.cfheaders(
            FilterHashes(stop: hash(1), previous: FilterHeader(.zero), hashes: []))
        let asked = PeerMessage.cfheaders(
            FilterHashes(stop: hash(2), previous: FilterHeader(.zero), hashes: []))
        #expect(session.received(early, at: .zero) == [])
        _ = session.send(.getcfheaders(FilterRange(start: 0, stop: hash(2))), at: .zero)
        #expect(session.received(early, at: .zero) == [])
        #expect(session.received(asked, at: .zero) == [.deliver(asked, asked: true)])
        #expect(session.received(asked, at: .zero) == [])

        let checkpoints = PeerMessage.cfcheckpt(CheckpointAnswer(stop: hash(3), headers: []))
        #expect(session.received(checkpoints, at: .zero) == [])
        _ = session.send(.getcfcheckpt(CheckpointRequest(stop: hash(3))), at: .zero)
        #expect(session.received(checkpoints, at: .zero) == [.deliver(checkpoints, asked: true)])
    }

    @Test("no more filters are taken than were asked for")
    func filters() {
        var session = ready()
        let filter = PeerMessage.cfilter(FilterAnswer(block: hash(1), filter: [0]))
        #expect(session.received(filter, at: .zero) == [])
        _ = session.send(.getcfilters(FilterRange(start: 0, stop: hash(1))), replies: 3, at: .zero)
        for _ in 0..<3 {
            #expect(session.received(filter, at: .zero) == [.deliver(filter, asked: true)])
        }
        #expect(session.received(filter, at: .zero) == [])
    }

    @Test("blocks and transactions that nobody asked for are not passed on")
    func unasked() {
        var session = ready()
        let block = Block(header: Network.regtest.genesis, transactions: [])
        let transaction = Strangers.transaction(1)
        #expect(session.received(.block(block), at: .zero) == [])
        #expect(session.received(.tx(transaction), at: .zero) == [])
        let items = [
            InventoryItem(.witnessBlock, block.header.hash.bytes),
            InventoryItem(.witnessTransactionID, transaction.wtxid.bytes),
        ]
        _ = session.send(.getdata(items), at: .zero)
        #expect(
            session.received(.tx(Strangers.transaction(2)), at: .zero) == [])
        #expect(
            session.received(.tx(transaction), at: .zero) == [
                .deliver(.tx(transaction), asked: true)
            ]
        )
        #expect(
            session.received(.block(block), at: .zero) == [.deliver(.block(block), asked: true)])
        #expect(session.received(.block(block), at: .zero) == [])
    }

    @Test("bug 9: what a peer says it has not is passed on once, the rest of the list is not")
    func notFound() {
        var session = ready()
        let asked = InventoryItem(.witnessBlock, Strangers.bytes(1))
        _ = session.send(.getdata([asked]), at: .zero)
        let items = [InventoryItem(.witnessBlock, Strangers.bytes(2)), asked, asked]
        #expect(
            session.received(.notfound(items), at: .zero)
                == [.deliver(.notfound([asked]), asked: true)])
        #expect(session.received(.notfound(items), at: .zero) == [])
    }

    @Test("headers come unasked too")
    func headers() {
        var session = ready()
        #expect(session.received(.headers([]), at: .zero) == [.deliver(.headers([]), asked: false)])
        _ = session.send(.getheaders(GetHeaders(locator: [])), at: .zero)
        #expect(session.received(.headers([]), at: .zero) == [.deliver(.headers([]), asked: true)])
    }

    // MARK: Quotas

    @Test("criterion 29: lists of 50,000 entries cost one pass and are cut to what can matter")
    func longLists() {
        var session = ready()
        let same = [InventoryItem](
            repeating: InventoryItem(.witnessTransactionID, Strangers.bytes(1)), count: 50_000)
        #expect(
            session.received(.getdata(same), at: .zero)
                == [.deliver(.getdata([same[0]]), asked: false)])
        let different = (0..<50_000).map {
            InventoryItem(.witnessTransactionID, Strangers.bytes($0))
        }
        guard
            case .deliver(.getdata(let items), asked: false)? =
                session.received(.getdata(different), at: .zero).first
        else {
            Issue.record("nothing was passed on")
            return
        }
        #expect(items.count == 1000)
        #expect(session.received(.notfound(different), at: .zero) == [])
    }

    @Test(
        "floods end the connection, whatever they are of",
        arguments: [
            .ping(nonce: 1), .pong(nonce: 1), .feefilter(1), .inv([]), .getdata([]), .notfound([]),
            .addr([]), .addrv2([]), .getaddr, .headers([]), .sendheaders, .verack,
            .version(Strangers.version()), .getheaders(GetHeaders(locator: [])),
            .cfilter(FilterAnswer(block: BlockHash(.zero), filter: [])),
            .cfcheckpt(CheckpointAnswer(stop: BlockHash(.zero), headers: [])),
        ] as [PeerMessage])
    func floods(message: PeerMessage) {
        var session = ready()
        var count = 0
        while count < 3000, session.isReady {
            _ = session.received(message, at: .zero)
            count += 1
        }
        #expect(count < 2500)
        #expect(session.received(message, at: .zero) == [])
    }

    @Test("a peer that sends as much as honest ones do stays")
    func honestRates() {
        var session = ready()
        for second in 1...7200 {
            let now = Duration.seconds(second)
            _ = session.received(bytes: 100, at: now)
            _ = session.received(.inv([InventoryItem(.block, .zero)]), at: now)
            if second % 30 == 0 { _ = session.received(.ping(nonce: 1), at: now) }
            if second % 60 == 0 { _ = session.received(.headers([]), at: now) }
            if second % 300 == 0 { _ = session.received(.feefilter(1000), at: now) }
            _ = session.time(random: 1, at: now)
        }
        #expect(session.isReady)
    }

    @Test("criterion 28: megabytes that nobody asked for end the connection")
    func uselessBytes() {
        var session = ready()
        var bytes = 0
        while session.isReady, bytes < 1 << 30 {
            _ = session.received(bytes: 4_000_000, skipped: 4_000_000, at: .zero)
            bytes += 4_000_000
        }
        #expect(bytes <= 20_000_000)
    }

    @Test("after its end a session says nothing more")
    func ended() {
        var session = ready()
        #expect(session.received(bytes: 1, skipped: 17 << 20, at: .zero).count == 1)
        #expect(session.received(.ping(nonce: 1), at: .zero) == [])
        #expect(session.time(random: 1, at: .seconds(1000)) == [])
        #expect(session.send(.ping(nonce: 1), at: .zero) == [])
        #expect(session.nextDeadline == nil)
    }
}
