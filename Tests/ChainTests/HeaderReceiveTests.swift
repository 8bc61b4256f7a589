import Bitcoin
import TestSupport
import Testing
import Wire

@testable import Chain

@Suite("Headers from peers")
struct HeaderReceiveTests {
    private let genesis = Network.regtest.genesis

    private func hashes(_ chain: HeaderChain) -> [BlockHash] {
        (0...chain.height).compactMap { chain.hash(at: $0) }
    }

    @Test("The recorded chain, each of its forks, and back, whatever the size of messages")
    func recorded() throws {
        let main = try TestChain.records().map(\.block.header)
        #expect(main.count == 2_034)
        for (depth, fork) in [(1, 2_032), (3, 2_030), (12, 2_021), (101, 1_932)] {
            let branch = try TestChain.records("core-regtest-fork-\(depth)").map(\.block.header)
            #expect(branch.count == depth + 1)
            var chain = HeaderChain(ChainParameters(.regtest))
            var download: HeaderDownload?
            for part in main[1...].parts(of: 700) {
                #expect(chain.receive(part, &download, clock: .max).refusal == nil)
            }
            #expect(chain.height == 2_033)
            var changes: [ChainChange] = []
            for part in branch.parts(of: 5) {
                let receipt = chain.receive(part, &download, clock: .max)
                #expect(receipt.relation == .connected && receipt.refusal == nil)
                if let change = receipt.change { changes.append(change) }
            }
            #expect(
                changes == [ChainChange(fork: fork, disconnected: depth, connected: branch)])
            #expect(chain.tip.hash == branch.last?.hash)
            // Back, once the first branch has two more.
            let more = TestChain.mine(2, after: main[2_033])
            let back = chain.receive(Array(main[(fork + 1)...]) + more, &download, clock: .max)
            #expect(back.change?.fork == fork)
            #expect(back.change?.disconnected == depth + 1)
            #expect(hashes(chain) == (main + more).map(\.hash))
            #expect(download == nil)
        }
    }

    @Test("With equal work the first to come stays; one more header decides")
    func equalWork() throws {
        let first = TestChain.mine(10)
        let second = TestChain.mine(2, after: first[8], branch: 1)
        var chain = HeaderChain(ChainParameters(.regtest))
        var download: HeaderDownload?
        #expect(chain.receive(first, &download, clock: .max).change?.connected == first)
        #expect(chain.receive([second[0]], &download, clock: .max).change == nil)
        #expect(chain.tip.hash == first[9].hash)
        let receipt = chain.receive([second[1]], &download, clock: .max)
        #expect(receipt.change == ChainChange(fork: 9, disconnected: 1, connected: second))
    }

    @Test("What is known, unconnected or empty changes nothing and accuses nobody")
    func idle() throws {
        let headers = TestChain.mine(20)
        var chain = HeaderChain(ChainParameters(.regtest))
        var download: HeaderDownload?
        #expect(chain.receive([], &download, clock: .max).relation == .known)
        #expect(chain.receive([headers[5]], &download, clock: .max).relation == .unconnected)
        _ = chain.receive(headers, &download, clock: .max)
        for known in [headers, [headers[19]], Array(headers[3...7])] {
            let receipt = chain.receive(known, &download, clock: .max)
            #expect(receipt.relation == .known && receipt.change == nil)
            #expect(receipt.refusal == nil)
        }
        let more = TestChain.mine(3, after: headers[19])
        let receipt = chain.receive(Array(headers[10...]) + more, &download, clock: .max)
        #expect(receipt.change == ChainChange(fork: 20, disconnected: 0, connected: more))
    }

    @Test("The good headers of a message are kept when a later one is refused")
    func refusalInTheMiddle() throws {
        var headers = TestChain.mine(10)
        let clock = Int64(headers[6].time) - 7200
        var chain = HeaderChain(ChainParameters(.regtest))
        var download: HeaderDownload?
        let late = chain.receive(headers, &download, clock: clock)
        #expect(chain.height == 7)
        #expect(late.refusal == .aheadOfClock(height: 8, found: headers[7].time, clock: clock))
        headers[9].version = 1
        let bad = chain.receive(Array(headers[7...]), &download, clock: .max)
        #expect(bad.change?.connected.count == 2)
        #expect(bad.refusal?.isFaultOfPeer == true)
        #expect(chain.height == 9)
        headers.remove(at: 3)
        var other = HeaderChain(ChainParameters(.regtest))
        #expect(
            other.receive(headers, &download, clock: .max).refusal == .unlinked(height: 4))
    }

    @Test("A branch of many messages replaces the chain in one step, from far below")
    func longBranch() throws {
        let first = TestChain.mine(5_000)
        let second = TestChain.mine(5_500, after: first[9], branch: 1)
        var chain = HeaderChain(ChainParameters(.regtest))
        var download: HeaderDownload?
        for part in first.parts(of: 2_000) { _ = chain.receive(part, &download, clock: .max) }
        let passes = try serve(second, &chain, &download, after: 10)
        #expect(passes.changes.count == 1)
        #expect(
            passes.changes.first == ChainChange(fork: 10, disconnected: 4_990, connected: second))
        #expect(passes.requests == 3 + 3)
        #expect(chain.height == 5_510)
        #expect(hashes(chain) == ([genesis] + first[..<10] + second).map(\.hash))
        for height in [0, 10, 11, 2_016, 5_510] {
            #expect(chain.height(of: try #require(chain.hash(at: height))) == height)
        }
        #expect(chain.height(of: first[100].hash) == nil)
    }

    /// Serves a branch as a node would: up to 2,000 headers behind the first hash of the locator.
    private func serve(
        _ headers: [BlockHeader], _ chain: inout HeaderChain, _ download: inout HeaderDownload?,
        after fork: Int
    ) throws -> (changes: [ChainChange], requests: Int) {
        let places = Dictionary(
            uniqueKeysWithValues: headers.enumerated().map { ($1.hash, $0 + 1) })
        var changes: [ChainChange] = []
        var requests = 0
        while requests < 100 {
            let request = chain.request(for: download)
            let start = request.locator.compactMap { places[$0] }.first ?? 0
            var part = Array(headers[start...].prefix(2_000))
            if let stop = part.firstIndex(where: { $0.hash == request.stop }) {
                part.removeSubrange((stop + 1)...)
            }
            guard !part.isEmpty else { break }
            requests += 1
            let receipt = chain.receive(part, &download, clock: .max)
            #expect(receipt.relation == .connected && receipt.refusal == nil)
            if let change = receipt.change { changes.append(change) }
        }
        return (changes, requests)
    }

    @Test("Below the minimum work nothing is adopted or held, above it everything is, part by part")
    func minimumWork() throws {
        var parameters = ChainParameters(.regtest)
        parameters.requireWork(UInt256(2 * 9_000))
        let headers = TestChain.mine(10_500)
        var chain = HeaderChain(parameters)
        var download: HeaderDownload?
        for part in headers[..<8_000].parts(of: 2_000) {
            let receipt = chain.receive(Array(part), &download, clock: .max)
            #expect(receipt.change == nil && receipt.refusal == nil)
        }
        guard case .branch(let branch)? = download else {
            Issue.record("no branch is followed")
            return
        }
        #expect(branch.held == nil)
        #expect(branch.marks == [1_999, 3_999, 5_999, 7_999].map { headers[$0].hash })
        #expect(!chain.hasMinimumWork && chain.height == 0)
        let passes = try serve(headers, &chain, &download, after: 0)
        #expect(passes.changes.flatMap(\.connected) == headers)
        #expect(passes.changes.map(\.connected.count) == [2_000, 2_000, 2_000, 2_000, 2_000, 500])
        #expect(passes.changes.allSatisfy { $0.disconnected == 0 })
        #expect(chain.hasMinimumWork && chain.height == 10_500)
    }

    @Test("The second time only the same headers are taken, and another peer may go on")
    func cheating() throws {
        var parameters = ChainParameters(.regtest)
        parameters.requireWork(UInt256(2 * 5_000))
        let headers = TestChain.mine(6_000)
        let cheap = TestChain.mine(4_000, after: headers[1_999], branch: 1)
        var chain = HeaderChain(parameters)
        var download: HeaderDownload?
        for part in headers.parts(of: 2_000) { _ = chain.receive(part, &download, clock: .max) }
        #expect(chain.height == 0)
        _ = chain.receive(Array(headers[..<2_000]), &download, clock: .max)
        #expect(chain.height == 2_000)
        let receipt = chain.receive(Array(cheap[..<2_000]), &download, clock: .max)
        #expect(receipt.refusal == .branchChanged(height: 4_000))
        #expect(receipt.refusal?.isFaultOfPeer == false)
        #expect(chain.height == 2_000)
        let request = chain.request(for: download)
        #expect(request.locator.first == headers[1_999].hash)
        #expect(request.stop == headers[3_999].hash)
        // In messages of any size.
        for part in headers[2_000...].parts(of: 333) {
            #expect(chain.receive(Array(part), &download, clock: .max).refusal == nil)
        }
        #expect(hashes(chain) == ([genesis] + headers).map(\.hash))
    }

    @Test("A branch without work ends where its marks do")
    func flood() throws {
        let headers = TestChain.mine(4_001)
        let parameters = ChainParameters(.regtest)
        var branch = HeaderBranch(after: HeaderContext(parameters), markLimit: 2)
        for header in headers.dropLast() {
            let item = HashedHeader(header: header, hash: header.hash)
            try branch.extend(by: item, parameters, clock: .max)
        }
        let last = HashedHeader(header: headers[4_000], hash: headers[4_000].hash)
        #expect(throws: HeaderRefusal.branchTooLong(height: 4_000)) {
            try branch.extend(by: last, parameters, clock: .max)
        }
        #expect(!HeaderRefusal.branchTooLong(height: 1).isFaultOfPeer)
    }

    @Test("A download is dropped once the chain has left the point that it starts from")
    func staleDownload() throws {
        let first = TestChain.mine(30)
        var chain = HeaderChain(ChainParameters(.regtest))
        var mine: HeaderDownload?
        _ = chain.receive(first, &mine, clock: .max)
        var theirs: HeaderDownload?
        _ = chain.receive(TestChain.mine(3, after: first[25], branch: 1), &theirs, clock: .max)
        #expect(theirs != nil)
        let other = TestChain.mine(40, after: first[9], branch: 2)
        #expect(chain.receive(other, &mine, clock: .max).change?.fork == 10)
        _ = chain.receive([], &theirs, clock: .max)
        #expect(theirs == nil)
    }

    @Test("A lighter branch does not take the place of the one that is followed")
    func heavierStays() throws {
        let first = TestChain.mine(30)
        var chain = HeaderChain(ChainParameters(.regtest))
        var download: HeaderDownload?
        _ = chain.receive(first, &download, clock: .max)
        let followed = TestChain.mine(15, after: first[9], branch: 1)
        _ = chain.receive(followed, &download, clock: .max)
        _ = chain.receive(TestChain.mine(5, after: first[9], branch: 2), &download, clock: .max)
        #expect(download?.tip.hash == followed[14].hash)
        let longer = TestChain.mine(16, after: first[9], branch: 3)
        _ = chain.receive(longer, &download, clock: .max)
        #expect(download?.tip.hash == longer[15].hash)
    }
}
