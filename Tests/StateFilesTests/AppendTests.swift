import StateFiles
import TestSupport
import Testing

/// What lies behind the end that a head counts is read as tampering, so nothing may be left there.
@Suite("Appends")
struct AppendTests {
    private struct Ends {
        /// Every file without those that are staged before a transaction begins.
        var old: [String: [UInt8]]
        var new: [String: [UInt8]]
        var steps: Int
    }

    private static let appending = Scenario.all.filter { scenario in
        scenario.changes.contains { if case .append = $0 { true } else { false } }
    }

    private func ends(_ scenario: Scenario) throws -> Ends {
        let disk = scenario.disk(leftBehind: [])
        let old = disk.contents.filter { !$0.key.hasSuffix(".new") }
        try Transaction(scenario.changes).commit(to: disk)
        #expect(disk.contents["ledger/entries"]?.count == 70)
        return Ends(old: old, new: disk.contents, steps: disk.steps)
    }

    @Test(
        "A file that was appended to has its old bytes or its new ones, after a power cut or a failure at any step",
        arguments: appending)
    func everyStep(scenario: Scenario) throws {
        let ends = try ends(scenario)
        let faults: [SimulatedDisk.Fault] = [
            .powerCut, .failure(.noSpace), .brokenFrom(.failed(path: "x", "EIO")),
        ]
        var points = 0
        for step in 0..<ends.steps {
            for fault in faults {
                for seed in 0..<6 as Range<UInt64> {
                    let disk = scenario.disk(leftBehind: [])
                    disk.fault = (step, fault)
                    try check(disk, scenario, ends, seed &* 1000 &+ UInt64(step))
                    points += 1
                }
            }
        }
        #expect(points == 18 * ends.steps)
    }

    private func check(
        _ disk: SimulatedDisk, _ scenario: Scenario, _ ends: Ends, _ seed: UInt64
    ) throws {
        var expected: [[String: [UInt8]]] = [ends.old, ends.new]
        do throws(Transaction.Failure) {
            try Transaction(scenario.changes).commit(to: disk)
            expected = [ends.new]
            #expect(disk.contents == ends.new)
        } catch {
            if case .unchanged = error, !disk.isWithoutPower {
                expected = [ends.old]
                #expect(disk.contents["ledger/entries"] == ends.old["ledger/entries"])
            }
        }
        var random = SeededGenerator(seed: seed)
        // The first recoveries lose power too.
        for step in 0..<Int(seed % 5) {
            disk.restart(.chance, using: &random)
            disk.fault = (step, .powerCut)
            _ = try? StateStore(disk).recover()
        }
        disk.restart(seed % 2 == 0 ? .everything : .chance, using: &random)
        try StateStore(disk).recover()
        let recovered = disk.contents
        let isExpected = expected.contains(recovered)
        #expect(isExpected, "seed \(seed)")
        disk.restart(.nothing, using: &random)
        let isKept = disk.contents == recovered
        #expect(isKept, "what was recovered outlives a power cut")
    }

    @Test("A disk that failed for a while is recovered without a restart, though that loses power")
    func failedForAWhile() throws {
        let scenario = Self.appending[0]
        let ends = try ends(scenario)
        var unsettled = 0
        for step in 0..<ends.steps {
            for cut in 0..<12 {
                let disk = scenario.disk(leftBehind: [])
                let store = StateStore(disk)
                try store.recover()
                disk.fault = (disk.steps + step, .brokenFrom(.noSpace))
                do throws(Transaction.Failure) {
                    try store.commit(scenario.changes)
                } catch {
                    if case .unsettled = error { unsettled += 1 }
                }
                disk.mend()
                disk.fault = (disk.steps + cut, .powerCut)
                try? store.commit([.put(.index(StateFileTests.id(200)), [1])])
                var random = SeededGenerator(seed: UInt64(step))
                disk.restart(.nothing, using: &random)
                try StateStore(disk).recover()
                var contents = disk.contents
                contents[StateFile.index(StateFileTests.id(200)).path] = nil
                let isWhole = contents == ends.old || contents == ends.new
                #expect(isWhole, "step \(step), cut \(cut)")
            }
        }
        #expect(unsettled > 30)
    }

    @Test(
        "A head that was set back is left beside its longer log: only what a journal names is cut")
    func setBack() throws {
        let disk = Scenario.all[0].disk()
        let entries = disk.contents["ledger/entries"]
        try StateStore(disk).recover()
        #expect(disk.contents["ledger/entries"] == entries)
        disk.place("journal.new", Array("BHJRNL1\n".utf8) + [3, 1, 2])
        try StateStore(disk).recover()
        #expect(disk.contents["ledger/entries"] == entries)
        #expect(disk.contents["journal.new"] == nil)
    }
}
