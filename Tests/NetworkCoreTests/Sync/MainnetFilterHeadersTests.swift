import Bitcoin
import TestSupport
import Testing
import Wire

@testable import Chain
@testable import NetworkCore
@testable import PeerMessages

@Suite("Filter headers of mainnet")
struct MainnetFilterHeadersTests {
    @Test("Mainnet's checkpoints agree with its filter headers, and one that differs is asked")
    func mainnet() throws {
        var reader = Reader(try Fixture.bytes("headers/mainnet-0-10236.bin"))
        var chain = HeaderChain(ChainParameters(.mainnet))
        _ = try BlockHeader(from: &reader)
        while !reader.isAtEnd { try chain.append(try BlockHeader(from: &reader), clock: .max) }
        reader = Reader(try Fixture.bytes("filters/mainnet-headers-0-10236.bin"))
        var filters = FilterHeaderChain()
        while !reader.isAtEnd { filters.append(FilterHeader(try reader.readBytes32())) }
        let stop = try #require(chain.hash(at: 10_236))
        let published = try (1...10).map { try #require(filters.header(at: $0 * 1_000)) }
        for wrong in [nil, 0, 4, 9] as [Int?] {
            var sync = FilterHeaderSync(filters)
            let kind = PeerKind(group: PeerHost.ipv4(1 << 16).group, source: .dnsSeed)
            let id = PeerID(1)
            let asked = sync.connected(id, kind: kind, height: 10_236, chain, at: .zero)
            #expect(asked == [.ask(id, .getcfcheckpt(CheckpointRequest(stop: stop)))])
            var checkpoints = published
            if let wrong { checkpoints[wrong] = published[9 - wrong] }
            let answer = CheckpointAnswer(stop: stop, headers: checkpoints)
            let next = sync.received(answer, from: id, chain, at: .zero)
            // What follows the last one it has to say itself; from where it differs on, all of that run.
            let first = wrong.map { $0 * 1_000 + 1 } ?? 10_001
            let last = wrong.map { ($0 + 1) * 1_000 } ?? 10_236
            let range = FilterRange(
                start: UInt32(first == 1 ? 0 : first), stop: try #require(chain.hash(at: last)))
            #expect(next == [.ask(id, .getcfheaders(range))])
            #expect(sync.agreedHeight(of: id) == (wrong == nil ? 10_000 : -1))
        }
    }
}
