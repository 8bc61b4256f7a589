import Database
import StateFiles
import TestSupport
import Testing

/// A table of numbered blobs, written in transactions that each hold or do not.
struct Notebook {
    let database: Database

    static let limits = Database.Limits(
        fileSize: 16 << 20, valueSize: 1 << 20, cacheSize: 256 << 10)

    init(_ disk: SimulatedDisk) throws(DatabaseError) {
        database = try Database(
            "notes.db", on: DiskFileSystem(disk), limits: Notebook.limits)
        try database.run(
            "CREATE TABLE IF NOT EXISTS notes (id INTEGER PRIMARY KEY, text BLOB) STRICT")
    }

    /// A page that other pages do not resemble.
    static func text(_ number: Int64) -> [UInt8] {
        Array(repeating: UInt8(truncatingIfNeeded: number), count: 5000 + Int(number % 7) * 400)
    }

    func write(_ numbers: Range<Int64>, isLasting: Bool = true) throws(DatabaseError) {
        try database.transaction(isLasting: isLasting) { () throws(DatabaseError) in
            for number in numbers {
                try database.run(
                    "INSERT OR REPLACE INTO notes VALUES (?, ?)", .integer(number),
                    .blob(Notebook.text(number)))
            }
        }
    }

    func erase(from number: Int64) throws(DatabaseError) {
        try database.transaction { () throws(DatabaseError) in
            try database.run("DELETE FROM notes WHERE id >= ?", .integer(number))
        }
    }

    /// The numbers that are there; their texts are compared.
    func numbers() throws(DatabaseError) -> [Int64] {
        var numbers: [Int64] = []
        try database.query("SELECT id, text FROM notes ORDER BY id") { row throws(DatabaseError) in
            guard row.blob(1) == Notebook.text(row.integer(0)) else {
                throw .damaged(file: "notes.db", "another text at \(row.integer(0))")
            }
            numbers.append(row.integer(0))
        }
        return numbers
    }
}

@Suite("Database")
struct DatabaseTests {
    /// What the story below leaves after each of its steps.
    static let stages: [[Int64]] = [
        [], Array(0..<3), Array(0..<12), Array(0..<2), Array(0..<2) + Array(20..<28),
    ]

    /// Counts the steps that were acknowledged.
    private func tell(_ disk: SimulatedDisk, _ done: inout Int) throws(DatabaseError) {
        let notebook = try Notebook(disk)
        try notebook.write(0..<3)
        done = 1
        try notebook.write(3..<12)
        done = 2
        try notebook.erase(from: 2)
        done = 3
        try notebook.database.checkpoint()
        try notebook.write(20..<28)
        done = 4
        try notebook.database.checkpoint()
    }

    @Test("a power cut at any step leaves what was acknowledged, or one step more, whole")
    func powerCuts() throws {
        let calm = SimulatedDisk()
        var all = 0
        try tell(calm, &all)
        #expect(all == 4)
        var random = SeededGenerator(seed: 7)
        var cuts = 0
        for step in 0..<calm.steps {
            for survival in [SimulatedDisk.Survival.nothing, .everything, .chance, .chance] {
                let disk = SimulatedDisk()
                disk.fault = (step, .powerCut)
                var done = 0
                try? tell(disk, &done)
                disk.restart(survival, using: &random)
                let notebook = try Notebook(disk)
                try notebook.database.check()
                let found = try notebook.numbers()
                let allowed = DatabaseTests.stages[done...].prefix(2)
                let place: Comment = "step \(step)"
                #expect(allowed.contains(found), place)
                try notebook.write(100..<101)
                cuts += 1
            }
        }
        #expect(cuts == calm.steps * 4 && cuts > 200)
    }

    @Test("a failing disk says so, loses nothing, and goes on when it works again")
    func failures() throws {
        let calm = SimulatedDisk()
        var all = 0
        try tell(calm, &all)
        for step in 0..<calm.steps {
            for failure in [DiskFailure.noSpace, .failed(path: "notes.db", "the device failed")] {
                for fault in [SimulatedDisk.Fault.failure(failure), .brokenFrom(failure)] {
                    let disk = SimulatedDisk()
                    disk.fault = (step, fault)
                    var done = 0
                    let error = thrown(DatabaseError.self) { try tell(disk, &done) }
                    let place: Comment = "step \(step)"
                    if let error { #expect(!error.isDamage, place) }
                    disk.mend()
                    let notebook = try Notebook(disk)
                    try notebook.database.check()
                    let found = try notebook.numbers()
                    #expect(DatabaseTests.stages[done...].prefix(2).contains(found), place)
                }
            }
        }
    }

    @Test("a log that was cut at any byte leaves an older state, whole")
    func cutLogs() throws {
        let disk = SimulatedDisk()
        let notebook = try Notebook(disk)
        try notebook.write(0..<3)
        try notebook.write(3..<12)
        try notebook.erase(from: 2)
        let log = try #require(disk.contents["notes.db-wal"])
        let file = disk.contents["notes.db"] ?? []
        for count in stride(from: 0, through: log.count, by: 2003) {
            let copy = SimulatedDisk()
            copy.place("notes.db", file)
            copy.place("notes.db-wal", Array(log.prefix(count)))
            let reopened = try Notebook(copy)
            try reopened.database.check()
            let found = try reopened.numbers()
            #expect(DatabaseTests.stages.prefix(4).contains(found))
        }
    }

    @Test("no flipped bit and no cut file is ever taken for what was written")
    func damage() throws {
        let disk = SimulatedDisk()
        do {
            let notebook = try Notebook(disk)
            try notebook.write(0..<12)
            try notebook.database.checkpoint()
        }
        let bytes = try #require(disk.contents["notes.db"])
        var refused = 0
        func look(_ bytes: [UInt8]) {
            let copy = SimulatedDisk()
            copy.place("notes.db", bytes)
            let error = thrown(DatabaseError.self) {
                let found = try Notebook(copy).numbers()
                #expect(found == Array(0..<12))
            }
            guard let error else { return }
            let reason: Comment = "\(error)"
            #expect(error.isDamage, reason)
            refused += 1
        }
        for place in stride(from: 0, to: bytes.count, by: 811) {
            var damaged = bytes
            damaged[place] ^= 1 << (place % 8)
            look(damaged)
        }
        // Every page of this file has something to say.
        #expect(refused == (bytes.count + 810) / 811)
        for count in stride(from: 1, to: bytes.count, by: 4001) { look(Array(bytes.prefix(count))) }
        var swapped = bytes
        swapped.replaceSubrange(8192..<12288, with: bytes[12288..<16384])
        look(swapped)
    }

    @Test("a page that is there in part is never read with zeros for the rest")
    func partOfPage() throws {
        let disk = SimulatedDisk()
        let limits = Database.Limits(fileSize: 1 << 20, valueSize: 1 << 16, cacheSize: 1 << 16)
        // Longer than a page: its end lies on a page that nothing else is on.
        let value = [UInt8](repeating: 0xAA, count: 9_000)
        do {
            let database = try Database("v.db", on: DiskFileSystem(disk), limits: limits)
            try database.run("CREATE TABLE v (b BLOB)")
            try database.run("INSERT INTO v VALUES (?)", .blob(value))
            try database.checkpoint()
        }
        let bytes = try #require(disk.contents["v.db"])
        var refused = 0
        let cuts = Array(stride(from: bytes.count - 2 * 4096 + 1, to: bytes.count, by: 17))
        for count in cuts where count % 4096 != 0 {
            let copy = SimulatedDisk()
            copy.place("v.db", Array(bytes.prefix(count)))
            let error = thrown(DatabaseError.self) {
                let database = try Database("v.db", on: DiskFileSystem(copy), limits: limits)
                try database.query("SELECT b FROM v") { row throws(DatabaseError) in
                    #expect(row.blob(0) == value, "cut to \(count) bytes")
                }
            }
            if error?.isDamage == true { refused += 1 }
        }
        #expect(refused == cuts.count { $0 % 4096 != 0 })
    }

    @Test("a damaged page is named")
    func damagedPage() throws {
        let disk = SimulatedDisk()
        do {
            let notebook = try Notebook(disk)
            try notebook.write(0..<12)
            try notebook.database.checkpoint()
        }
        var bytes = try #require(disk.contents["notes.db"])
        bytes[4 * 4096 + 100] ^= 1
        let copy = SimulatedDisk()
        copy.place("notes.db", bytes)
        let error = thrown(DatabaseError.self) { try Notebook(copy).numbers() }
        #expect(error == .damagedPage(file: "notes.db", number: 5))
    }

    @Test("sorting more than fits into a page needs no temporary file")
    func sorting() throws {
        let notebook = try Notebook(SimulatedDisk())
        try notebook.write(0..<200)
        var count = 0
        try notebook.database.query("SELECT text FROM notes ORDER BY text DESC") {
            _ throws(DatabaseError) in count += 1
        }
        #expect(count == 200)
    }

    @Test("a file or a value above its limit is refused")
    func limits() throws {
        let disk = SimulatedDisk()
        let notebook = try Notebook(disk)
        let error = thrown(DatabaseError.self) {
            try notebook.database.run(
                "INSERT INTO notes VALUES (1, ?)", .blob(Array(repeating: 0, count: 1 << 20)))
        }
        #expect(error == .tooBig(file: "notes.db"))
        let large = SimulatedDisk()
        large.place("notes.db", Array(repeating: 0, count: 16 << 20 + 1))
        let refusal = thrown(DatabaseError.self) { try Notebook(large) }
        #expect(refusal?.isDamage == true)
    }

    @Test("what is no database is refused as damaged")
    func noDatabase() {
        let disk = SimulatedDisk()
        disk.place("notes.db", Array("this is some text, as long as needed".utf8))
        let refusal = thrown(DatabaseError.self) { try Notebook(disk) }
        #expect(refusal?.isDamage == true)
    }
}
