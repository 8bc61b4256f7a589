import Bitcoin
import Hashing
import TestSupport
import Testing
import Wire

@testable import Chain
@testable import NetworkCore
@testable import PeerMessages

@Suite("Synchronisation of filter headers")
struct FilterHeaderSyncTests {
    /// The recorded chain with the filters that Bitcoin Core made of it.
    struct Recorded {
        var blocks: [Block] = []
        var filters: [[UInt8]] = []
        var chain = HeaderChain(ChainParameters(.regtest))

        init(_ name: String = "core-regtest") throws {
            var reader = Reader(try Fixture.bytes("chain/\(name).bin"))
            while !reader.isAtEnd {
                blocks.append(try Block(reader.read(Int(reader.readUInt32()))))
                filters.append(try reader.read(Int(reader.readUInt32())))
                _ = try reader.readBytes32()
            }
            guard name == "core-regtest" else { return }
            for block in blocks.dropFirst() { try chain.append(block.header, clock: .max) }
        }

        /// The filter headers that follow from filters.
        static func headers(_ filters: [[UInt8]]) -> [FilterHeader] {
            var last = FilterHeader.beforeGenesis
            return filters.map { filter in
                last = FilterHash(SHA256.doubleHash(filter)).header(after: last)
                return last
            }
        }
    }

    /// A peer: filters, and how it tells of them.
    struct Node {
        let filters: [[UInt8]]
        let hashes: [FilterHash]
        let headers: [FilterHeader]
        var isSilent = false
        /// Names these checkpoints, whatever its filters are.
        var checkpoints: [FilterHeader]?

        init(_ filters: [[UInt8]]) {
            self.filters = filters
            hashes = filters.map { FilterHash(SHA256.doubleHash($0)) }
            headers = Recorded.headers(filters)
        }
    }

    struct World {
        var recorded: Recorded
        var sync = FilterHeaderSync()
        var nodes: [PeerID: Node] = [:]
        var now = Duration.zero
        var questions: [PeerID: Int] = [:]
        var faults: [PeerID: FilterHeaderSync.Fault] = [:]
        var rests: [PeerID: FilterHeaderSync.RestReason] = [:]
        var rewinds: [Int] = []
        var fetched: [BlockHash] = []
        /// Whether blocks that are fetched come.
        var hasBlocks = true

        init(_ recorded: Recorded) { self.recorded = recorded }

        var chain: HeaderChain { recorded.chain }

        mutating func connect(
            _ number: UInt64, _ node: Node, group: UInt32? = nil, source: PeerSource = .dnsSeed
        ) {
            let id = PeerID(number)
            nodes[id] = node
            let host = PeerHost.ipv4((group ?? UInt32(number)) << 16)
            let height = min(chain.height, node.filters.count - 1)
            let kind = PeerKind(group: host.group, source: source)
            run(sync.connected(id, kind: kind, height: height, chain, at: now))
        }

        mutating func run(_ actions: [FilterHeaderSync.Action]) {
            var queue = actions
            var steps = 0
            while !queue.isEmpty {
                steps += 1
                #expect(steps < 500, "the actions do not end")
                guard steps < 500 else { return }
                switch queue.removeFirst() {
                case .ask(let id, let question):
                    questions[id, default: 0] += 1
                    queue += answer(question, from: id)
                case .fetchBlock(let hash):
                    fetched.append(hash)
                    if hasBlocks,
                        let block = recorded.blocks.first(where: { $0.header.hash == hash })
                    {
                        queue += sync.received(block, chain, at: now)
                    }
                case .extended(let height): #expect(height == sync.filters.height || !queue.isEmpty)
                case .rewound(let height): rewinds.append(height)
                case .fault(let id, let fault):
                    faults[id] = fault
                    nodes[id] = nil
                case .rest(let id, let reason):
                    rests[id] = reason
                    nodes[id] = nil
                }
            }
        }

        private mutating func answer(
            _ question: PeerMessage, from id: PeerID
        ) -> [FilterHeaderSync.Action] {
            guard let node = nodes[id], !node.isSilent else { return [] }
            switch question {
            case .getcfcheckpt(let request):
                guard let height = chain.height(of: request.stop) else { return [] }
                let own = stride(from: 1_000, through: height, by: 1_000).map { node.headers[$0] }
                let answer = CheckpointAnswer(
                    stop: request.stop, headers: node.checkpoints ?? own)
                return sync.received(answer, from: id, chain, at: now)
            case .getcfheaders(let range):
                guard let height = chain.height(of: range.stop) else { return [] }
                let start = Int(range.start)
                #expect(start <= height && height - start < 2_000)
                #expect(height < node.filters.count, "asked for a block that it does not know")
                let answer = FilterHashes(
                    stop: range.stop,
                    previous: start == 0 ? .beforeGenesis : node.headers[start - 1],
                    hashes: Array(node.hashes[start...height]))
                return sync.received(answer, from: id, chain, at: now)
            case .getcfilters(let range):
                let filter = node.filters[Int(range.start)]
                let answer = FilterAnswer(block: range.stop, filter: filter)
                return sync.received(answer, from: id, chain, at: now)
            default:
                Issue.record("asked \(question.kind)")
                return []
            }
        }

        mutating func wait(_ duration: Duration) {
            now += duration
            run(sync.time(chain, at: now))
        }
    }

    private static let recorded = Result { try Recorded() }

    func world() throws -> World { World(try Self.recorded.get()) }

    /// The filters with one that leaves out everything.
    func lying(_ world: World, at height: Int) -> Node {
        var filters = world.recorded.filters
        filters[height] = [0]
        return Node(filters)
    }

    func expectTruth(_ world: World) {
        let truth = Recorded.headers(world.recorded.filters)
        #expect(world.sync.filters.height == 2_033)
        #expect(world.sync.filters.tip == truth[2_033])
        for height in [0, 1, 999, 1_000, 1_500, 2_000, 2_020] {
            #expect(world.sync.filters.header(at: height) == truth[height])
        }
        #expect(world.sync.phase(world.chain) == .current(height: 2_033))
    }

    @Test("Honest peers bring every filter header, between checkpoints from one of them only")
    func honest() throws {
        var world = try world()
        let node = Node(world.recorded.filters)
        #expect(world.sync.phase(world.chain) == .waitingForPeers)
        world.connect(1, node)
        expectTruth(world)
        for number in 2...3 as ClosedRange<UInt64> { world.connect(number, node) }
        expectTruth(world)
        #expect(world.faults.isEmpty && world.rests.isEmpty && world.fetched.isEmpty)
        #expect(world.questions == [PeerID(1): 4, PeerID(2): 2, PeerID(3): 2])
    }

    @Test(
        "A lie is found wherever it lies, and only the liar is accused",
        arguments: [1, 700, 1_000, 1_001, 1_500, 2_000, 2_001, 2_033])
    func lies(height: Int) throws {
        for order in [[true, false, false], [false, true, false], [true, true, false]] {
            var world = try world()
            for (place, isLie) in order.enumerated() {
                let node = isLie ? lying(world, at: height) : Node(world.recorded.filters)
                world.connect(UInt64(place + 1), node)
            }
            expectTruth(world)
            let liars = order.indices.filter { order[$0] }.map { PeerID(UInt64($0 + 1)) }
            #expect(Set(world.faults.keys) == Set(liars), "\(order) \(world.faults)")
            #expect(world.rests.isEmpty)
        }
    }

    @Test("What all peers lied about is taken back once an honest one comes")
    func poisoned() throws {
        var world = try world()
        world.connect(1, lying(world, at: 400))
        world.connect(2, lying(world, at: 400))
        let lie = Recorded.headers(lying(world, at: 400).filters)
        #expect(world.sync.filters.tip == lie[2_033])
        world.connect(3, Node(world.recorded.filters))
        #expect(world.rewinds == [399])
        #expect(Set(world.fetched) == [world.recorded.blocks[400].header.hash])
        #expect(Set(world.faults.keys) == [PeerID(1), PeerID(2)])
        expectTruth(world)
    }

    @Test("Who never said what was held is not accused of it, whoever comes in which order")
    func innocent() throws {
        var world = try world()
        world.connect(1, lying(world, at: 1_400))
        world.run(world.sync.disconnected(PeerID(1), world.chain, at: world.now))
        // Both differ from what is held; the first is asked while the second has said nothing.
        var silent = Node(world.recorded.filters)
        silent.isSilent = true
        world.connect(2, silent)
        world.connect(3, Node(world.recorded.filters))
        world.nodes[PeerID(2)]?.isSilent = false
        world.wait(.seconds(31))
        #expect(world.faults.isEmpty)
        expectTruth(world)
    }

    @Test("A peer that knew little when it came, and differs further up, is heard")
    func lateDifference() throws {
        var world = try world()
        world.connect(1, Node(Array(world.recorded.filters[...1_500])))
        world.connect(2, lying(world, at: 1_700))
        #expect(world.sync.filters.height == 2_033)
        world.nodes[PeerID(1)] = Node(world.recorded.filters)
        world.run(world.sync.knows(PeerID(1), height: 2_033, world.chain, at: world.now))
        world.connect(3, Node(world.recorded.filters))
        #expect(Array(world.faults.keys) == [PeerID(2)])
        expectTruth(world)
    }

    @Test("Checkpoints and hashes of one peer that exclude each other are proof enough")
    func contradiction() throws {
        var world = try world()
        var node = lying(world, at: 300)
        let truth = Recorded.headers(world.recorded.filters)
        node.checkpoints = [truth[1_000], truth[2_000]]
        world.connect(1, node)
        #expect(world.faults == [PeerID(1): .contradiction])
        world.connect(2, Node(world.recorded.filters))
        expectTruth(world)
        var short = Node(world.recorded.filters)
        short.checkpoints = [truth[1_000]]
        world.connect(3, short)
        #expect(world.faults[PeerID(3)] == .wrongLength)
    }

    @Test("criterion 12: checkpoints up to another block are no answer, and the others go on")
    func otherStop() throws {
        var world = try world()
        var silent = Node(world.recorded.filters)
        silent.isSilent = true
        world.connect(1, silent)
        let false0 = CheckpointAnswer(
            stop: world.recorded.blocks[1_500].header.hash,
            headers: Array(Recorded.headers(world.recorded.filters)[1_000...1_000]))
        #expect(world.sync.received(false0, from: PeerID(1), world.chain, at: world.now).isEmpty)
        world.connect(2, Node(world.recorded.filters))
        world.wait(.seconds(31))
        expectTruth(world)
        #expect(world.rests == [PeerID(1): .silent] && world.faults.isEmpty)
    }

    @Test("Silence is no fault, and the others go on")
    func silence() throws {
        var world = try world()
        var silent = Node(world.recorded.filters)
        silent.isSilent = true
        world.connect(1, silent)
        world.connect(2, Node(world.recorded.filters))
        world.wait(.seconds(31))
        expectTruth(world)
        #expect(world.rests == [PeerID(1): .silent] && world.faults.isEmpty)
    }

    @Test("A peer is asked of no block that it has not shown to know, and later of what it learned")
    func heights() throws {
        var world = try world()
        world.connect(1, Node(Array(world.recorded.filters[...1_200])))
        #expect(world.sync.filters.height == 1_200)
        world.nodes[PeerID(1)] = Node(world.recorded.filters)
        world.run(
            world.sync.knows(PeerID(1), height: 2_033, world.chain, at: world.now))
        expectTruth(world)
    }

    /// The filters with one that names another spent script than the block does not show.
    func undecidable(_ world: World) throws -> (height: Int, node: Node) {
        let height = try #require(
            world.recorded.blocks.indices.last {
                world.recorded.blocks[$0].judge(filter: world.recorded.filters[$0]) == .undecided
            })
        let block = world.recorded.blocks[height]
        let certain = Set(block.filteredOutputs).count
        let true0 = try CompactFilter(world.recorded.filters[height]).count
        let other = (0..<true0 - certain).map { Script([0x51, 0x77, UInt8($0)]) }
        var filters = world.recorded.filters
        filters[height] = CompactFilter(block: block, spent: other).bytes
        #expect(block.judge(filter: filters[height]) == .undecided)
        return (height, Node(filters))
    }

    @Test("Where the block does not decide nobody is accused: most groups win, a tie waits")
    func undecided() throws {
        var world = try world()
        let (height, liar) = try undecidable(world)
        world.connect(1, liar)
        world.connect(2, Node(world.recorded.filters))
        #expect(world.rests.count == 2 && world.faults.isEmpty)
        #expect(world.sync.phase(world.chain) == .disputed(height: height))
        world.connect(3, Node(world.recorded.filters))
        world.connect(4, Node(world.recorded.filters))
        world.connect(5, liar)
        expectTruth(world)
        #expect(world.faults.isEmpty)
        #expect(world.rests[PeerID(5)] == .disputed(height: height))
    }

    @Test(
        "criterion 14: two liars of one source do not outvote one honest peer of another",
        arguments: [0, 1, 2])
    func oneSource(seat: Int) throws {
        var world = try world()
        let (height, liar) = try undecidable(world)
        // While this one is waited for, all three come, so that they are asked together.
        var silent = Node(world.recorded.filters)
        silent.isSilent = true
        world.connect(9, silent)
        for number in 0..<3 {
            let honest = Node(world.recorded.filters)
            world.connect(
                UInt64(number + 1), number == seat ? honest : liar,
                source: number == seat ? .manual : .dnsSeed)
        }
        world.wait(.seconds(31))
        #expect(world.faults.isEmpty)
        let disputed = FilterHeaderSync.RestReason.disputed(height: height)
        #expect((1...3).allSatisfy { world.rests[PeerID($0)] == disputed })
        #expect(world.sync.filters.height == height - 1)
        #expect(world.sync.phase(world.chain) == .disputed(height: height))
        // Two honest ones of different sources are enough against another of the liars.
        world.connect(4, Node(world.recorded.filters), source: .manual)
        world.connect(5, Node(world.recorded.filters), source: .dnsSeed)
        world.connect(6, liar, source: .dnsSeed)
        expectTruth(world)
        #expect(world.faults.isEmpty)
        #expect(world.rests[PeerID(6)] == disputed)
    }

    @Test("Whose word is asked for first is of different sources, then of different groups")
    func voters() throws {
        var world = try world()
        var node = Node(Array(world.recorded.filters[..<900]))
        node.isSilent = true
        // While this one is waited for, the others come; then three of them are asked at once.
        world.connect(1, node)
        let kinds: [(UInt32, PeerSource)] = [
            (7, .dnsSeed), (7, .dnsSeed), (8, .dnsSeed), (7, .signedList), (7, .dnsSeed),
        ]
        for (place, kind) in kinds.enumerated() {
            world.connect(UInt64(place + 2), node, group: kind.0, source: kind.1)
        }
        #expect(Array(world.questions.keys) == [PeerID(1)])
        world.wait(.seconds(31))
        #expect(Set(world.questions.keys) == Set([1, 2, 4, 5].map { PeerID($0) }))
    }

    @Test("A reorganisation above a dispute, with which fetches end, has its block fetched again")
    func reorganisationAboveDispute() throws {
        var world = try world()
        world.hasBlocks = false
        world.connect(1, lying(world, at: 300))
        world.connect(2, Node(world.recorded.filters))
        #expect(world.sync.phase(world.chain) == .settling(height: 300))
        #expect(world.fetched.count == 1)
        world.hasBlocks = true
        world.run(world.sync.changed(above: 2_030, world.chain, at: world.now))
        #expect(world.fetched.count == 2 && world.fetched[0] == world.fetched[1])
        #expect(world.faults.keys.sorted() == [PeerID(1)])
        #expect(world.sync.phase(world.chain) != .settling(height: 300))
    }

    @Test("A reorganisation takes filter headers back to the fork, and the branch's follow")
    func reorganisation() throws {
        var world = try world()
        let node = Node(world.recorded.filters)
        world.connect(1, node)
        world.connect(2, node)
        let fork = 1_932
        let branch = try Recorded("core-regtest-fork-101")
        var recorded = world.recorded
        recorded.blocks = Array(recorded.blocks[...fork]) + branch.blocks
        recorded.filters = Array(recorded.filters[...fork]) + branch.filters
        recorded.chain = HeaderChain(ChainParameters(.regtest))
        for block in recorded.blocks.dropFirst() {
            try recorded.chain.append(block.header, clock: .max)
        }
        world.recorded = recorded
        world.nodes = [PeerID(1): Node(recorded.filters), PeerID(2): Node(recorded.filters)]
        world.run(world.sync.changed(above: fork, world.chain, at: world.now))
        #expect(world.rewinds == [fork])
        for number in 1...2 as ClosedRange<UInt64> {
            world.run(
                world.sync.knows(PeerID(number), height: 2_034, world.chain, at: world.now))
        }
        #expect(world.sync.filters.tip == Recorded.headers(recorded.filters)[2_034])
        #expect(world.faults.isEmpty && world.rests.isEmpty && world.fetched.isEmpty)
    }

    @Test("Answers that nobody asked for change nothing")
    func unasked() throws {
        var world = try world()
        world.connect(1, Node(world.recorded.filters))
        let stop = world.recorded.blocks[2_033].header.hash
        let id = PeerID(1)
        let hashes = FilterHashes(stop: stop, previous: .beforeGenesis, hashes: [])
        #expect(world.sync.received(hashes, from: id, world.chain, at: world.now).isEmpty)
        let checkpoints = CheckpointAnswer(stop: stop, headers: [])
        #expect(world.sync.received(checkpoints, from: id, world.chain, at: world.now).isEmpty)
        let filter = FilterAnswer(block: stop, filter: [0])
        #expect(world.sync.received(filter, from: id, world.chain, at: world.now).isEmpty)
        #expect(world.sync.received(world.recorded.blocks[5], world.chain, at: world.now).isEmpty)
        expectTruth(world)
    }

    @Test(
        "Peers that lie, say nothing or leave in any order: no honest one is accused, the truth stays"
    )
    func seeds() throws {
        for seed in 1...25 as ClosedRange<UInt64> {
            var generator = SeededGenerator(seed: seed)
            var world = try world()
            var honest: Set<PeerID> = []
            for number in 1...8 as ClosedRange<UInt64> {
                let group = UInt32.random(in: 1...4, using: &generator)
                switch Int.random(in: 0...3, using: &generator) {
                case 0:
                    let height = Int.random(in: 1...2_033, using: &generator)
                    world.connect(number, lying(world, at: height), group: group)
                case 1:
                    var silent = Node(world.recorded.filters)
                    silent.isSilent = true
                    honest.insert(PeerID(number))
                    world.connect(number, silent, group: group)
                default:
                    honest.insert(PeerID(number))
                    world.connect(number, Node(world.recorded.filters), group: group)
                }
                if Bool.random(using: &generator),
                    let gone = world.nodes.keys.sorted().randomElement(using: &generator)
                {
                    world.nodes[gone] = nil
                    world.run(world.sync.disconnected(gone, world.chain, at: world.now))
                }
                if Bool.random(using: &generator) { world.wait(.seconds(31)) }
            }
            world.connect(9, Node(world.recorded.filters))
            for _ in 0..<5 { world.wait(.seconds(31)) }
            #expect(honest.isDisjoint(with: world.faults.keys), "seed \(seed): \(world.faults)")
            #expect(world.sync.phase(world.chain) == .current(height: 2_033), "seed \(seed)")
            #expect(
                world.sync.filters.tip == Recorded.headers(world.recorded.filters)[2_033],
                "seed \(seed)")
        }
    }
}
