import Bitcoin
import TestSupport
import Testing
import Wire

@testable import Chain

@Suite("Rules of headers")
struct HeaderContextTests {
    private func context(
        _ parameters: ChainParameters, height: Int, time: UInt32, bits: UInt32
    ) -> HeaderContext {
        HeaderContext(
            height: height, hash: BlockHash(.zero), time: time, bits: .init(rawValue: bits),
            work: .zero)
    }

    /// Moves on by headers that nobody mined.
    private func advance(
        _ context: inout HeaderContext, _ parameters: ChainParameters, _ times: [UInt32],
        bits: UInt32
    ) {
        for time in times {
            context.advance(
                to: BlockHash(.zero), time: time, bits: .init(rawValue: bits), parameters)
        }
    }

    @Test("8 changes of difficulty and 2 of BIP94 come out as in Bitcoin Core's tests")
    func retargets() throws {
        let vectors = try Fixture.json("headers/pow.json")
        let rows = try vectors["retarget"].array + vectors["bip94"].array
        #expect(rows.count == 10)
        for row in rows {
            let network = try #require(Network(rawValue: row["network"].string))
            let parameters = ChainParameters(network)
            let first = try row.optional("first_bits") ?? row.optional("bits")
            let last = try row.optional("last_bits") ?? row.optional("bits")
            let firstBits = try #require(first).int
            let lastBits = try #require(last).int
            let firstTime = UInt32(try row["first_time"].int)
            let lastTime = UInt32(try row["last_time"].int)
            var context = context(
                parameters, height: 2016, time: firstTime, bits: UInt32(firstBits))
            advance(
                &context, parameters, Array(repeating: lastTime, count: 2015),
                bits: UInt32(lastBits))
            let next = context.requiredBits(time: lastTime, parameters)
            #expect(try Int(next.rawValue) == row["next_bits"].int)
        }
    }

    @Test(
        "Where the easiest target is allowed, it is for late headers, and never counts as the last")
    func minimumDifficulty() {
        for network in [Network.testnet3, .testnet4] {
            let parameters = ChainParameters(network)
            var context = context(parameters, height: 2016, time: 1000, bits: 0x1C00_FFFF)
            #expect(context.requiredBits(time: 2200, parameters).rawValue == 0x1C00_FFFF)
            #expect(context.requiredBits(time: 2201, parameters).rawValue == 0x1D00_FFFF)
            advance(&context, parameters, [3000, 5000], bits: 0x1D00_FFFF)
            #expect(context.requiredBits(time: 5001, parameters).rawValue == 0x1C00_FFFF)
            advance(&context, parameters, [5001], bits: 0x1C00_FFFF)
            #expect(context.requiredBits(time: 5002, parameters).rawValue == 0x1C00_FFFF)
            // The exception is no exception where a period starts.
            advance(&context, parameters, .init(repeating: 6000, count: 2012), bits: 0x1D00_FFFF)
            #expect(context.height == 4031)
            let expected: UInt32 = network == .testnet4 ? 0x1B3F_FFC0 : 0x1C3F_FFC0
            #expect(context.requiredBits(time: 9_000_000, parameters).rawValue == expected)
        }
    }

    @Test("A period that starts with the easiest target has it for all who are in time")
    func easyPeriod() {
        let parameters = ChainParameters(.testnet3)
        var context = context(parameters, height: 2015, time: 1000, bits: 0x1C00_FFFF)
        advance(&context, parameters, [2000], bits: 0x1D00_FFFF)
        #expect(context.requiredBits(time: 2001, parameters).rawValue == 0x1D00_FFFF)
    }

    @Test("Only regtest never changes its difficulty")
    func noRetarget() {
        for network in Network.allCases {
            let parameters = ChainParameters(network)
            let bits = parameters.limitBits.rawValue
            var context = context(parameters, height: 2016, time: 1000, bits: bits)
            advance(&context, parameters, Array(1001...3015), bits: bits)
            let changes = context.requiredBits(time: 3016, parameters) != parameters.limitBits
            #expect(changes == (network != .regtest))
        }
    }

    @Test("The time must be after the median of eleven, however they are ordered")
    func median() {
        var times = RecentTimes()
        #expect(times.median == 0)
        var generator = SeededGenerator(seed: 11)
        var all: [UInt32] = []
        for _ in 0..<300 {
            let time = UInt32.random(in: 0...40, using: &generator)
            all.append(time)
            times.add(time)
            let last = all.suffix(11).sorted()
            #expect(times.median == last[last.count / 2])
            for probe: UInt32 in 0...41 {
                #expect(times.medianIsBefore(probe) == (probe > times.median))
            }
        }
    }

    @Test("Each rule refuses with its own reason and leaves the chain as it was")
    func refusals() throws {
        let parameters = ChainParameters(.regtest)
        var context = HeaderContext(parameters)
        for header in TestChain.mine(20) {
            try context.extend(by: header, hash: header.hash, parameters, clock: .max)
        }
        let good = TestChain.mine(after: context.hash, time: context.time + 600)
        func refusal(clock: Int64 = .max, _ change: (inout BlockHeader) -> Void) -> HeaderRefusal? {
            var header = good
            change(&header)
            return refusal(header, clock: clock)
        }
        func refusal(_ header: BlockHeader, clock: Int64 = .max) -> HeaderRefusal? {
            var copy = context
            do throws(HeaderRefusal) {
                try copy.extend(by: header, hash: header.hash, parameters, clock: clock)
                return nil
            } catch {
                #expect(copy.hash == context.hash && copy.height == 20)
                #expect(copy.work == context.work && copy.bits == context.bits)
                return error
            }
        }
        #expect(refusal(good) == nil)
        #expect(refusal { $0.previous = BlockHash(.zero) } == .unlinked(height: 21))
        let bits = CompactTarget(rawValue: 0x2000_FFFF)
        #expect(
            refusal { $0.bits = bits }
                == .wrongTarget(height: 21, found: bits, required: parameters.limitBits))
        #expect(
            refusal { header in
                repeat { header.nonce += 1 } while header.hash.bytes.array[31] < 0x80
            } == .noWork(height: 21))
        let median = context.medianTimePast
        #expect(
            refusal(TestChain.mine(after: context.hash, time: median))
                == .timeTooEarly(height: 21, found: median, median: median))
        #expect(refusal(TestChain.mine(after: context.hash, time: median + 1)) == nil)
        #expect(
            refusal(TestChain.mine(after: context.hash, time: good.time, version: 3))
                == .versionTooOld(height: 21, found: 3, minimum: 4))
        let clock = Int64(good.time) - 7200
        #expect(refusal(good, clock: clock) == nil)
        #expect(
            refusal(good, clock: clock - 1)
                == .aheadOfClock(height: 21, found: good.time, clock: clock - 1))
        #expect(refusal(good, clock: .min)?.isFaultOfPeer == false)
    }

    @Test("A header that breaks a rule and is ahead of the clock breaks the rule")
    func ruleBeforeClock() {
        let parameters = ChainParameters(.regtest)
        var context = HeaderContext(parameters)
        let header = TestChain.mine(
            after: context.hash, time: context.time + 100_000, version: 1)
        #expect(throws: HeaderRefusal.versionTooOld(height: 1, found: 1, minimum: 4)) {
            try context.extend(
                by: header, hash: header.hash, parameters, clock: Int64(context.time))
        }
    }

    @Test("BIP94: a period's first header may be ten minutes before its predecessor, no more")
    func timewarp() {
        for (network, applies) in [(Network.testnet4, true), (.testnet3, false), (.mainnet, false)]
        {
            let parameters = ChainParameters(network)
            var context = context(parameters, height: 2016, time: 100_000, bits: 0x1D00_FFFF)
            advance(
                &context, parameters, Array(repeating: 100_000, count: 2014), bits: 0x1D00_FFFF)
            advance(&context, parameters, [200_000], bits: 0x1D00_FFFF)
            #expect(context.height == 4031)
            for (time, isEarly) in [(UInt32(199_400), false), (199_399, true)] {
                let header = BlockHeader(
                    version: 4, previous: BlockHash(.zero), merkleRoot: .zero, time: time,
                    bits: context.requiredBits(time: time, parameters), nonce: 0)
                let expected =
                    isEarly && applies
                    ? HeaderRefusal.timewarp(height: 4032, found: time, previous: 200_000) : nil
                var copy = context
                var refusal: HeaderRefusal?
                // A hash of zero proves any work.
                do throws(HeaderRefusal) {
                    try copy.extend(by: header, hash: BlockHash(.zero), parameters, clock: .max)
                } catch {
                    refusal = error
                }
                #expect(refusal == expected)
            }
        }
    }

    @Test("Versions end with BIP34, BIP66 and BIP65 at their heights")
    func versions() {
        let mainnet = ChainParameters(.mainnet)
        let cases: [(Int, Int32)] = [
            (227_930, .min), (227_931, 2), (363_724, 2), (363_725, 3), (388_380, 3), (388_381, 4),
        ]
        for (height, version) in cases {
            #expect(mainnet.minimumVersion(at: height) == version)
        }
        #expect(ChainParameters(.testnet3).minimumVersion(at: 581_884) == 3)
        #expect(ChainParameters(.testnet4).minimumVersion(at: 1) == 4)
    }

    @Test("A hash that equals the target proves the work, one above it does not")
    func border() throws {
        let parameters = ChainParameters(.regtest)
        let target = try parameters.limitBits.target()
        let above = try #require(target.adding(UInt256(1)))
        var context = HeaderContext(parameters)
        let header = BlockHeader(
            version: 4, previous: context.hash, merkleRoot: .zero, time: context.time + 1,
            bits: parameters.limitBits, nonce: 0)
        #expect(throws: HeaderRefusal.noWork(height: 1)) {
            try context.extend(
                by: header, hash: BlockHash(above.littleEndian), parameters, clock: .max)
        }
        try context.extend(
            by: header, hash: BlockHash(target.littleEndian), parameters, clock: .max)
        #expect(context.height == 1)
    }
}
