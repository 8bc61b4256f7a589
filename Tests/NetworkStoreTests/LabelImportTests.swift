import Database
import Labels
import NetworkCore
import StateFiles
import TestSupport
import Testing

@testable import NetworkStore

@Suite("Files of labels in the store")
struct LabelImportTests {
    /// Labels with numbers, whose text says when they were written.
    private static func labels(_ numbers: some Sequence<Int>, _ text: String) throws -> [Label] {
        let lines = numbers.map {
            #"{"type":"x\#($0 % 3)","ref":"r\#($0 * 7919 % 5003)","label":"\#(text)"}"# + "\n"
        }
        return try LabelFile.read(Array(lines.joined().utf8)).labels
    }

    private static func before() throws -> [Label] { try labels(0..<60, "before") }
    private static func file() throws -> [Label] { try labels(30..<330, "imported") }

    private static func all(_ store: NetworkStore) throws -> Set<Label> {
        var all: [Label] = []
        while true {
            let page = try store.labels(after: all.last?.subject, limit: 100)
            if page.isEmpty { break }
            all += page
        }
        let set = Set(all)
        #expect(set.count == all.count, "a thing has two labels")
        return set
    }

    private static func both() throws -> Set<Label> {
        let file = try file()
        let replaced = Set(file.map(\.subject))
        return Set(try before().filter { !replaced.contains($0.subject) } + file)
    }

    /// Imports the file as it is done in a running process.
    private static func importFile(_ store: NetworkStore) throws {
        while try store.tidyLabels() {}
        store.beginLabels()
        for part in [try file().prefix(270), try file().dropFirst(270)] {
            var batch = LabelBatch()
            batch.add(Array(part))
            while try store.prepareLabels(&batch) {}
        }
        try store.keepLabels()
    }

    /// Rows of each file, of which none may be left that does not count.
    private static func rows(_ disk: SimulatedDisk) throws -> [Int64?] {
        try PersonFileNames.all.map { file in
            let copy = SimulatedDisk()
            for (name, bytes) in disk.contents { copy.place(name, bytes) }
            let database = try Database(
                file, on: DiskFileSystem(copy), limits: PersonTables.schema(of: file).limits)
            return try database.number("SELECT count(*) FROM labels")
        }
    }

    private static func check(_ disk: SimulatedDisk, isKept: Bool, _ place: Comment) throws {
        let before = Set(try before())
        let after = try both()
        var found: Set<Label> = []
        do {
            let store = try NetworkStore(disk, Story.parameters)
            found = try all(store)
            #expect(found == after || (found == before && !isKept), place)
            while try store.tidyLabels() {}
            #expect(try all(store) == found, place)
            for label in found.prefix(5) {
                #expect(try store.label(of: label.subject) == label, place)
            }
        }
        let count = Int64(found.count)
        #expect(try rows(disk) == [count, count], place)
        // What was begun and cut is in no one's way.
        let store = try NetworkStore(disk, Story.parameters)
        try importFile(store)
        #expect(try all(store) == after, place)
    }

    @Test("an import counts as a whole, and leaves nothing that does not count")
    func whole() throws {
        let disk = SimulatedDisk()
        let store = try NetworkStore(disk, Story.parameters)
        try store.putLabels(try Self.before())
        try Self.importFile(store)
        #expect(try Self.all(store) == Self.both())
        #expect(store.mayTidyLabels)
        try Self.check(disk, isKept: true, "to its end")
    }

    @Test("of one thing that is twice in a file the later label counts")
    func twice() throws {
        let store = try NetworkStore(SimulatedDisk(), Story.parameters)
        store.beginLabels()
        for texts in [["first", "second"], ["third"], ["fourth", "fifth", "last"]] {
            var batch = LabelBatch()
            for text in texts { batch.add(try Self.labels(0..<9, text)) }
            while try store.prepareLabels(&batch) {}
        }
        try store.keepLabels()
        #expect(try Self.all(store) == Set(try Self.labels(0..<9, "last")))
    }

    @Test("a label that is set while a file is imported counts at once, and the file's comes after")
    func meanwhile() throws {
        let store = try NetworkStore(SimulatedDisk(), Story.parameters)
        try store.putLabels(try Self.before())
        store.beginLabels()
        var batch = LabelBatch()
        batch.add(try Self.file())
        #expect(try store.prepareLabels(&batch))
        let (inFile, other) = (try Self.labels(40..<41, "set"), try Self.labels(5..<6, "set"))
        try store.putLabels(inFile + other)
        #expect(try store.label(of: inFile[0].subject) == inFile[0])
        while try store.prepareLabels(&batch) {}
        #expect(try store.label(of: inFile[0].subject) == inFile[0])
        try store.keepLabels()
        while try store.tidyLabels() {}
        #expect(try store.label(of: inFile[0].subject)?.text == "imported")
        #expect(try store.label(of: other[0].subject) == other[0])
        try store.putLabels(inFile)
        #expect(try store.label(of: inFile[0].subject) == inFile[0])
        #expect(try Self.all(store).count == Self.both().count)
    }

    @Test("files that were opened anew in the middle of an import end it")
    func reopened() throws {
        let disk = SimulatedDisk()
        let store = try NetworkStore(disk, Story.parameters)
        try store.putLabels(try Self.before())
        store.beginLabels()
        var batch = LabelBatch()
        batch.add(try Self.file())
        #expect(try store.prepareLabels(&batch))
        try store.reopen()
        var rest = batch
        #expect(thrown(StoreFault.self) { _ = try store.prepareLabels(&rest) } != nil)
        #expect(thrown(StoreFault.self) { try store.keepLabels() } != nil)
        #expect(try Self.all(store) == Set(Self.before()))
        #expect(store.mayTidyLabels)
    }

    private static func prepared() throws -> SimulatedDisk {
        let disk = SimulatedDisk()
        try NetworkStore(disk, Story.parameters).putLabels(try before())
        return disk
    }

    private static func copy(_ disk: SimulatedDisk) -> SimulatedDisk {
        let copy = SimulatedDisk()
        for (name, bytes) in disk.contents { copy.place(name, bytes) }
        return copy
    }

    @Test("a power cut at any step of an import leaves the labels of before, or all of them")
    func powerCuts() throws {
        let prepared = try Self.prepared()
        let calm = Self.copy(prepared)
        try Self.importFile(NetworkStore(calm, Story.parameters))
        #expect(calm.steps > 60)
        var random = SeededGenerator(seed: 5)
        for step in 0..<calm.steps {
            let disk = Self.copy(prepared)
            disk.fault = (step, .powerCut)
            let isKept = (try? Self.importFile(NetworkStore(disk, Story.parameters))) != nil
            #expect(disk.isWithoutPower)
            let kinds: [SimulatedDisk.Survival] = [.chance, .nothing, .everything]
            disk.restart(kinds[step % 3], using: &random)
            try Self.check(disk, isKept: isKept, "step \(step)")
        }
    }

    @Test("a full or failing disk at any step of an import leaves the labels of before, or all")
    func failures() throws {
        let prepared = try Self.prepared()
        let calm = Self.copy(prepared)
        try Self.importFile(NetworkStore(calm, Story.parameters))
        for step in stride(from: 0, to: calm.steps, by: 2) {
            let failure: DiskFailure =
                step % 4 == 0 ? .noSpace : .failed(path: "wallets.db", "the device failed")
            let disk = Self.copy(prepared)
            disk.fault = (step, step % 3 == 0 ? .failure(failure) : .brokenFrom(failure))
            let isKept = (try? Self.importFile(NetworkStore(disk, Story.parameters))) != nil
            disk.mend()
            try Self.check(disk, isKept: isKept, "step \(step)")
        }
    }
}
