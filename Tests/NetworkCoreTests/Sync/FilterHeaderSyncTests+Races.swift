import Bitcoin
import PeerMessages
import Testing

@testable import Chain
@testable import NetworkCore

/// Who comes first, late or twice decides nothing.
extension FilterHeaderSyncTests {
    /// The recorded chain without its blocks from 2,032 on, and all of it.
    private func beforeTwoBlocks() throws -> (World, full: Recorded) {
        var world = try world()
        let full = world.recorded
        var short = HeaderChain(ChainParameters(.regtest))
        for block in full.blocks[1...2_031] { try short.append(block.header, clock: .max) }
        world.recorded.chain = short
        return (world, full)
    }

    @Test("Two answers to a question that was asked twice are no lie")
    func answeredTwice() throws {
        var (world, full) = try beforeTwoBlocks()
        let honest = Node(full.filters)
        world.connect(1, honest)
        world.connect(2, honest)
        world.connect(3, lying(world, at: 2_033))
        #expect(world.sync.filters.height == 2_031)
        world.nodes[PeerID(2)]?.isSilent = true
        for block in full.blocks[2_032...2_033] {
            try world.recorded.chain.append(block.header, clock: .max)
        }
        let chain = world.chain
        var list = world.sync.changed(above: 2_031, chain, at: world.now)
        world.run(list)
        // The slow one announces first, and is asked alone; its link takes more than two seconds.
        list = world.sync.knows(PeerID(2), height: 2_033, chain, at: world.now)
        world.run(list)
        let before = world.questions[PeerID(2)]
        world.wait(.seconds(2))
        #expect(world.questions[PeerID(2)] == before.map { $0 + 1 })
        let answer = FilterHashes(
            stop: full.blocks[2_033].header.hash, previous: honest.headers[2_031],
            hashes: Array(honest.hashes[2_032...2_033]))
        list = world.sync.received(answer, from: PeerID(2), chain, at: world.now)
        world.run(list)
        for id in [1, 3] as [UInt64] {
            list = world.sync.knows(PeerID(id), height: 2_033, chain, at: world.now)
            world.run(list)
        }
        #expect(Array(world.faults.keys) == [PeerID(3)])
        // The answer to the question as it was repeated, as true as the first.
        list = world.sync.received(answer, from: PeerID(2), chain, at: world.now)
        world.run(list)
        #expect(world.faults[PeerID(2)] == nil)
    }

    @Test(
        "What two nodes of one source said is taken back for no newcomer of another",
        arguments: [PeerSource.manual, .signedList])
    func newcomer(source: PeerSource) throws {
        var world = try world()
        var height = 0
        var filters = world.recorded.filters
        for place in 1..<world.recorded.blocks.count where height == 0 {
            let block = world.recorded.blocks[place]
            let truth = world.recorded.filters[place]
            let certain = Set(block.filteredOutputs).count
            let count = try CompactFilter(truth).count
            guard block.judge(filter: truth) == .undecided, count > certain else { continue }
            let other = (0..<count - certain).map { Script([0x51, 0x77, UInt8($0)]) }
            let lie = CompactFilter(block: block, spent: other).bytes
            guard block.judge(filter: lie) == .undecided else { continue }
            height = place
            filters[place] = lie
        }
        let liar = Node(filters)
        for number in 1...2 as ClosedRange<UInt64> {
            world.connect(number, Node(world.recorded.filters), source: source)
        }
        expectTruth(world)
        for number in 10...12 as ClosedRange<UInt64> {
            world.connect(number, liar, source: .dnsSeed)
        }
        #expect(world.rewinds.isEmpty)
    }

    @Test("Who announces a block first and answers last is not believed alone")
    func firstAndLast() throws {
        var (world, full) = try beforeTwoBlocks()
        let honest = Node(full.filters)
        let liar = lying(world, at: 2_033)
        world.connect(1, honest)
        world.connect(2, liar)
        world.connect(3, honest)
        world.nodes[PeerID(2)]?.isSilent = true
        for block in full.blocks[2_032...2_033] {
            try world.recorded.chain.append(block.header, clock: .max)
        }
        let chain = world.chain
        var list = world.sync.changed(above: 2_031, chain, at: world.now)
        world.run(list)
        for id in [2, 1, 3] as [UInt64] {
            list = world.sync.knows(PeerID(id), height: 2_033, chain, at: world.now)
            world.run(list)
        }
        let answer = FilterHashes(
            stop: full.blocks[2_033].header.hash, previous: liar.headers[2_031],
            hashes: Array(liar.hashes[2_032...2_033]))
        list = world.sync.received(answer, from: PeerID(2), chain, at: world.now)
        world.run(list)
        for _ in 0..<60 { world.wait(.seconds(10)) }
        #expect(world.sync.filters.tip == honest.headers[2_033])
    }
}
