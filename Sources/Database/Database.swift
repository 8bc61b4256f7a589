import CSQLite
import StateFiles

/// A SQLite database in one file of a `Disk`, with a log of changes (WAL) beside it.
///
/// A transaction that was committed holds after a power cut, one that was not leaves nothing. There is
/// one connection to a file; whoever owns the directory keeps others out.
public final class Database {
    /// What one may hold.
    public struct Limits: Hashable, Sendable {
        /// Bytes of the file and of its log, above which it is not opened.
        public var fileSize: UInt64
        /// Bytes of one value: checked before memory is asked for.
        public var valueSize: Int32
        /// Bytes of pages in memory.
        public var cacheSize: Int
        /// Whether what is deleted is overwritten, which takes as much writing as to put it there.
        public var overwritesDeleted: Bool
        /// Whether a new file is one that can give back what it does not need (`giveBack`).
        public var canShrink: Bool

        /// Limits by their numbers.
        public init(
            fileSize: UInt64, valueSize: Int32, cacheSize: Int, overwritesDeleted: Bool = false,
            canShrink: Bool = false
        ) {
            self.overwritesDeleted = overwritesDeleted
            self.canShrink = canShrink
            self.fileSize = fileSize
            self.valueSize = valueSize
            self.cacheSize = cacheSize
        }
    }

    /// Its file.
    public let file: String
    private let system: DiskFileSystem
    private let handle: OpaquePointer
    private var statements: [String: Statement] = [:]

    /// Opens the file, or makes it.
    ///
    /// - Throws: `damaged` also where the file is larger than the limit.
    public init(_ file: String, on system: DiskFileSystem, limits: Limits) throws(DatabaseError) {
        self.file = file
        self.system = system
        let isNew = try Database.checkSize(file, system, limits) == 0
        var opened: OpaquePointer?
        let flags =
            SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX
            | SQLITE_OPEN_PRIVATECACHE
        system.failure = nil
        let code = sqlite3_open_v2(file, &opened, flags, UnsafePointer(system.name))
        guard let opened else { throw .noMemory }
        handle = opened
        guard code == SQLITE_OK else {
            let error = Database.error(code, opened, file, system)
            sqlite3_close_v2(opened)
            throw error
        }
        sqlite3_extended_result_codes(handle, 1)
        _ = sqlite3_limit(handle, SQLITE_LIMIT_LENGTH, limits.valueSize)
        _ = sqlite3_limit(handle, SQLITE_LIMIT_ATTACHED, 0)
        var reserved = Int32(PageChecksum.reserved)
        sqlite3_file_control(handle, "main", SQLITE_FCNTL_RESERVE_BYTES, &reserved)
        // EXCLUSIVE keeps the index of the log in ordinary memory instead of a mapped file.
        for line in [
            "PRAGMA page_size=\(PageChecksum.pageSize)", "PRAGMA locking_mode=EXCLUSIVE",
            // Cannot be chosen any more once something is written, and would be written at every opening.
            isNew && limits.canShrink ? "PRAGMA auto_vacuum=INCREMENTAL" : "PRAGMA auto_vacuum",
            "PRAGMA temp_store=MEMORY", "PRAGMA mmap_size=0", "PRAGMA journal_mode=WAL",
            "PRAGMA synchronous=FULL", "PRAGMA trusted_schema=OFF", "PRAGMA cell_size_check=ON",
            "PRAGMA foreign_keys=OFF", "PRAGMA cache_size=-\(max(64, limits.cacheSize >> 10))",
            "PRAGMA secure_delete=\(limits.overwritesDeleted ? "ON" : "OFF")",
            "PRAGMA journal_size_limit=\(4 << 20)",
        ] {
            try run(line)
        }
    }

    deinit {
        statements = [:]
        sqlite3_close_v2(handle)
    }

    /// - Returns: bytes of the file and its log.
    private static func checkSize(
        _ file: String, _ system: DiskFileSystem, _ limits: Limits
    ) throws(DatabaseError) -> UInt64 {
        var sum: UInt64 = 0
        for name in [file, file + "-wal"] {
            let size: UInt64
            do throws(DiskFailure) {
                size = try system.disk.size(of: name) ?? 0
            } catch {
                throw .disk(error)
            }
            guard size <= limits.fileSize else {
                throw .damaged(
                    file: name, "it has \(size) bytes, at most \(limits.fileSize) are expected")
            }
            sum += size
        }
        return sum
    }

    // MARK: Statements

    /// Runs a statement and leaves out what it answers.
    public func run(_ sql: String, _ values: DatabaseValue...) throws(DatabaseError) {
        try query(sql, values) { _ throws(DatabaseError) in }
    }

    /// Runs a statement and hands over each row of its answer.
    public func query(
        _ sql: String, _ values: [DatabaseValue] = [],
        _ row: (DatabaseRow) throws(DatabaseError) -> Void
    ) throws(DatabaseError) {
        let statement = try prepare(sql)
        defer { statement.reset() }
        try check(statement.bind(values))
        while true {
            system.failure = nil
            let code = sqlite3_step(statement.handle)
            switch code {
            case SQLITE_ROW: try row(DatabaseRow(statement: statement))
            case SQLITE_DONE: return
            default: throw error(code)
            }
        }
    }

    /// The first number of the answer; nil where it has no row.
    public func number(
        _ sql: String, _ values: DatabaseValue...
    ) throws(DatabaseError) -> Int64? {
        var found: Int64?
        try query(sql, values) { row throws(DatabaseError) in found = found ?? row.integer(0) }
        return found
    }

    /// Does all of it or, on an error, nothing.
    ///
    /// - Parameter isLasting: whether a power cut right after must not undo it. If not, it may leave
    ///   an older state, whole.
    public func transaction(
        isLasting: Bool = true, _ body: () throws(DatabaseError) -> Void
    ) throws(DatabaseError) {
        try run(isLasting ? "PRAGMA synchronous=FULL" : "PRAGMA synchronous=NORMAL")
        try run("BEGIN IMMEDIATE")
        do throws(DatabaseError) {
            try body()
            try run("COMMIT")
        } catch {
            // After some failures SQLite has done so itself.
            if sqlite3_get_autocommit(handle) == 0 { try? run("ROLLBACK") }
            throw error
        }
    }

    /// Moves the log into the file and empties it.
    public func checkpoint() throws(DatabaseError) { try run("PRAGMA wal_checkpoint(TRUNCATE)") }

    /// Gives some pages back to the disk that nothing is on any more.
    ///
    /// - Parameters:
    ///   - keep: free pages that stay, for what comes next.
    ///   - most: pages that are given back at most, so that it takes no long time.
    /// - Returns: whether there is more to give.
    public func giveBack(keeping keep: Int, most: Int) throws(DatabaseError) -> Bool {
        guard try number("PRAGMA auto_vacuum") == 2 else { return false }
        let free = Int(try number("PRAGMA freelist_count") ?? 0)
        if free > keep {
            let count = min(most, free - keep)
            try transaction(isLasting: false) { () throws(DatabaseError) in
                try run("PRAGMA incremental_vacuum(\(count))")
            }
            guard free - count <= keep else { return true }
        }
        // The file gets shorter when the log is moved into it, which may have failed the last time.
        let pages = UInt64(clamping: try number("PRAGMA page_count") ?? 0)
        let size: UInt64
        do throws(DiskFailure) { size = try system.size(of: file) } catch { throw .disk(error) }
        if size > pages * UInt64(PageChecksum.pageSize) { try checkpoint() }
        return false
    }

    /// Looks at every page and every index.
    ///
    /// - Throws: what is damaged.
    public func check() throws(DatabaseError) {
        var problem: String?
        try query("PRAGMA integrity_check(1)") { row throws(DatabaseError) in
            let text = row.text(0)
            if text != "ok" { problem = text }
        }
        if let problem { throw .damaged(file: file, problem) }
    }

    private func prepare(_ sql: String) throws(DatabaseError) -> Statement {
        if let known = statements[sql] { return known }
        var handle: OpaquePointer?
        system.failure = nil
        try check(
            sqlite3_prepare_v3(
                self.handle, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &handle, nil))
        guard let handle else { throw .refused(file: file, code: SQLITE_MISUSE, "no statement") }
        let statement = Statement(handle)
        statements[sql] = statement
        return statement
    }

    // MARK: Errors

    private func check(_ code: Int32) throws(DatabaseError) {
        guard code == SQLITE_OK else { throw error(code) }
    }

    private func error(_ code: Int32) -> DatabaseError {
        Database.error(code, handle, file, system)
    }

    private static func error(
        _ code: Int32, _ handle: OpaquePointer, _ file: String, _ system: DiskFileSystem
    ) -> DatabaseError {
        if let failure = system.failure { return failure }
        let text = String(cString: sqlite3_errmsg(handle))
        switch code & 0xFF {
        case SQLITE_CORRUPT, SQLITE_NOTADB, SQLITE_FORMAT: return .damaged(file: file, text)
        case SQLITE_TOOBIG: return .tooBig(file: file)
        case SQLITE_NOMEM: return .noMemory
        case SQLITE_FULL: return .noSpace
        default: return .refused(file: file, code: code, text)
        }
    }
}
