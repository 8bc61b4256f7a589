import Chain
import NetworkCore
import StateFiles
import TestSupport
import Testing

@testable import NetworkStore

/// A disk of which one file fails for as long as a test says.
private final class FailingDisk: Disk {
    private let disk = SimulatedDisk()
    var failing: (prefix: String, failure: DiskFailure)?
    /// Whether what is there can be read all the same.
    var reads = false

    private func check(_ path: String, isReading: Bool = false) throws(DiskFailure) {
        guard let failing, path.hasPrefix(failing.prefix), !(isReading && reads) else { return }
        throw failing.failure
    }

    /// Changes a byte behind everybody's back.
    func damage(_ path: String, at place: Int) {
        guard var bytes = disk.contents[path] else { return }
        bytes[place] ^= 1
        disk.place(path, bytes)
    }

    func names(in directory: String) throws(DiskFailure) -> [String] {
        try disk.names(in: directory)
    }

    func read(_ path: String, limit: Int) throws(DiskFailure) -> [UInt8]? {
        try check(path, isReading: true)
        return try disk.read(path, limit: limit)
    }

    func read(
        _ path: String, at offset: UInt64, count: Int
    ) throws(DiskFailure) -> [UInt8] {
        try check(path, isReading: true)
        return try disk.read(path, at: offset, count: count)
    }

    func size(of path: String) throws(DiskFailure) -> UInt64? { try disk.size(of: path) }

    func create(_ path: String) throws(DiskFailure) {
        try check(path)
        try disk.create(path)
    }

    func write(
        _ bytes: [UInt8], to path: String, at offset: UInt64
    ) throws(DiskFailure) {
        try check(path)
        try disk.write(bytes, to: path, at: offset)
    }

    func truncate(_ path: String, to size: UInt64) throws(DiskFailure) {
        try disk.truncate(path, to: size)
    }

    func flush(_ path: String) throws(DiskFailure) { try disk.flush(path) }

    func rename(_ path: String, to target: String) throws(DiskFailure) {
        try disk.rename(path, to: target)
    }

    func remove(_ path: String) throws(DiskFailure) { try disk.remove(path) }

    func makeDirectory(_ path: String) throws(DiskFailure) -> Bool {
        try disk.makeDirectory(path)
    }

    func removeDirectory(_ path: String) throws(DiskFailure) -> Bool {
        try disk.removeDirectory(path)
    }

    func flushDirectory(_ path: String) throws(DiskFailure) { try disk.flushDirectory(path) }
}

@Suite("The file of filters")
struct FilterFileTests {
    @Test(
        "where fewer filters are kept the file gets shorter, a step at a time, and loses none of the rest"
    )
    func room() throws {
        let disk = SimulatedDisk()
        let store = try NetworkStore(disk, Story.parameters)
        let filter = [UInt8](repeating: 7, count: 100_000)
        for start in stride(from: 1, to: 1_000, by: 50) {
            try store.commit([.keepFilters(from: start, Array(repeating: filter, count: 50))])
        }
        try store.commit([.keepFilters(from: 1_000, [Story.filter(1)])])
        #expect(!store.giveBackRoom())
        let before = disk.contents["filters.db"]?.count ?? 0
        #expect(before > 95_000_000)
        try store.commit([.dropFilters(1...999)])
        var steps = 1
        while store.giveBackRoom() { steps += 1 }
        #expect(steps > 3)
        let after = disk.contents["filters.db"]?.count ?? 0
        #expect(after < 70_000_000)
        #expect(store.readFilters(999...1_000) == [nil, Story.filter(1)])
        // What is left free is for the next ones.
        try store.commit([.keepFilters(from: 1, Array(repeating: filter, count: 500))])
        #expect(!store.giveBackRoom() && disk.contents["filters.db"]?.count ?? 0 < 70_000_000)
        try store.reopen()
        #expect(store.readFilters(1...1) == [filter] && store.takeNotices().isEmpty)
    }

    // MARK: Cut in the middle

    private static let filters = (1...200).map { height in
        [UInt8](repeating: UInt8(height), count: 5_000)
    }

    /// A disk with filters of 200 blocks, those of the first 150 dropped.
    private static let dropped: [String: [UInt8]] = {
        let disk = SimulatedDisk()
        guard let store = try? NetworkStore(disk, Story.parameters) else { return [:] }
        for start in stride(from: 0, to: 200, by: 20) {
            try? store.commit([
                .keepFilters(from: start + 1, Array(filters[start..<start + 20]))
            ])
        }
        try? store.commit([.dropFilters(1...150)])
        return disk.contents
    }()

    private static func disk() -> SimulatedDisk {
        let disk = SimulatedDisk()
        for (name, bytes) in dropped { disk.place(name, bytes) }
        return disk
    }

    private static func shrink(_ store: NetworkStore) {
        while store.giveBackRoom(keeping: 20, most: 30) {}
    }

    private static func length(_ disk: SimulatedDisk) -> Int {
        disk.contents["filters.db"]?.count ?? 0
    }

    private static let small = 400_000

    private static func check(_ store: NetworkStore, _ place: Comment) {
        #expect(store.readFilters(151...200) == filters[150...].map { $0 }, place)
        #expect(store.readFilters(1...150).allSatisfy { $0 == nil }, place)
    }

    @Test("a power cut at any step of its shrinking costs nothing, and the next start goes on")
    func powerCuts() throws {
        let calm = Self.disk()
        do {
            let store = try NetworkStore(calm, Story.parameters)
            #expect(store.giveBackRoom(keeping: 20, most: 30))
            Self.shrink(store)
        }
        #expect(calm.steps > 40 && Self.length(calm) < Self.small)
        var random = SeededGenerator(seed: 8)
        let kinds: [SimulatedDisk.Survival] = [.chance, .nothing, .everything]
        for step in 0..<calm.steps {
            for kind in kinds {
                let disk = Self.disk()
                disk.fault = (step, .powerCut)
                if let store = try? NetworkStore(disk, Story.parameters) { Self.shrink(store) }
                #expect(disk.isWithoutPower)
                disk.restart(kind, using: &random)
                let store = try NetworkStore(disk, Story.parameters)
                Self.check(store, "step \(step), \(kind)")
                Self.shrink(store)
                Self.check(store, "step \(step), \(kind), gone on")
                #expect(store.takeNotices().isEmpty, "step \(step), \(kind)")
                #expect(Self.length(disk) < Self.small, "step \(step), \(kind)")
            }
        }
    }

    @Test("a full or failing disk at any step of its shrinking is told once, and later it goes on")
    func failures() throws {
        let calm = Self.disk()
        let opened = try NetworkStore(calm, Story.parameters)
        let first = calm.steps
        Self.shrink(opened)
        var told = 0
        for step in first..<calm.steps {
            for isLasting in [true, false] {
                let disk = Self.disk()
                let failure: DiskFailure =
                    step % 2 == 0 ? .noSpace : .failed(path: "filters.db", "the device failed")
                let store = try NetworkStore(disk, Story.parameters)
                disk.fault = (step, isLasting ? .brokenFrom(failure) : .failure(failure))
                Self.shrink(store)
                let isTold = store.hasFilterTrouble
                if isTold, isLasting {
                    // As often as it is tried, it is said once.
                    for _ in 0..<3 { #expect(!store.giveBackRoom(keeping: 20, most: 30)) }
                }
                disk.mend()
                let notices = store.takeNotices()
                #expect(notices.count == (isTold ? 1 : 0), "step \(step)")
                told += notices.count
                Self.shrink(store)
                #expect(!store.hasFilterTrouble, "step \(step)")
                #expect(
                    store.takeNotices() == (isTold ? ["filters.db can be used again"] : []),
                    "step \(step)")
                Self.check(store, "step \(step)")
                #expect(Self.length(disk) < Self.small, "step \(step)")
            }
        }
        #expect(told > 10)
    }

    // MARK: It alone fails

    @Test("where it alone fails everything else is written, and it is used again without a start")
    func aloneFailing() throws {
        let disk = FailingDisk()
        let story = Story()
        let store = try NetworkStore(disk, Story.parameters)
        for list in story.lists.prefix(4) { try store.commit(list) }
        disk.failing = ("filters.db", .failed(path: "filters.db", "the device failed"))
        for list in story.lists.dropFirst(4) { try store.commit(list) }
        #expect(store.hasFilterTrouble && !store.giveBackRoom())
        #expect(store.readFilters(270...271) == [nil, nil])
        let notices = store.takeNotices()
        #expect(notices.count == 1 && notices[0].hasPrefix("filters.db cannot be used now: "))
        // A start does without it, too.
        try store.reopen()
        let state = try store.load()
        #expect(state.headers.height == 310 && state.wallets[0].issued == [0: 7])
        #expect(store.hasFilterTrouble && store.takeNotices().count == 1)
        disk.failing = nil
        #expect(!store.giveBackRoom() && !store.hasFilterTrouble)
        #expect(store.takeNotices() == ["filters.db can be used again"])
        try store.commit([.keepFilters(from: 270, [Story.filter(270)])])
        #expect(store.readFilters(270...271) == [Story.filter(270), nil])
    }

    @Test("one that is damaged while the disk is full is made anew once there is room")
    func fullWhenDamaged() throws {
        let disk = FailingDisk()
        let store = try NetworkStore(disk, Story.parameters)
        try store.commit([.keepFilters(from: 1, (1...300).map(Story.filter))])
        try store.reopen()
        for page in 1..<8 { disk.damage("filters.db", at: page * 4096 + 9) }
        (disk.failing, disk.reads) = (("filters.db", .noSpace), true)
        #expect(store.readFilters(1...300).allSatisfy { $0 == nil })
        #expect(store.hasFilterTrouble && !store.giveBackRoom() && store.hasFilterTrouble)
        try store.commit([.appendHeaders(from: 1, Array(Story().first.prefix(5)))])
        disk.failing = nil
        #expect(!store.giveBackRoom() && !store.hasFilterTrouble)
        try store.commit([.keepFilters(from: 7, [Story.filter(7)])])
        #expect(store.readFilters(7...7) == [Story.filter(7)])
        #expect(store.takeNotices().last == "filters.db can be used again")
    }
}
