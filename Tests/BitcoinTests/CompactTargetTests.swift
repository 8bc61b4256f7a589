import Bitcoin
import TestSupport
import Testing
import Wire

@Suite("Compact targets")
struct CompactTargetTests {
    private func network(_ row: JSON) throws -> Network {
        try #require(Network(rawValue: row["network"].string))
    }

    private func bits(_ row: JSON, _ key: String) throws -> CompactTarget {
        CompactTarget(rawValue: UInt32(try row[key].int))
    }

    @Test("8 changes of difficulty, real ones and those at the limits")
    func adjustments() throws {
        let rows = try Fixture.json("headers/pow.json")["retarget"].array
        #expect(rows.count == 8)
        for row in rows {
            let seconds = try Int64(row["last_time"].int - row["first_time"].int)
            let next = try bits(row, "bits").adjusted(
                seconds: seconds, limit: network(row).proofOfWorkLimit)
            #expect(try next == bits(row, "next_bits"))
            if try row.optional("not_permitted_next_bits") != nil {
                #expect(try next != bits(row, "not_permitted_next_bits"))
            }
        }
    }

    @Test("BIP94: testnet4 starts from the first header of the period, the others from the last")
    func bip94() throws {
        let rows = try Fixture.json("headers/pow.json")["bip94"].array
        #expect(rows.count == 2)
        for row in rows {
            let network = try network(row)
            let from = try bits(row, network == .testnet4 ? "first_bits" : "last_bits")
            let seconds = try Int64(row["last_time"].int - row["first_time"].int)
            let next = from.adjusted(seconds: seconds, limit: network.proofOfWorkLimit)
            #expect(try next == bits(row, "next_bits"))
        }
    }

    @Test("5 headers that prove no work")
    func noWork() throws {
        let rows = try Fixture.json("headers/pow.json")["check_proof_of_work"].array
        #expect(rows.count == 5)
        for row in rows {
            var header = Network.mainnet.genesis
            header.bits = try bits(row, "bits")
            let hash = try #require(BlockHash(row["hash"].string))
            #expect(!header.provesWork(hash: hash, limit: Network.mainnet.proofOfWorkLimit))
        }
    }

    @Test("Negative, overflowing and zero targets are refused as such")
    func failures() {
        typealias Failure = CompactTarget.Failure
        let cases: [(UInt32, Failure)] = [
            (0, .zero), (0x0100_3456, .zero), (0x0200_0056, .zero), (0x0480_0000, .zero),
            (0x01FE_DCBA, .negative), (0x04FE_DCBA, .negative), (0x1D80_FFFF, .negative),
            (0xFF12_3456, .overflow), (0x2300_0001, .overflow), (0x2200_0100, .overflow),
            (0x2101_0000, .overflow),
        ]
        for (bits, failure) in cases {
            #expect(throws: failure) { try CompactTarget(rawValue: bits).target() }
            #expect(CompactTarget(rawValue: bits).work == nil)
        }
    }

    @Test("Targets keep their three highest bytes in compact form, and the sign bit stays clear")
    func compact() throws {
        #expect(try CompactTarget(rawValue: 0x0112_3456).target() == UInt256(0x12))
        #expect(try CompactTarget(rawValue: 0x0212_3456).target() == UInt256(0x1234))
        #expect(try CompactTarget(rawValue: 0x0312_3456).target() == UInt256(0x12_3456))
        #expect(try CompactTarget(rawValue: 0x0412_3456).target() == UInt256(0x1234_5600))
        #expect(try CompactTarget(rawValue: 0x2200_0080).target().bitWidth == 256)
        #expect(CompactTarget(UInt256(0x80)).rawValue == 0x0200_8000)
        #expect(CompactTarget(UInt256(0x1234_5678)).rawValue == 0x0412_3456)
        #expect(CompactTarget(.zero).rawValue == 0)
        for network in Network.allCases {
            #expect(CompactTarget(network.proofOfWorkLimit) == network.genesis.bits)
        }
    }

    @Test("Work is 2^256 divided by one more than the target")
    func work() throws {
        #expect(CompactTarget(rawValue: 0x1D00_FFFF).work == UInt256(0x1_0001_0001))
        #expect(CompactTarget(rawValue: 0x207F_FFFF).work == UInt256(2))
        #expect(CompactTarget(rawValue: 0x0100_0100).work == nil)
        let hardest = CompactTarget(rawValue: 0x0101_0000).work
        #expect(hardest == UInt256(1).shifted(left: 255))
    }
}

@Suite("Integers of 256 bits")
struct UInt256Tests {
    private func random(_ generator: inout SeededGenerator) -> UInt256 {
        let value = UInt256(
            littleEndian: Bytes32 { buffer in
                for index in buffer.indices {
                    buffer[index] = .random(in: 0...255, using: &generator)
                }
            })
        return value.shifted(right: .random(in: 0...255, using: &generator))
    }

    @Test("What is divided multiplies back, what is subtracted adds back")
    func inverses() throws {
        var generator = SeededGenerator(seed: 4)
        for _ in 0..<500 {
            let a = random(&generator)
            let b = random(&generator)
            let difference = max(a, b).subtracting(min(a, b))
            #expect(difference?.adding(min(a, b)) == max(a, b))
            #expect(a == b || min(a, b).subtracting(max(a, b)) == nil)
            let divisor = UInt64.random(in: 1...UInt64.max, using: &generator)
            let quotient = a.divided(by: divisor)
            #expect(quotient == a.divided(by: UInt256(divisor)))
            let product = try #require(quotient.multiplied(by: divisor))
            let rest = try #require(a.subtracting(product))
            #expect(rest < UInt256(divisor))
            #expect(UInt256(littleEndian: a.littleEndian) == a)
        }
    }

    @Test("Nothing overflows silently, and shifts by any count are defined")
    func borders() {
        #expect(UInt256.max.adding(UInt256(1)) == nil)
        #expect(UInt256.zero.subtracting(UInt256(1)) == nil)
        #expect(UInt256.max.multiplied(by: 2) == nil)
        #expect(UInt256(1).shifted(left: 256) == .zero)
        #expect(UInt256.max.shifted(right: 300) == .zero)
        #expect(UInt256(1).shifted(left: 200).shifted(right: 200) == UInt256(1))
        #expect(UInt256(7).divided(by: UInt256(8)) == .zero)
        #expect(~UInt256.zero == .max)
        #expect(UInt256(0xAB).description == String(repeating: "0", count: 62) + "ab")
    }
}
