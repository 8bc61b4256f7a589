import CSQLite

/// A value of a column.
public enum DatabaseValue: Hashable, Sendable {
    case null
    case integer(Int64)
    case text(String)
    case blob([UInt8])
}

/// A compiled statement, kept for the next time.
final class Statement {
    let handle: OpaquePointer

    init(_ handle: OpaquePointer) { self.handle = handle }

    deinit { sqlite3_finalize(handle) }

    /// SQLite copies what is bound.
    func bind(_ values: [DatabaseValue]) -> Int32 {
        let copy = bulkhead_sqlite_copies()
        for (place, value) in zip(Int32(1)..., values) {
            let code =
                switch value {
                case .null: sqlite3_bind_null(handle, place)
                case .integer(let number): sqlite3_bind_int64(handle, place, number)
                case .text(let text):
                    text.utf8CString.withUnsafeBufferPointer {
                        sqlite3_bind_text64(
                            handle, place, $0.baseAddress, UInt64(max(0, $0.count - 1)), copy,
                            UInt8(SQLITE_UTF8))
                    }
                case .blob(let bytes) where bytes.isEmpty: sqlite3_bind_zeroblob(handle, place, 0)
                case .blob(let bytes):
                    bytes.withUnsafeBytes {
                        sqlite3_bind_blob64(
                            handle, place, $0.baseAddress, UInt64($0.count), copy)
                    }
                }
            guard code == SQLITE_OK else { return code }
        }
        return SQLITE_OK
    }

    func reset() {
        sqlite3_reset(handle)
        sqlite3_clear_bindings(handle)
    }
}

/// The row that a query is at; no longer than the call that it is given to.
public struct DatabaseRow {
    let statement: Statement

    /// Whether a column, counted from 0, holds nothing.
    public func isNull(_ column: Int32) -> Bool {
        sqlite3_column_type(statement.handle, column) == SQLITE_NULL
    }

    /// What a column holds.
    public func value(_ column: Int32) -> DatabaseValue {
        switch sqlite3_column_type(statement.handle, column) {
        case SQLITE_INTEGER: .integer(integer(column))
        case SQLITE_TEXT: .text(text(column))
        case SQLITE_BLOB: .blob(blob(column))
        default: .null
        }
    }

    /// A number; 0 where there is none.
    public func integer(_ column: Int32) -> Int64 {
        sqlite3_column_int64(statement.handle, column)
    }

    /// A text; empty where there is none.
    public func text(_ column: Int32) -> String {
        guard let start = sqlite3_column_text(statement.handle, column) else { return "" }
        let count = Int(sqlite3_column_bytes(statement.handle, column))
        return String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
    }

    /// Bytes; none where there are none.
    public func blob(_ column: Int32) -> [UInt8] {
        guard let start = sqlite3_column_blob(statement.handle, column) else { return [] }
        let count = Int(sqlite3_column_bytes(statement.handle, column))
        return Array(UnsafeRawBufferPointer(start: start, count: count))
    }
}
