import Bitcoin
import TestSupport
import Testing
import Wire

@testable import Chain

@Suite("Chain of headers")
struct HeaderChainTests {
    /// A chain that has taken headers as those of our own store.
    private func chain(_ network: Network, _ headers: [BlockHeader]) throws -> HeaderChain {
        var chain = HeaderChain(ChainParameters(network))
        for header in headers { try chain.append(header, clock: .max) }
        return chain
    }

    @Test("Mainnet's first 10,237 headers follow all rules, and each is found by its hash")
    func mainnet() throws {
        let headers = try TestChain.headers("mainnet-0-10236")
        let chain = try chain(.mainnet, Array(headers.dropFirst()))
        #expect(chain.height == 10_236)
        for (height, header) in headers.enumerated() {
            #expect(chain.height(of: header.hash) == height)
            #expect(chain.time(at: height) == header.time)
        }
        #expect(chain.hash(at: 10_237) == nil)
        #expect(chain.hash(at: -1) == nil)
        #expect(chain.height(of: BlockHash(.zero)) == nil)
        // Difficulty 1 all along.
        #expect(chain.tip.work == UInt256(0x1_0001_0001).multiplied(by: 10_237))
    }

    @Test("Signet's first period and an alternate mainnet with a new difficulty follow all rules")
    func others() throws {
        let signet = try chain(.signet, Array(try TestChain.headers("signet-0-2015").dropFirst()))
        #expect(signet.height == 2_015)
        // The real next one (`headers/pow.json`).
        #expect(
            signet.tip.requiredBits(time: .max, signet.parameters).rawValue == 503_394_215)
        var headers = try TestChain.alternateMainnet()
        let alternate = try chain(.mainnet, headers)
        #expect(alternate.height == 2_016)
        #expect(alternate.bits(at: 2_016)?.rawValue == 0x1C3F_FFC0)
        let before = alternate.work(at: 2_015)
        let after = before?.adding(try #require(CompactTarget(rawValue: 0x1C3F_FFC0).work))
        #expect(alternate.tip.work == after)
        headers[2015].bits = CompactTarget(rawValue: 0x1D00_FFFF)
        #expect(
            throws: HeaderRefusal.wrongTarget(
                height: 2016, found: CompactTarget(rawValue: 0x1D00_FFFF),
                required: CompactTarget(rawValue: 0x1C3F_FFC0))
        ) { try chain(.mainnet, headers) }
    }

    @Test("The context at any height is the one the chain had there")
    func contexts() throws {
        let headers = try TestChain.headers("mainnet-0-10236")
        let chain = try chain(.mainnet, Array(headers.dropFirst()))
        var context = HeaderContext(chain.parameters)
        for header in headers[1...4_100] {
            try context.extend(by: header, hash: header.hash, chain.parameters, clock: .max)
            let height = context.height
            guard height < 40 || (2_000...2_040).contains(height) || height % 97 == 0 else {
                continue
            }
            let found = try #require(chain.context(at: height))
            #expect(found.hash == context.hash && found.work == context.work)
            #expect(found.medianTimePast == context.medianTimePast)
            for time in [context.time, context.time + 1_000_000] {
                #expect(
                    found.requiredBits(time: time, chain.parameters)
                        == context.requiredBits(time: time, chain.parameters))
            }
        }
    }

    @Test("A locator has the last ten, doubles its steps and ends with the genesis")
    func locator() throws {
        let headers = TestChain.mine(300)
        let chain = try chain(.regtest, headers)
        let heights = chain.locator().map { chain.height(of: $0) }
        #expect(
            heights == [
                300, 299, 298, 297, 296, 295, 294, 293, 292, 291, 289, 285, 277, 261, 229, 165, 37,
                0,
            ])
        #expect(HeaderChain(ChainParameters(.mainnet)).locator() == [Network.mainnet.genesis.hash])
    }

    @Test("Copies share nothing that the other could change")
    func copies() throws {
        let headers = TestChain.mine(30)
        let whole = try chain(.regtest, headers)
        var fork = whole
        var download: HeaderDownload?
        let other = TestChain.mine(31, after: headers[9], branch: 1)
        #expect(fork.receive(other, &download, clock: .max).change?.fork == 10)
        #expect(whole.height == 30 && fork.height == 41)
        #expect(whole.height(of: headers[20].hash) == 21)
        #expect(fork.height(of: headers[20].hash) == nil)
    }
}
