import Bitcoin
import TestSupport
import Testing
import Wire

@testable import Chain

@Suite("Compact filters")
struct CompactFilterTests {
    /// Rebuilds a filter and compares it with the bytes that others made.
    private func check(
        _ block: Block, spent: [Script], _ bytes: [UInt8], after previous: FilterHeader
    ) throws -> FilterHeader {
        let filter = CompactFilter(block: block, spent: spent)
        #expect(filter.bytes == bytes)
        let read = try CompactFilter(bytes)
        #expect(read == filter)
        try read.check()
        #expect(
            try read.containsAll(
                block.filteredOutputs + spent.filter { !$0.isEmpty }, block: block.header.hash))
        return read.hash.header(after: previous)
    }

    @Test("The 10 blocks of BIP158 have the filters and headers that it lists")
    func bip158() throws {
        let rows = try Fixture.json("filters/bip158.json").array
        #expect(rows.count == 10)
        var reader = Reader(try Fixture.bytes("blocks/testnet3.bin"))
        _ = try reader.read(Int(reader.readUInt32()))
        for row in rows {
            let block = try Block(reader.read(Int(reader.readUInt32())))
            #expect(try block.header.hash == BlockHash(row["hash"].string))
            let spent = try row["prevouts"].array.map { Script(try $0.hex) }
            let previous = try #require(try FilterHeader(row["previous"].string))
            let header = try check(block, spent: spent, row["filter"].hex, after: previous)
            #expect(try header == FilterHeader(row["header"].string))
        }
        #expect(reader.isAtEnd)
    }

    @Test("Mainnet's first 256 filters, rebuilt from its blocks, end in the published headers")
    func mainnet() throws {
        var filters = Reader(try Fixture.bytes("filters/mainnet-0-255.bin"))
        var headers = Reader(try Fixture.bytes("filters/mainnet-headers-0-10236.bin"))
        var blocks = Reader(try Fixture.bytes("blocks/mainnet-1-255.bin"))
        var outputs: [OutPoint: Script] = [:]
        var chain = FilterHeaderChain()
        var spends = 0
        for height in 0...255 {
            let bytes = try filters.read(Int(filters.readUInt32()))
            let published = FilterHeader(try headers.readBytes32())
            if height > 0 {
                let block = try Block(blocks.read(Int(blocks.readUInt32())))
                let spent = try spend(block, &outputs)
                spends += spent.count
                #expect(try check(block, spent: spent, bytes, after: chain.tip) == published)
            }
            chain.append(try CompactFilter(bytes).hash)
            #expect(chain.tip == published)
            #expect(chain.header(at: height) == published)
        }
        #expect(filters.isAtEnd && blocks.isAtEnd)
        #expect(spends == 7)
    }

    /// The scripts that a block spends, and notes those that it pays.
    private func spend(_ block: Block, _ outputs: inout [OutPoint: Script]) throws -> [Script] {
        var spent: [Script] = []
        for transaction in block.transactions {
            let txid = transaction.txid
            for (vout, output) in transaction.outputs.enumerated() {
                outputs[OutPoint(txid: txid, vout: UInt32(vout))] = output.scriptPubKey
            }
        }
        for input in block.transactions.dropFirst().flatMap(\.inputs) {
            spent.append(try #require(outputs[input.outpoint]))
        }
        return spent
    }

    @Test(
        "Bitcoin Core's 2,034 filters of a recorded chain, and those of its forks, come out again")
    func recorded() throws {
        let main = try TestChain.records()
        #expect(main.count == 2_034)
        var outputs: [OutPoint: Script] = [:]
        var previous = FilterHeader.beforeGenesis
        for record in main {
            let spent = try spend(record.block, &outputs)
            previous = try check(record.block, spent: spent, record.filter, after: previous)
            #expect(previous.bytes == record.filterHeader)
        }
        for (depth, fork) in [(1, 2_032), (3, 2_030), (12, 2_021), (101, 1_932)] {
            previous = FilterHeader(main[fork].filterHeader)
            for record in try TestChain.records("core-regtest-fork-\(depth)") {
                let spent = try spend(record.block, &outputs)
                previous = try check(record.block, spent: spent, record.filter, after: previous)
                #expect(previous.bytes == record.filterHeader)
            }
        }
    }

    @Test("A filter that leaves out one script that its block pays is told apart")
    func omission() throws {
        let block = try #require(try TestChain.records().first { $0.block.transactions.count > 3 })
            .block
        let scripts = block.filteredOutputs
        let hash = block.header.hash
        for left in scripts.indices {
            var rest = scripts
            rest.remove(at: left)
            let filter = CompactFilter(scripts: rest, block: hash)
            let isWhole = try filter.containsAll(scripts, block: hash)
            #expect(isWhole == rest.contains(scripts[left]))
        }
    }

    @Test("Bytes that are no filter are refused, each for its reason")
    func hostile() throws {
        func fault(_ bytes: [UInt8]) -> FilterFault? {
            do throws(FilterFault) {
                try CompactFilter(bytes).check()
                return nil
            } catch {
                return error
            }
        }
        #expect(fault([0]) == nil)
        #expect(fault([]) == .wire(.truncated(position: 0, needed: 1, available: 0)))
        #expect(fault([0xFD, 1, 0]) == .wire(.nonCanonicalCompactSize(position: 0)))
        #expect(fault([0xFE, 1]) == .wire(.truncated(position: 1, needed: 4, available: 1)))
        #expect(fault([0, 0]) == .trailingBytes(count: 1))
        #expect(fault([0, 1, 2, 3]) == .trailingBytes(count: 3))
        #expect(fault([1]) == .tooMany(found: 1, allowed: 0))
        #expect(fault([1, 0, 0]) == .tooMany(found: 1, allowed: 0))
        #expect(fault([1, 0, 0, 0]) == nil)
        #expect(fault([1, 0, 0, 0, 0]) == .trailingBytes(count: 1))
        #expect(fault([1, 0x80, 0, 0]) == nil)
        #expect(fault([1, 0xF8, 0, 0]) == .truncated(element: 0))
        #expect(fault([1, 0xFF, 0xFF, 0xFF]) == .truncated(element: 0))
        #expect(fault([2] + [UInt8](repeating: 0xFF, count: 100)) == .truncated(element: 0))
        #expect(
            fault([UInt8](repeating: 0xFF, count: 9) + [1])
                == .tooMany(found: .max, allowed: 0))
        let long = [UInt8](repeating: 0, count: CompactFilter.maximumSize + 1)
        #expect(fault(long) == .tooLong(found: long.count, allowed: CompactFilter.maximumSize))
        var many = Writer()
        many.writeCompactSize(100_001)
        #expect(
            fault(many.bytes + [UInt8](repeating: 0, count: 255 << 10))
                == .tooMany(found: 100_001, allowed: 100_000))
    }

    @Test("The largest honest filter is read, and so is any difference, however long its code")
    func borders() throws {
        var generator = SeededGenerator(seed: 2)
        let elements = (0..<90_000).map { _ in
            UInt64.random(in: 0..<90_000 * 784_931, using: &generator)
        }
        let large = try CompactFilter(CompactFilter(elements: elements).bytes)
        #expect(large.bytes.count < 240_000)
        #expect(try large.elements() == elements.sorted())
        let differences: [UInt64] = [0, 36, 37, 38, 55, 56, 57, 58, 63, 64, 65, 112, 113, 1_000]
            .flatMap { [$0 << 19, $0 << 19 | 0x7FFFF, $0 << 19 | 0x2AAAA] }
        var sum: UInt64 = 0
        let sums = differences.map { difference in
            sum += difference
            return sum
        }
        let long = CompactFilter(elements: sums)
        #expect(try CompactFilter(long.bytes).elements() == sums)
    }

    @Test("Changed bytes are read or refused, and never trap")
    func mutations() throws {
        var generator = SeededGenerator(seed: 158)
        let filters = try TestChain.records().suffix(900).map(\.filter)
        var refused = 0
        for _ in 0..<5_000 {
            let bytes = generator.mutated(filters.randomElement(using: &generator) ?? [])
            guard let filter = try? CompactFilter(bytes), (try? filter.check()) != nil else {
                refused += 1
                continue
            }
            #expect(try filter.elements().count == filter.count)
        }
        #expect((1..<5_000).contains(refused))
    }
}

@Suite("SipHash")
struct SipHashTests {
    @Test("The answers of its authors' reference")
    func vectors() {
        let hash = SipHash(key0: 0x0706_0504_0302_0100, key1: 0x0F0E_0D0C_0B0A_0908)
        let cases: [(Int, UInt64)] = [
            (0, 0x726F_DB47_DD0E_0E31), (1, 0x74F8_39C5_93DC_67FD), (15, 0xA129_CA61_49BE_45E5),
        ]
        for (length, expected) in cases {
            #expect(hash.hash((0..<length).map { UInt8($0) }) == expected)
        }
    }

    @Test("Messages side by side hash as they do alone")
    func lanes() {
        var generator = SeededGenerator(seed: 24)
        let hash = SipHash(key0: generator.next(), key1: generator.next())
        for length in [1, 7, 8, 22, 34, 300] {
            let messages = (0..<8).map { _ in
                (0..<length).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
            }
            let words = messages.map(SipHash.words)
            let count = words[0].count
            let columns = (0..<count).flatMap { place in words.map { $0[place] } }
            let alone = messages.map(hash.hash)
            columns.withUnsafeBufferPointer { columns in
                guard let start = columns.baseAddress else { return }
                let eight = hash.hash(start, count: count, stride: 8, as: SIMD8<UInt64>.self)
                let four = hash.hash(start + 4, count: count, stride: 8, as: SIMD4<UInt64>.self)
                #expect((0..<8).map { eight[$0] } == alone)
                #expect((0..<4).map { four[$0] } == Array(alone[4...]))
            }
        }
    }
}
