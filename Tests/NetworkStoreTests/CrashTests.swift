import Chain
import NetworkCore
import NetworkStore
import StateFiles
import TestSupport
import Testing

@Suite("Store of the network process: crashes")
struct CrashTests {
    private static let story = Story()

    /// What is there after each list, the empty store first.
    private static let stages: [Snapshot] = {
        var stages: [Snapshot] = []
        let disk = SimulatedDisk()
        guard let store = try? NetworkStore(disk, Story.parameters) else { return [] }
        for list in [[]] + story.lists {
            try? store.commit(list)
            if let state = try? store.load() { stages.append(Snapshot(state)) }
        }
        return stages
    }()

    /// How many lists were acknowledged.
    private static func tell(_ disk: SimulatedDisk, _ done: inout Int) throws {
        let store = try NetworkStore(disk, Story.parameters)
        for list in story.lists {
            try store.commit(list)
            done += 1
        }
    }

    /// The stages that a crash after so many acknowledged lists may leave.
    private static func allowed(_ done: Int) -> (found: [Snapshot], person: [Snapshot]) {
        // The reorganisation is the eighth list, and lasts.
        let lowest = done >= 8 ? 8 : 0
        let end = min(done + 2, stages.count)
        return (Array(stages[lowest..<end]), Array(stages[done..<end]))
    }

    private static func check(_ disk: SimulatedDisk, _ done: Int, _ place: Comment) throws {
        let store = try NetworkStore(disk, Story.parameters)
        let state = try store.load()
        #expect(store.takeNotices().allSatisfy { $0.contains("anew from its copy") }, place)
        let found = Snapshot(state)
        let (stages, person) = allowed(done)
        #expect(person.map(\.person).contains(found.person), place)
        // Of a wallet that is not there, nothing else is.
        let chain = stages.map { stage in
            var part = stage.found
            part.progress = part.progress.filter { found.person.names[$0.key] != nil }
            return part
        }
        #expect(chain.contains(found.found), place)
        #expect(state.keptFilters.runs.allSatisfy { $0.heights.upperBound <= 310 }, place)
        for height in 260...300 where state.keptFilters.contains(height) {
            #expect(store.readFilters(height...height) == [Story.filter(height)], place)
        }
        try store.commit(story.lists[0])
    }

    @Test("a power cut at any step leaves what a person said, and a whole older state of the rest")
    func powerCuts() throws {
        #expect(CrashTests.stages.count == 16)
        let calm = SimulatedDisk()
        var all = 0
        try CrashTests.tell(calm, &all)
        #expect(all == 15)
        var random = SeededGenerator(seed: 11)
        var cuts = 0
        for step in 0..<calm.steps {
            let survival: SimulatedDisk.Survival =
                switch step % 3 {
                case 0: .chance
                case 1: .nothing
                default: .everything
                }
            let disk = SimulatedDisk()
            disk.fault = (step, .powerCut)
            var done = 0
            try? CrashTests.tell(disk, &done)
            disk.restart(survival, using: &random)
            try CrashTests.check(disk, done, "step \(step)")
            cuts += 1
        }
        #expect(cuts > 150)
    }

    @Test("a full or failing disk is named, blames nothing else, and loses nothing")
    func failures() throws {
        let calm = SimulatedDisk()
        var all = 0
        try CrashTests.tell(calm, &all)
        var kinds: Set<StoreFault.Kind> = []
        for step in stride(from: 0, to: calm.steps, by: 2) {
            let failure: DiskFailure =
                step % 4 == 0 ? .noSpace : .failed(path: "chain.db", "the device failed")
            let disk = SimulatedDisk()
            disk.fault = (step, step % 3 == 0 ? .failure(failure) : .brokenFrom(failure))
            var done = 0
            do {
                try CrashTests.tell(disk, &done)
            } catch let fault as StoreFault {
                kinds.insert(fault.kind)
            } catch {
                #expect(error is StoreRefusal)
            }
            disk.mend()
            try CrashTests.check(disk, done, "step \(step)")
        }
        #expect(kinds == [.noSpace, .device])
    }

    @Test("what a person said and is written is acknowledged, though the log stays where it is")
    func fullAfterCommit() throws {
        let calm = SimulatedDisk()
        let lists = CrashTests.story.lists.prefix(5)
        let last = CrashTests.story.lists[5]
        let opened = try NetworkStore(calm, Story.parameters)
        for list in lists { try opened.commit(list) }
        let before = calm.steps
        try opened.commit(last)
        var kept = 0
        for step in before..<calm.steps {
            let disk = SimulatedDisk()
            let store = try NetworkStore(disk, Story.parameters)
            for list in lists { try store.commit(list) }
            disk.fault = (step, .brokenFrom(.noSpace))
            let isAcknowledged = (try? store.commit(last)) != nil
            disk.mend()
            let notices = store.takeNotices()
            try store.reopen()
            guard isAcknowledged else { continue }
            #expect(!notices.isEmpty, "step \(step)")
            #expect(try store.load().wallets[0].issued == [0: 4], "step \(step)")
            kept += notices.count { $0.hasPrefix("what was written is kept in wallets.db-wal") }
        }
        #expect(kept > 0)
    }
}
