import Database
import Labels

/// Labels, of which one at most counts for each thing.
///
/// A file of labels is written in many steps under the next number of an import, and counts as a whole
/// from the moment on at which this number is kept. What was written for an import that was never kept,
/// and what a later one replaced, is taken away in steps, too.
struct LabelTable {
    let database: Database

    /// Without row numbers there is one tree and not two, so that a start reads half as much.
    static let step = [
        "ALTER TABLE labels RENAME TO older",
        """
        CREATE TABLE labels (
            type TEXT NOT NULL, ref TEXT NOT NULL, import INTEGER NOT NULL, line TEXT NOT NULL,
            PRIMARY KEY (type, ref, import)) STRICT, WITHOUT ROWID
        """,
        "INSERT INTO labels SELECT type, ref, 0, line FROM older ORDER BY type, ref",
        "DROP TABLE older",
        // One row: the number of the last import that counts, and whether only what counts is there.
        "CREATE TABLE label_imports (kept INTEGER NOT NULL, is_tidy INTEGER NOT NULL) STRICT",
        "INSERT INTO label_imports VALUES (0, 1)",
    ]

    private static let kept = "(SELECT kept FROM label_imports)"

    // MARK: Writing

    /// Puts a label in place of the one that counts.
    func put(_ row: LabelRow) throws(DatabaseError) {
        try remove(type: row.type, ref: row.ref)
        try database.run(
            "INSERT INTO labels VALUES (?, ?, \(LabelTable.kept), ?)", .text(row.type),
            .text(row.ref), .text(row.line))
    }

    func remove(type: String, ref: String) throws(DatabaseError) {
        try database.run(
            "DELETE FROM labels WHERE type = ? AND ref = ? AND import <= \(LabelTable.kept)",
            .text(type), .text(ref))
    }

    /// Writes labels that do not count yet. A power cut may undo it.
    func prepare(_ rows: ArraySlice<LabelRow>) throws(DatabaseError) {
        try database.transaction(isLasting: false) { () throws(DatabaseError) in
            try database.run("UPDATE label_imports SET is_tidy = 0 WHERE is_tidy = 1")
            for row in rows {
                try database.run(
                    "INSERT OR REPLACE INTO labels VALUES (?, ?, 1 + \(LabelTable.kept), ?)",
                    .text(row.type), .text(row.ref), .text(row.line))
            }
        }
    }

    /// Lets what was prepared count.
    func keep() throws(DatabaseError) {
        try database.run("UPDATE label_imports SET kept = kept + 1, is_tidy = 0")
    }

    /// A row by its key.
    struct Place: Hashable {
        var type = ""
        var ref = ""
        var number: Int64 = -1
    }

    /// How far the walk through the rows is.
    struct Walk {
        fileprivate var last = Place()
        /// The row before that counts, until one of the same thing replaces it.
        fileprivate var counting: Place?
    }

    /// Looks at some rows, and takes away those that do not count.
    ///
    /// - Returns: how far it is; nil where all were looked at.
    func tidy(_ walk: Walk, rows limit: Int) throws(DatabaseError) -> Walk? {
        guard try database.number("SELECT is_tidy FROM label_imports") == 0 else { return nil }
        let kept = try database.number("SELECT kept FROM label_imports") ?? 0
        var walk = walk
        var count = 0
        var dead: [Place] = []
        try database.query(
            """
            SELECT type, ref, import FROM labels WHERE (type, ref, import) > (?, ?, ?)
            ORDER BY type, ref, import LIMIT ?
            """,
            [
                .text(walk.last.type), .text(walk.last.ref), .integer(walk.last.number),
                .integer(Int64(limit)),
            ]
        ) { row throws(DatabaseError) in
            let place = Place(type: row.text(0), ref: row.text(1), number: row.integer(2))
            count += 1
            walk.last = place
            guard place.number <= kept else { return dead.append(place) }
            if let before = walk.counting, before.type == place.type, before.ref == place.ref {
                dead.append(before)
            }
            walk.counting = place
        }
        let isLast = count < limit
        guard isLast || !dead.isEmpty else { return walk }
        try database.transaction(isLasting: false) { () throws(DatabaseError) in
            for place in dead {
                try database.run(
                    "DELETE FROM labels WHERE type = ? AND ref = ? AND import = ?",
                    .text(place.type), .text(place.ref), .integer(place.number))
            }
            if isLast { try database.run("UPDATE label_imports SET is_tidy = 1") }
        }
        return isLast ? nil : walk
    }

    // MARK: Reading

    /// Labels behind one in the order of type and reference, at most so many.
    func page(
        after last: (type: String, ref: String)?, limit: Int
    ) throws(DatabaseError) -> [Label] {
        var lines: [UInt8] = []
        // Of several rows of one thing the newest that counts.
        try database.query(
            """
            SELECT line, max(import) FROM labels
            WHERE (type, ref) > (?, ?) AND import <= \(LabelTable.kept)
            GROUP BY type, ref ORDER BY type, ref LIMIT ?
            """,
            [.text(last?.type ?? ""), .text(last?.ref ?? ""), .integer(Int64(limit))]
        ) { row throws(DatabaseError) in lines += Array(row.text(0).utf8) }
        guard let read = try? LabelFile.read(lines), read.problems.isEmpty else {
            throw .damaged(file: database.file, "a label")
        }
        return read.labels
    }

    /// The label of one thing.
    func label(of subject: Label.Subject) throws(DatabaseError) -> Label? {
        var lines: [UInt8] = []
        try database.query(
            """
            SELECT line FROM labels WHERE type = ? AND ref = ? AND import <= \(LabelTable.kept)
            ORDER BY import DESC LIMIT 1
            """,
            [.text(subject.type), .text(subject.ref)]
        ) { row throws(DatabaseError) in lines = Array(row.text(0).utf8) }
        return (try? LabelFile.read(lines))?.labels.first
    }
}

/// A label as it is kept.
struct LabelRow {
    let type: String
    let ref: String
    let line: String

    init(_ label: Label) {
        type = label.subject.type
        ref = label.subject.ref
        line = LabelFile.text(of: [label])
    }
}
