import Database
import NetworkCore

/// The filters that are kept, so that a new script does not have them fetched again: most of the disk,
/// and the least of a loss.
struct FilterTables {
    let database: Database

    static let schema = Schema(
        file: "filters.db",
        steps: [
            [
                """
                CREATE TABLE filters (
                    height INTEGER PRIMARY KEY, size INTEGER NOT NULL, filter BLOB NOT NULL) STRICT
                """,
                // Holds what a start has to know, so that it reads no filter.
                "CREATE INDEX kept ON filters (height, size)",
            ]
        ],
        limits: Database.Limits(
            fileSize: 60 << 30, valueSize: 5 << 20, cacheSize: 2 << 20, canShrink: true))

    /// Free pages that stay in the file, 64 MiB: more than the next thousand filters take.
    static let keptFreePages = 16_384
    /// Pages that are given back in one step: some ten milliseconds.
    static let pagesOfStep = 1024

    /// Whether a list of changes has something to do here.
    static func concern(_ changes: [StoreChange]) -> Bool {
        changes.contains { change in
            switch change {
            case .keepFilters, .dropFilters, .rollBack, .rewindFilters: true
            default: false
            }
        }
    }

    func apply(_ change: StoreChange) throws(DatabaseError) {
        switch change {
        case .keepFilters(let from, let filters):
            for (height, filter) in zip(from..., filters) {
                try database.run(
                    "INSERT OR REPLACE INTO filters VALUES (?, ?, ?)", .integer(Int64(height)),
                    .integer(Int64(filter.count)), .blob(filter))
            }
        case .dropFilters(let heights):
            try database.run(
                "DELETE FROM filters WHERE height BETWEEN ? AND ?",
                .integer(Int64(heights.lowerBound)), .integer(Int64(heights.upperBound)))
        case .rollBack(let height), .rewindFilters(let height): try cut(above: height)
        default: break
        }
    }

    func cut(above height: Int) throws(DatabaseError) {
        try database.run("DELETE FROM filters WHERE height > ?", .integer(Int64(height)))
    }

    /// Which filters there are.
    func kept() throws(DatabaseError) -> KeptFilters {
        var kept = KeptFilters()
        try database.query("SELECT height, size FROM filters INDEXED BY kept ORDER BY height") {
            row throws(DatabaseError) in
            kept.insert(Int(row.integer(0)), bytes: Int(row.integer(1)))
        }
        return kept
    }

    /// The filters of these heights; nil for one that is not there.
    func read(_ heights: ClosedRange<Int>) throws(DatabaseError) -> [[UInt8]?] {
        var filters = [[UInt8]?](repeating: nil, count: heights.count)
        try database.query(
            "SELECT height, filter FROM filters WHERE height BETWEEN ? AND ?",
            [.integer(Int64(heights.lowerBound)), .integer(Int64(heights.upperBound))]
        ) { row throws(DatabaseError) in
            let place = Int(row.integer(0)) &- heights.lowerBound
            if filters.indices.contains(place) { filters[place] = row.blob(1) }
        }
        return filters
    }
}
