import Database
import StateFiles

/// The tables of one file, as the steps that made them what they are. A file keeps the number of steps
/// that it has seen (`user_version`); the others are taken at the next start, each whole or not at all.
struct Schema: Sendable {
    /// The file's name.
    let file: String
    /// The statements of each step; a step that was released is never changed.
    let steps: [[String]]
    let limits: Database.Limits

    /// Why a file is not used.
    enum Fault: Error {
        case newer(found: Int64, known: Int64)
        case otherChain(found: String)
        case database(DatabaseError)
    }

    /// "Bulk", by which other programs tell whose file it is.
    private static let application: Int64 = 0x4275_6C6B

    private static let meta =
        "CREATE TABLE meta (key TEXT NOT NULL PRIMARY KEY, value TEXT NOT NULL) STRICT"

    /// Opens the file for a chain, makes it if there is none, and takes the steps that it lacks.
    func open(on system: DiskFileSystem, chain: String) throws(Fault) -> Database {
        let (database, application, version) = try trying { () throws(DatabaseError) in
            let database = try Database(file, on: system, limits: limits)
            let application = try database.number("PRAGMA application_id") ?? 0
            return (database, application, try database.number("PRAGMA user_version") ?? 0)
        }
        if application == 0, version == 0 {
            try trying { () throws(DatabaseError) in try make(database, chain: chain) }
            return database
        }
        guard application == Schema.application, version > 0 else {
            throw .database(.damaged(file: file, "it is another program's"))
        }
        guard version <= Int64(steps.count) else {
            throw .newer(found: version, known: Int64(steps.count))
        }
        let found = try trying { () throws(DatabaseError) in
            try Schema.value("chain", in: database)
        }
        guard found == chain else { throw .otherChain(found: found ?? "no chain") }
        for step in Int(version)..<steps.count {
            try trying { () throws(DatabaseError) in try take(step, on: database) }
        }
        return database
    }

    private func trying<Value>(
        _ body: () throws(DatabaseError) -> Value
    ) throws(Fault) -> Value {
        do throws(DatabaseError) { return try body() } catch { throw .database(error) }
    }

    private func make(_ database: Database, chain: String) throws(DatabaseError) {
        try database.transaction { () throws(DatabaseError) in
            try database.run(Schema.meta)
            try database.run("INSERT INTO meta VALUES ('chain', ?)", .text(chain))
            for step in steps { for line in step { try database.run(line) } }
            try database.run("PRAGMA application_id=\(Schema.application)")
            try database.run("PRAGMA user_version=\(steps.count)")
        }
    }

    private func take(_ step: Int, on database: Database) throws(DatabaseError) {
        try database.transaction { () throws(DatabaseError) in
            for line in steps[step] { try database.run(line) }
            try database.run("PRAGMA user_version=\(step + 1)")
        }
    }

    static func value(_ key: String, in database: Database) throws(DatabaseError) -> String? {
        var found: String?
        try database.query("SELECT value FROM meta WHERE key = ?", [.text(key)]) {
            row throws(DatabaseError) in found = row.text(0)
        }
        return found
    }
}
