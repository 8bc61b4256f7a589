import Database
import TestSupport
import Testing

@testable import NetworkStore

@Suite("Versions of tables")
struct SchemaTests {
    private static func schema(_ steps: [[String]]) -> Schema {
        Schema(
            file: "some.db", steps: steps,
            limits: Database.Limits(fileSize: 1 << 20, valueSize: 1 << 16, cacheSize: 1 << 16))
    }

    private static let first = ["CREATE TABLE a (x INTEGER) STRICT", "INSERT INTO a VALUES (5)"]
    private static let second = [
        "CREATE TABLE b (x INTEGER, y TEXT) STRICT", "INSERT INTO b SELECT x, 'new' FROM a",
        "DROP TABLE a",
    ]

    @Test("an older file takes the steps that it lacks, at a crash all or none of each")
    func migration() throws {
        let calm = SimulatedDisk()
        do {
            _ = try Self.schema([Self.first]).open(on: DiskFileSystem(calm), chain: "regtest")
        }
        let old = calm.contents["some.db"] ?? []
        var random = SeededGenerator(seed: 3)
        var step = 0
        var isWhole = false
        while !isWhole {
            let disk = SimulatedDisk()
            disk.place("some.db", old)
            disk.fault = (step, .powerCut)
            let new = Self.schema([Self.first, Self.second])
            _ = try? new.open(on: DiskFileSystem(disk), chain: "regtest")
            isWhole = !disk.isWithoutPower
            disk.restart(.chance, using: &random)
            let database = try new.open(on: DiskFileSystem(disk), chain: "regtest")
            #expect(try database.number("SELECT x FROM b WHERE y = 'new'") == 5)
            #expect(try database.number("SELECT count(*) FROM sqlite_schema WHERE name = 'a'") == 0)
            step += 1
        }
        #expect(step > 3)
    }

    @Test("a newer file is refused and left as it is")
    func newer() throws {
        let disk = SimulatedDisk()
        do {
            _ = try Self.schema([Self.first, Self.second])
                .open(on: DiskFileSystem(disk), chain: "regtest")
        }
        let before = disk.contents
        let fault = thrown(Schema.Fault.self) {
            try Self.schema([Self.first]).open(on: DiskFileSystem(disk), chain: "regtest")
        }
        guard case .newer(let found, let known) = fault else {
            Issue.record("not refused")
            return
        }
        #expect(found == 2 && known == 1)
        #expect(disk.contents == before)
    }

    @Test("a database of another program is not taken for ours")
    func foreign() throws {
        let disk = SimulatedDisk()
        do {
            let other = try Database(
                "some.db", on: DiskFileSystem(disk), limits: Self.schema([]).limits)
            try other.run("PRAGMA application_id=7")
            try other.run("CREATE TABLE a (x)")
        }
        let fault = thrown(Schema.Fault.self) {
            try Self.schema([Self.first]).open(on: DiskFileSystem(disk), chain: "regtest")
        }
        guard case .database(let error) = fault else {
            Issue.record("not refused")
            return
        }
        #expect(error.isDamage)
    }
}
