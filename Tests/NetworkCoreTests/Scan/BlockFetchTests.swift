import Bitcoin
import Hashing
import TestSupport
import Testing
import Wire

@testable import Chain
@testable import NetworkCore
@testable import PeerMessages

@Suite("Blocks that are fetched")
struct BlockFetchTests {
    @Test("Who pads the witnesses of a true block is to blame, not its miner")
    func padded() throws {
        let recorded = try FilterHeaderSyncTests.Recorded()
        let place = try #require(
            recorded.blocks.indices.last { height in
                recorded.blocks[height].transactions.dropFirst().contains { $0.hasWitness }
            })
        let block = recorded.blocks[place]
        var padded = block
        let spender = try #require(
            block.transactions.indices.dropFirst().first {
                block.transactions[$0].hasWitness
            })
        let room = 3_999_000 - block.serialized.count
        padded.transactions[spender].inputs[0].witness = Witness([
            [UInt8](repeating: 7, count: room)
        ])
        let size = padded.serialized.count
        #expect(size <= PeerLimits.payload)
        #expect(throws: Never.self) { try block.check() }
        var fetch = BlockFetch()
        fetch.seat(PeerID(1), height: place)
        fetch.seat(PeerID(2), height: place)
        fetch.want(block.header.hash, at: place, avoiding: nil)
        _ = fetch.proceed(at: .zero)
        let (taken, actions) = fetch.received(padded, from: PeerID(1), at: .zero)
        #expect(taken == nil)
        #expect(actions == [.fault(PeerID(1), block.header.hash)])
        // Another is asked at once.
        #expect(fetch.proceed(at: .zero).count == 1)
    }
}
