import Bitcoin
import Chain
import NetworkCore
import PeerMessages
import Testing
import Wire

@Suite("Synchronisation of headers")
struct HeaderSyncTests {
    /// What a peer does with a question.
    enum Conduct {
        case serves(ScriptedNode)
        case says([BlockHeader])
        case isSilent
        /// Answers with one header, however many there are.
        case drips(ScriptedNode)
        /// Leaves at its nth answer.
        case leaves(ScriptedNode, after: Int)
    }

    /// A synchronisation with its peers, run until nobody has anything to say.
    struct World {
        var sync: HeaderSync
        var conducts: [PeerID: Conduct] = [:]
        var now = Duration.zero
        var clock = Int64.max
        var asked: [PeerID] = []
        var changes: [ChainChange] = []
        var faults: [PeerID: HeaderRefusal] = [:]
        var rests: [PeerID: HeaderSync.RestReason] = [:]
        private var answers: [PeerID: Int] = [:]

        init(_ parameters: ChainParameters = ChainParameters(.regtest)) {
            sync = HeaderSync(HeaderChain(parameters))
        }

        mutating func connect(_ number: UInt64, _ conduct: Conduct) {
            let id = PeerID(number)
            conducts[id] = conduct
            run(sync.connected(id, at: now))
        }

        mutating func run(_ actions: [HeaderSync.Action]) {
            var queue = actions
            while !queue.isEmpty {
                switch queue.removeFirst() {
                case .ask(let id, let question):
                    asked.append(id)
                    #expect(asked.count < 500, "the questions do not end")
                    guard asked.count < 500 else { return }
                    queue += answer(id, question)
                case .changed(let change): changes.append(change)
                case .fault(let id, let refusal):
                    #expect(refusal.isFaultOfPeer)
                    faults[id] = refusal
                    conducts[id] = nil
                case .rest(let id, let reason):
                    rests[id] = reason
                    conducts[id] = nil
                    queue += sync.disconnected(id, at: now)
                }
            }
        }

        private mutating func answer(_ id: PeerID, _ question: GetHeaders) -> [HeaderSync.Action] {
            answers[id, default: 0] += 1
            switch conducts[id] {
            case .serves(let node):
                return sync.received(node.answer(question), from: id, at: now, clock: clock)
            case .says(let headers):
                return sync.received(headers, from: id, at: now, clock: clock)
            case .leaves(let node, let count):
                guard answers[id] == count else {
                    return sync.received(node.answer(question), from: id, at: now, clock: clock)
                }
                conducts[id] = nil
                return sync.disconnected(id, at: now)
            case .drips(let node):
                let part = Array(node.answer(question).prefix(1))
                return sync.received(part, from: id, at: now, clock: clock)
            case .isSilent, nil: return []
            }
        }

        /// Lets time pass until everything has been tried.
        mutating func wait(_ duration: Duration) {
            let end = now + duration
            while let deadline = sync.nextDeadline, deadline <= end {
                now = max(deadline, now)
                run(sync.time(at: now))
            }
            now = end
        }
    }

    private let first = PeerID(1)
    private let second = PeerID(2)
    private let third = PeerID(3)

    @Test(
        "Chains whose lengths lie around the size of a message",
        arguments: [0, 1, 1_999, 2_000, 2_001, 4_000, 4_001])
    func lengths(count: Int) {
        var world = World()
        world.connect(1, .serves(ScriptedNode(ScriptedNode.mine(count))))
        #expect(world.sync.chain.height == count)
        #expect(world.sync.phase == .current(height: count))
        #expect(world.asked.count == count / 2_000 + 1)
    }

    @Test("A peer that has nothing, says nothing or lags behind does not hold the chain back")
    func heldBack() {
        let headers = ScriptedNode.mine(3_000)
        var world = World()
        world.connect(1, .says([]))
        world.connect(2, .isSilent)
        world.connect(3, .serves(ScriptedNode(Array(headers[..<50]))))
        world.connect(4, .serves(ScriptedNode(headers)))
        world.wait(.seconds(31))
        #expect(world.sync.chain.height == 3_000)
        #expect(world.rests == [second: .silent])
        #expect(world.faults.isEmpty)
        #expect(world.sync.phase == .current(height: 3_000))
    }

    @Test("bug 8: a peer that sends one header at a time holds nobody up, and is not blamed")
    func drips() {
        let headers = ScriptedNode.mine(3_000)
        var world = World()
        world.connect(1, .drips(ScriptedNode(headers)))
        world.connect(2, .serves(ScriptedNode(headers)))
        #expect(world.sync.chain.height == 3_000)
        #expect(world.asked.count < 10)
        #expect(world.faults.isEmpty && world.rests.isEmpty)
    }

    @Test("The chain with the most work wins, whoever comes first and however long the others are")
    func mostWork() {
        let long = ScriptedNode.mine(5_000)
        let fork = ScriptedNode.mine(2_500, after: long[2_905], branch: 1)
        for order in [[long, fork], [fork, long]] {
            let other = Array(long[..<2_906]) + fork
            let nodes = order[0] == long ? [long, other] : [other, long]
            var world = World()
            world.connect(1, .serves(ScriptedNode(nodes[0])))
            world.connect(2, .serves(ScriptedNode(nodes[1])))
            #expect(world.sync.chain.height == 5_406)
            #expect(world.sync.chain.tip.hash == fork[2_499].hash)
            #expect(world.faults.isEmpty && world.rests.isEmpty)
        }
    }

    @Test("A fork far below is found though the locator jumps over it by more than a message")
    func deepFork() {
        let long = ScriptedNode.mine(7_000)
        // Between two hashes of a locator from 7,000, more than 2,000 headers apart.
        let fork = ScriptedNode.mine(4_500, after: long[2_800], branch: 1)
        var world = World()
        world.connect(1, .serves(ScriptedNode(long)))
        world.connect(2, .serves(ScriptedNode(Array(long[...2_800]) + fork)))
        #expect(world.sync.chain.tip.hash == fork[4_499].hash)
        #expect(world.changes.last?.fork == 2_801)
        #expect(world.changes.last?.disconnected == 4_199)
    }

    @Test("Headers that break a rule convict the peer that sent them, and only that one")
    func faults() {
        let headers = ScriptedNode.mine(300)
        var bad = headers
        bad[150].version = 1
        var world = World()
        world.connect(1, .says(Array(bad[..<200])))
        world.connect(2, .serves(ScriptedNode(headers)))
        #expect(Array(world.faults.keys) == [first])
        #expect(world.sync.chain.height == 300)
    }

    @Test("A clock that is behind is a notice and no fault, and headers follow when it is set")
    func clock() {
        let headers = ScriptedNode.mine(100)
        for behind: Int64 in [3 * 3_600, 10 * 31_557_600] {
            var world = World()
            world.clock = Int64(headers[99].time) - behind
            world.connect(1, .serves(ScriptedNode(headers)))
            world.connect(2, .serves(ScriptedNode(headers)))
            #expect(world.faults.isEmpty && world.rests.isEmpty)
            #expect(world.sync.clockNotice?.clock == world.clock)
            #expect(world.sync.chain.height < 100)
            world.clock = Int64(headers[99].time)
            world.wait(.seconds(61))
            #expect(world.sync.chain.height == 100)
            #expect(world.sync.clockNotice == nil)
        }
    }

    private func costly(_ count: UInt64) -> ChainParameters {
        var parameters = ChainParameters(.regtest)
        parameters.requireWork(UInt256(2 * count))
        return parameters
    }

    @Test("A new instance fetches twice up to the minimum work, and adopts only then")
    func minimumWork() {
        let node = ScriptedNode(ScriptedNode.mine(7_000))
        var world = World(costly(5_000))
        world.connect(1, .serves(node))
        #expect(world.sync.chain.height == 7_000)
        #expect(world.changes.allSatisfy { $0.disconnected == 0 })
        #expect(world.changes.flatMap(\.connected) == node.headers)
        // Three messages show the work, three bring it again, one more brings the rest.
        #expect(world.asked.count == 3 + 3 + 1)
    }

    @Test("Peers that leave in the middle lose nothing: the next goes on")
    func leaving() {
        let node = ScriptedNode(ScriptedNode.mine(9_000))
        var world = World(costly(8_000))
        world.connect(1, .leaves(node, after: 4))
        #expect(world.sync.phase == .waitingForPeers)
        world.connect(2, .leaves(node, after: 4))
        world.connect(3, .serves(node))
        #expect(world.sync.chain.height == 9_000)
        // Five to show 8,000, four to fetch them, one for the rest, two that got no answer.
        #expect(world.asked.count <= 13)
        #expect(world.faults.isEmpty && world.rests.isEmpty)
    }

    @Test("A flood without work is followed, never adopted, and does not stop an honest peer")
    func flood() {
        let honest = ScriptedNode(ScriptedNode.mine(6_000))
        let flood = ScriptedNode(ScriptedNode.mine(5_500, branch: 1))
        var world = World(costly(5_800))
        world.connect(1, .serves(flood))
        #expect(world.sync.chain.height == 0)
        #expect(world.sync.phase == .provingWork(height: 5_500))
        world.connect(2, .serves(honest))
        #expect(world.sync.chain.tip.hash == honest.headers[5_999].hash)
        #expect(world.faults.isEmpty)
    }

    @Test("Who serves other headers the second time is let go, and another peer goes on")
    func switching() {
        let honest = ScriptedNode(ScriptedNode.mine(6_000))
        let cheap = ScriptedNode.mine(2_000, after: honest.headers[1_999], branch: 1)
        var world = World(costly(5_000))
        world.connect(1, .leaves(honest, after: 5))
        #expect(world.sync.chain.height == 2_000)
        world.connect(2, .says(cheap))
        #expect(world.rests[second] == .branch(.branchChanged(height: 4_000)))
        world.connect(3, .serves(honest))
        #expect(world.sync.chain.height == 6_000)
        #expect(world.faults.isEmpty)
    }

    @Test("Announcements by headers and by hash are followed; what follows nothing is asked for")
    func announcements() {
        let headers = ScriptedNode.mine(40)
        var world = World()
        world.connect(1, .serves(ScriptedNode(Array(headers[..<20]))))
        world.run(world.sync.received([headers[20]], from: first, at: world.now, clock: .max))
        #expect(world.sync.chain.height == 21)
        world.conducts[first] = .serves(ScriptedNode(headers))
        world.run(world.sync.announced(headers[30].hash, by: first, at: world.now))
        #expect(world.sync.chain.height == 40)
        let more = ScriptedNode.mine(12, after: headers[39])
        world.conducts[first] = .serves(ScriptedNode(headers + more))
        world.run(world.sync.received([more[11]], from: first, at: world.now, clock: .max))
        #expect(world.sync.chain.height == 52)
        let before = world.asked.count
        world.run(world.sync.announced(more[3].hash, by: first, at: world.now))
        #expect(world.asked.count == before)
    }

    @Test("An announcement that comes while a peer is asked is asked for afterwards")
    func announcementInBetween() {
        let headers = ScriptedNode.mine(30)
        var world = World()
        world.connect(1, .isSilent)
        #expect(world.asked == [first])
        _ = world.sync.announced(headers[29].hash, by: first, at: world.now)
        world.conducts[first] = .serves(ScriptedNode(headers))
        world.run(
            world.sync.received(Array(headers[..<29]), from: first, at: world.now, clock: .max))
        #expect(world.sync.chain.height == 30)
    }

    @Test("Endless headers that follow nothing end in a rest")
    func unconnected() {
        let stray = ScriptedNode.mine(30, branch: 5)
        var world = World()
        world.connect(1, .says([stray[20]]))
        for _ in 0..<20 {
            world.run(world.sync.received([stray[25]], from: first, at: world.now, clock: .max))
        }
        #expect(world.rests[first] == .unconnected)
        #expect(world.faults.isEmpty)
        #expect(world.asked.count < 12)
    }

    @Test("Everybody is asked again after a while, so that a lost announcement is no loss")
    func polling() {
        let headers = ScriptedNode.mine(25)
        var world = World()
        world.connect(1, .serves(ScriptedNode(Array(headers[..<20]))))
        world.connect(2, .serves(ScriptedNode(Array(headers[..<20]))))
        world.conducts[second] = .serves(ScriptedNode(headers))
        world.wait(.seconds(601))
        #expect(world.sync.chain.height == 25)
        #expect(world.sync.phase == .current(height: 25))
    }
}
