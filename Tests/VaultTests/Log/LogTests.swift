import SecretMemory
import StateFiles
import Testing

@testable import Vault

@Suite("Signed logs")
struct LogTests {
    @Test("what was appended is read, whole or byte by byte, and nothing is found")
    func roundTrip() throws {
        let log = try LogSamples(count: 9)
        for piece in [1, 7, 100, .max] {
            let (problems, records) = LogSamples.read(
                log.entries, head: log.heads[8], witness: log.heads[5], piece: piece)
            #expect(problems.isEmpty)
            #expect(records.count == 9)
            #expect(records[4] == [UInt8](repeating: 5, count: 35))
        }
    }

    @Test("several records at once make the same log as one after the other")
    func together() throws {
        let key = LogSamples.key()
        let records = (0..<3).map { LogRecord(.machine, [UInt8($0)]) }
        let once = try key.append(records, time: 1, after: nil, using: .fixed("same"))
        let random = RandomSource.fixed("same")
        var entries: [UInt8] = []
        var head: LogHead?
        for record in records {
            let step = try key.append([record], time: 1, after: head, using: random)
            #expect(step.offset == UInt64(entries.count))
            entries += step.entries
            head = step.head
        }
        #expect(once.entries == entries && once.head == head && once.offset == 0)
    }

    @Test("every bit of every entry, flipped: found, and mostly told which")
    func flippedEntries() throws {
        let log = try LogSamples(count: 3)
        let all = Array(log.entries.joined())
        var starts = [0]
        for entry in log.entries { starts.append(starts[starts.count - 1] + entry.count) }
        var told = 0
        for bit in 0..<all.count * 8 {
            var changed = all
            changed[bit / 8] ^= 1 << UInt8(bit % 8)
            let problems = LogSamples.problems([changed], head: log.heads[2])
            #expect(!problems.isEmpty, "bit \(bit)")
            let number = starts.lastIndex { $0 <= bit / 8 } ?? 0
            // Where the length or the number itself is changed, the entry cannot be told by it.
            guard bit / 8 - starts[number] >= 12 else { continue }
            #expect(problems.contains(.edited(UInt64(number + 1))), "bit \(bit)")
            told += 1
        }
        #expect(told == (all.count - 3 * 12) * 8)
    }

    @Test("every bit of a head, flipped, is refused")
    func flippedHead() throws {
        let head = try LogSamples(count: 2).heads[1]
        #expect(try LogHead(head.bytes) == head)
        for bit in 0..<LogHead.length * 8 {
            var changed = head.bytes
            changed[bit / 8] ^= 1 << UInt8(bit % 8)
            #expect(throws: LogProblem.self, "bit \(bit)") { try LogHead(changed) }
        }
        #expect(throws: LogProblem.headDamaged) { try LogHead(head.bytes + [0]) }
        #expect(throws: LogProblem.headDamaged) { try LogHead([]) }
    }

    @Test("cut, edited, reordered, taken out and doubled entries are told by number")
    func tampering() throws {
        let log = try LogSamples(count: 6)
        let head = log.heads[5]
        let entries = log.entries
        #expect(
            LogSamples.problems(Array(entries[..<4]), head: head) == [.cutOff(last: 4, head: 6)])
        #expect(LogSamples.problems([], head: head) == [.cutOff(last: 0, head: 6)])
        var edited = entries
        edited[2][100] ^= 1
        #expect(LogSamples.problems(edited, head: head).first == .edited(3))
        let swapped = [entries[0], entries[2], entries[1], entries[3], entries[4], entries[5]]
        #expect(
            LogSamples.problems(swapped, head: head) == [
                .missing(2...2), .outOfOrder(found: 2, after: 3), .missing(3...3),
            ])
        let without = [entries[0], entries[3], entries[4], entries[5]]
        #expect(LogSamples.problems(without, head: head) == [.missing(2...3)])
        let doubled = [entries[0], entries[1], entries[1]] + entries[2...]
        #expect(
            LogSamples.problems(doubled, head: head) == [.outOfOrder(found: 2, after: 2)])
        #expect(
            LogSamples.problems(entries, head: log.heads[4]) == [.beyondHead(last: 6, head: 5)])
        let half = Array(entries[..<5]) + [Array(entries[5].dropLast(3))]
        #expect(
            LogSamples.problems(half, head: head) == [
                .unreadable(after: 5), .cutOff(last: 5, head: 6),
            ])
        #expect(
            LogSamples.problems(entries + [[1, 2, 3, 4, 5]], head: head).first
                == .unreadable(after: 6))
        #expect(LogSamples.problems(entries, head: nil) == [.headMissing])
        #expect(LogSamples.problems([], head: nil) == [])
    }

    @Test("an older state of the whole log is told by a head that was kept elsewhere")
    func rollback() throws {
        let log = try LogSamples(count: 6)
        let old = Array(log.entries[..<4])
        #expect(LogSamples.problems(old, head: log.heads[3]) == [])
        #expect(
            LogSamples.problems(old, head: log.heads[3], witness: log.heads[5]) == [
                .rolledBack(counter: 4, witness: 6)
            ])
        #expect(
            LogSamples.problems([], head: nil, witness: log.heads[5]) == [
                .headMissing, .rolledBack(counter: 0, witness: 6),
            ])
        // A log set back and then continued is as long again, with other entries.
        let key = LogSamples.key()
        let other = try key.append(
            (0..<3).map { LogRecord(.machine, [$0]) }, time: 9, after: log.heads[3])
        #expect(
            LogSamples.problems(old + [other.entries], head: other.head, witness: log.heads[5])
                == [.rewritten(upTo: 6)])
        #expect(
            LogSamples.problems(old + [other.entries], head: other.head, witness: log.heads[3])
                == [])
    }

    @Test("entries of another copy of the log, and heads of another key, are told")
    func splicing() throws {
        let log = try LogSamples(count: 4)
        let other = try LogSamples(count: 4, seed: "another copy")
        let spliced = Array(log.entries[..<2]) + [other.entries[2], other.entries[3]]
        #expect(LogSamples.problems(spliced, head: other.heads[3]) == [.spliced(3)])
        #expect(
            LogSamples.problems(log.entries, head: other.heads[3]) == [.headOfAnotherEntry(4)])
        let stranger = LogKey(
            LogSamples.name, root: secret([UInt8](repeating: 1, count: 32)))
        let forged = try stranger.append([LogRecord(.machine, [])], time: 0, after: nil)
        #expect(LogSamples.problems(log.entries, head: forged.head) == [.headDamaged])
        #expect(throws: LogProblem.headDamaged) {
            _ = try LogSamples.key().append([LogRecord](), time: 0, after: forged.head)
        }
        let elsewhere = LogKey(
            .ledger(identifier(0x56)), root: secret([UInt8](repeating: 0x66, count: 32)))
        #expect(throws: LogProblem.anotherLog) {
            _ = try elsewhere.append([LogRecord](), time: 0, after: log.heads[0])
        }
    }

    @Test("a scope's key opens the entries of its scope and no other")
    func scopes() throws {
        let log = try LogSamples(count: 6)
        let key = LogSamples.key().scopeKey(LogSamples.wallet)
        var reader = LogReader(LogSamples.name, publicKey: LogSamples.key().publicKey)
        var opened: [UInt64] = []
        Array(log.entries.joined()).withUnsafeBytes { bytes in
            reader.append(bytes, keys: key) { entry, record in
                if record != nil { opened.append(entry.counter) }
                #expect((record != nil) == (entry.scope == LogSamples.wallet))
            }
        }
        #expect(reader.finish(head: log.heads[5]) == [])
        #expect(opened == [2, 3, 5, 6])
    }

    @Test("records of every length up to the limit come back, padded to steps of 64 bytes")
    func lengths() throws {
        let key = LogSamples.key()
        for count in [0, 1, 61, 62, 63, 126, 127, LogEntry.maximumRecord] {
            let record = [UInt8](repeating: 9, count: count)
            let step = try key.append([LogRecord(.machine, record)], time: 0, after: nil)
            #expect((step.entries.count - 92 - 16) % 64 == 0)
            #expect(LogSamples.read([step.entries], head: step.head).records == [record])
        }
    }
}
