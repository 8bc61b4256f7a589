import Database
import NetworkCore
import PeerMessages

/// The peers that are known, those that lied, and the signed list that was taken.
struct PeerTables {
    let database: Database

    static let schema = Schema(
        file: "peers.db",
        steps: [
            [
                """
                CREATE TABLE peers (
                    endpoint TEXT NOT NULL PRIMARY KEY, source INTEGER NOT NULL,
                    services INTEGER NOT NULL, served INTEGER) STRICT
                """,
                """
                CREATE TABLE bans (
                    endpoint TEXT NOT NULL PRIMARY KEY, reason TEXT NOT NULL,
                    since INTEGER NOT NULL) STRICT
                """,
                "CREATE TABLE lists (id INTEGER PRIMARY KEY, bytes BLOB NOT NULL) STRICT",
            ]
        ],
        limits: Database.Limits(fileSize: 64 << 20, valueSize: 5 << 20, cacheSize: 256 << 10))

    /// More rows than are ever written.
    private static let mostRows = 20_000

    static func change(_ change: StoreChange) -> PeerChange? {
        if case .peers(let change) = change { change } else { nil }
    }

    func apply(_ change: PeerChange) throws(DatabaseError) {
        switch change {
        case .kept(let record):
            try database.run(
                "INSERT OR REPLACE INTO peers VALUES (?, ?, ?, ?)",
                .text("\(record.endpoint)"), .integer(Int64(record.source.rawValue)),
                .integer(Int64(bitPattern: record.services.rawValue)),
                record.served.map { .integer($0) } ?? .null)
        case .removed(let endpoint):
            try database.run("DELETE FROM peers WHERE endpoint = ?", .text("\(endpoint)"))
        case .banned(let ban):
            try database.run(
                "INSERT OR REPLACE INTO bans VALUES (?, ?, ?)", .text("\(ban.endpoint)"),
                .text(ban.reason), .integer(ban.since))
        case .banEnded(let endpoint):
            try database.run("DELETE FROM bans WHERE endpoint = ?", .text("\(endpoint)"))
        case .forgotten:
            try database.run(
                "DELETE FROM peers WHERE source != ?",
                .integer(Int64(PeerSource.manual.rawValue)))
            try database.run("DELETE FROM bans")
        case .signedList(let bytes):
            try database.run("INSERT OR REPLACE INTO lists VALUES (1, ?)", .blob(bytes))
        }
    }

    /// What is kept; a row that says nothing any more is left out.
    func read(defaultPort: UInt16) throws(DatabaseError) -> KeptPeers {
        var kept = KeptPeers()
        let limit = DatabaseValue.integer(Int64(PeerTables.mostRows))
        try database.query(
            "SELECT endpoint, source, services, served FROM peers LIMIT ?", [limit]
        ) { row throws(DatabaseError) in
            guard let endpoint = try? PeerEndpoint(row.text(0), defaultPort: defaultPort),
                let number = UInt8(exactly: row.integer(1)),
                let source = PeerSource(rawValue: number)
            else { return }
            kept.records.append(
                PeerRecord(
                    endpoint, source: source,
                    services: PeerServices(rawValue: UInt64(bitPattern: row.integer(2))),
                    served: row.isNull(3) ? nil : row.integer(3)))
        }
        try database.query("SELECT endpoint, reason, since FROM bans LIMIT ?", [limit]) {
            row throws(DatabaseError) in
            guard let endpoint = try? PeerEndpoint(row.text(0), defaultPort: defaultPort) else {
                return
            }
            kept.bans.append(PeerBan(endpoint, reason: row.text(1), since: row.integer(2)))
        }
        try database.query("SELECT bytes FROM lists WHERE id = 1") { row throws(DatabaseError) in
            kept.signedList = row.blob(0)
        }
        return kept
    }
}
