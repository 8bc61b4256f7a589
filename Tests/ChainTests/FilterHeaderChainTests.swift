import Bitcoin
import TestSupport
import Testing
import Wire

@testable import Chain

@Suite("Chain of filter headers")
struct FilterHeaderChainTests {
    private func hash(_ number: Int, branch: UInt8 = 0) -> FilterHash {
        FilterHash(
            Bytes32 {
                $0.storeBytes(of: UInt64(number), as: UInt64.self)
                $0[31] = branch
            })
    }

    @Test(
        "Headers are found by height, whatever the anchor", arguments: [-1, 0, 1, 500, 999, 1_000])
    func heights(anchor: Int) {
        let base = FilterHeader(hash(7).bytes)
        var chain = FilterHeaderChain(anchor: base, at: anchor)
        var expected = [base]
        for number in 0..<3_205 {
            chain.append(hash(number))
            expected.append(hash(number).header(after: expected[number]))
            #expect(chain.tip == expected[number + 1])
        }
        #expect(chain.height == anchor + 3_205)
        for (place, header) in expected.enumerated() {
            #expect(chain.header(at: anchor + place) == header)
        }
        #expect(chain.header(at: anchor - 1) == nil)
        #expect(chain.header(at: chain.height + 1) == nil)
    }

    @Test(
        "What is forgotten is gone, except at multiples of 1,000, and the rest can be cut and goes on"
    )
    func forgetting() {
        var chain = FilterHeaderChain()
        for number in 0...5_200 { chain.append(hash(number)) }
        let whole = chain
        chain.forget(below: 4_100)
        for height in [1, 999, 1_001, 3_500, 3_999] { #expect(chain.header(at: height) == nil) }
        for height in [0, 1_000, 2_000, 3_000, 4_000, 4_001, 4_100, 5_200] {
            #expect(chain.header(at: height) == whole.header(at: height))
        }
        #expect(chain.truncate(to: 4_500) == 4_500)
        #expect(chain.tip == whole.header(at: 4_500))
        #expect(chain.truncate(to: 3_400) == 3_000)
        #expect(chain.tip == whole.header(at: 3_000))
        for number in 3_001...3_300 { chain.append(hash(number)) }
        #expect(chain.tip == whole.header(at: 3_300))
        #expect(chain.header(at: 3_150) == whole.header(at: 3_150))
        chain.append(hash(0, branch: 1))
        #expect(chain.tip != whole.header(at: 3_301))
        #expect(chain.truncate(to: -7) == -1)
        #expect(chain.tip == .beforeGenesis && chain.height == -1)
        chain.append(hash(0))
        #expect(chain.tip == whole.header(at: 0))
    }

    @Test("Cutting above the end changes nothing")
    func cutAbove() {
        var chain = FilterHeaderChain()
        for number in 0...20 { chain.append(hash(number)) }
        #expect(chain.truncate(to: 30) == 20)
        #expect(chain.height == 20)
    }
}
