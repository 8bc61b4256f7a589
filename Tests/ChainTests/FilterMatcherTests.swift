import Bitcoin
import TestSupport
import Testing
import Wire

@testable import Chain

@Suite("Matching filters")
struct FilterMatcherTests {
    private func scripts(_ count: Int, _ generator: inout SeededGenerator) -> [Script] {
        (0..<count).map { _ in
            let length = [22, 23, 25, 34, 7, 8, 70].randomElement(using: &generator) ?? 22
            return Script(
                (0..<length).map { _ in UInt8.random(in: .min ... .max, using: &generator) })
        }
    }

    /// Whether any script is an element, told one by one.
    private func reference(
        _ scripts: [Script], _ filter: CompactFilter, _ block: BlockHash
    ) throws -> Bool {
        let elements = Set(try filter.elements())
        let hash = SipHash(block: block)
        return scripts.contains {
            elements.contains(CompactFilter.element($0.bytes, hash, range: filter.range))
        }
    }

    @Test("Every script of a block is found in its filter, alone and among a thousand others")
    func found() throws {
        var generator = SeededGenerator(seed: 1)
        let others = scripts(1_000, &generator)
        var tried = 0
        for record in try TestChain.records().suffix(1_100) where record.filter.count > 8 {
            let filter = try CompactFilter(record.filter)
            let hash = record.block.header.hash
            for script in Set(record.block.filteredOutputs) {
                var alone = FilterMatcher(WatchedScripts([script]))
                #expect(try alone.matches(filter, block: hash))
                tried += 1
                guard tried % 20 == 0 else { continue }
                var among = FilterMatcher(WatchedScripts(others + [script]))
                #expect(try among.matches(filter, block: hash))
            }
        }
        #expect(tried > 300)
    }

    @Test("What a matcher says is what the elements say, for any number of scripts and elements")
    func equality() throws {
        var generator = SeededGenerator(seed: 3)
        var hits = 0
        for count in [1, 2, 3, 4, 5, 24, 63, 64, 65, 1_000] {
            let watched = scripts(count, &generator)
            var matcher = FilterMatcher(WatchedScripts(watched), usesLanes: true)
            var plain = FilterMatcher(WatchedScripts(watched), usesLanes: false)
            #expect(matcher.scripts.count == Set(watched).count)
            for round in 0..<20 {
                let block = BlockHash(
                    Bytes32 { $0.storeBytes(of: UInt64(round), as: UInt64.self) })
                var elements = scripts([0, 1, 7, 300][round % 4], &generator)
                if round % 3 == 0, let one = watched.randomElement(using: &generator) {
                    elements.append(one)
                }
                let filter = CompactFilter(scripts: elements, block: block)
                let expected = try reference(watched, filter, block)
                #expect(try matcher.matches(filter, block: block) == expected)
                #expect(try plain.matches(filter, block: block) == expected)
                hits += expected ? 1 : 0
            }
        }
        #expect(hits == 70)
    }

    @Test("criterion 11: of 10,000 random filters none hides a script that is in it")
    func random() throws {
        var generator = SeededGenerator(seed: 11)
        var missed = 0
        for round in 0..<10_000 {
            let block = BlockHash(Bytes32 { $0.storeBytes(of: UInt64(round), as: UInt64.self) })
            let elements = scripts(Int.random(in: 1...6, using: &generator), &generator)
            let others = scripts(Int.random(in: 0...3, using: &generator), &generator)
            let one = try #require(elements.randomElement(using: &generator))
            let filter = CompactFilter(scripts: elements, block: block)
            var matcher = FilterMatcher(
                WatchedScripts(others + [one]), usesLanes: Bool.random(using: &generator))
            if try !matcher.matches(filter, block: block) { missed += 1 }
        }
        #expect(missed == 0)
    }

    @Test("The smallest and the largest element are found")
    func ends() throws {
        var generator = SeededGenerator(seed: 4)
        let block = BlockHash(.zero)
        let elements = scripts(500, &generator)
        let filter = CompactFilter(scripts: elements, block: block)
        let hash = SipHash(block: block)
        let ordered = elements.sorted {
            CompactFilter.element($0.bytes, hash, range: filter.range)
                < CompactFilter.element($1.bytes, hash, range: filter.range)
        }
        for script in [ordered[0], ordered[250], ordered[ordered.count - 1]] {
            var matcher = FilterMatcher(WatchedScripts(scripts(40, &generator) + [script]))
            #expect(try matcher.matches(filter, block: block))
        }
    }

    @Test("Nothing is found in an empty filter or by an empty set")
    func empty() throws {
        var generator = SeededGenerator(seed: 5)
        var some = FilterMatcher(WatchedScripts(scripts(10, &generator)))
        #expect(try !some.matches(.empty, block: BlockHash(.zero)))
        var none = FilterMatcher(WatchedScripts([.empty]))
        #expect(none.scripts.count == 0)
        let filter = CompactFilter(scripts: scripts(10, &generator), block: BlockHash(.zero))
        #expect(try !none.matches(filter, block: BlockHash(.zero)))
    }

    @Test("A filter that ends early is refused, and no match is made of what is not there")
    func truncated() throws {
        var generator = SeededGenerator(seed: 6)
        let block = BlockHash(.zero)
        let elements = scripts(300, &generator)
        let whole = CompactFilter(scripts: elements, block: block)
        var matcher = FilterMatcher(WatchedScripts(scripts(2_000, &generator)))
        var refused = 0
        for cut in 1..<40 {
            guard let filter = try? CompactFilter(Array(whole.bytes.dropLast(cut))) else {
                continue
            }
            do throws(FilterFault) {
                #expect(try !matcher.matches(filter, block: block))
            } catch {
                refused += 1
            }
        }
        #expect(refused > 10)
    }
}
