import Database

/// Records of one size, numbered from 0 without gaps, in rows of 250: a table that is read quickly
/// and in which a new record at the end costs little to write.
struct RecordTable: Sendable {
    let name: String
    /// Bytes of a record.
    let size: Int

    static let perRow = 250

    /// The statement that makes the table.
    var definition: String {
        "CREATE TABLE \(name) (row INTEGER PRIMARY KEY, records BLOB NOT NULL) STRICT"
    }

    /// How many records there are.
    func count(in database: Database) throws(DatabaseError) -> Int {
        var count = 0
        try database.query(
            "SELECT row, length(records) FROM \(name) ORDER BY row DESC LIMIT 1"
        ) { row throws(DatabaseError) in
            count = Int(row.integer(0)) &* RecordTable.perRow &+ Int(row.integer(1)) / size
        }
        return count
    }

    /// Puts records at a place, which is no higher than their number, and takes away those behind.
    func replace(
        from first: Int, with bytes: [UInt8], in database: Database
    ) throws(DatabaseError) {
        let (row, kept) = first.quotientAndRemainder(dividingBy: RecordTable.perRow)
        let before = try records(of: row, in: database)
        guard before.count >= kept * size, try isFilled(below: row, in: database) else {
            throw .refused(file: database.file, code: 0, "\(name) would have a gap below \(first)")
        }
        let all = Array(before.prefix(kept * size)) + bytes
        try database.run("DELETE FROM \(name) WHERE row >= ?", .integer(Int64(row)))
        let length = RecordTable.perRow * size
        var place = 0
        while place < all.count {
            let end = min(place + length, all.count)
            try database.run(
                "INSERT INTO \(name) VALUES (?, ?)", .integer(Int64(row + place / length)),
                .blob(Array(all[place..<end])))
            place = end
        }
    }

    /// Takes away the records from a place on.
    func cut(to count: Int, in database: Database) throws(DatabaseError) {
        guard try self.count(in: database) > count else { return }
        try replace(from: count, with: [], in: database)
    }

    /// Hands over whole rows of records in order, as far as there is no gap.
    func read(
        from database: Database, _ take: ([UInt8]) throws(DatabaseError) -> Bool
    ) throws(DatabaseError) {
        var next: Int64 = 0
        var goesOn = true
        try database.query("SELECT row, records FROM \(name) ORDER BY row") {
            row throws(DatabaseError) in
            guard goesOn, row.integer(0) == next else {
                goesOn = false
                return
            }
            let bytes = row.blob(1)
            let isWhole = bytes.count == RecordTable.perRow * size
            let isGood = bytes.count % size == 0 ? try take(bytes) : false
            goesOn = isGood && isWhole
            next += 1
        }
    }

    private func records(of row: Int, in database: Database) throws(DatabaseError) -> [UInt8] {
        var found: [UInt8] = []
        try database.query(
            "SELECT records FROM \(name) WHERE row = ?", [.integer(Int64(row))]
        ) { row throws(DatabaseError) in found = row.blob(0) }
        return found
    }

    private func isFilled(below row: Int, in database: Database) throws(DatabaseError) -> Bool {
        guard row > 0 else { return true }
        let length = try database.number(
            "SELECT length(records) FROM \(name) WHERE row = ?", .integer(Int64(row - 1)))
        return length == Int64(RecordTable.perRow * size)
    }
}
