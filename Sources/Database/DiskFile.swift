import CSQLite
import StateFiles

/// One open file of a database: the pages, or the log of changes (WAL) beside them.
final class DiskFile {
    private let system: DiskFileSystem
    private let path: String
    /// Whether it is the file of pages, each with its checksum.
    private let hasPages: Bool

    init(_ system: DiskFileSystem, _ path: String, hasPages: Bool) {
        self.system = system
        self.path = path
        self.hasPages = hasPages
    }

    private static let page = PageChecksum.pageSize

    /// Whether these bytes are a whole page, or, as newer versions of SQLite read long values, one
    /// without its checksum.
    private func isPage(_ count: Int, at offset: UInt64) -> Bool {
        hasPages && offset % UInt64(DiskFile.page) == 0 && count <= DiskFile.page
            && count >= DiskFile.page - PageChecksum.reserved
    }

    func read(_ buffer: UnsafeMutableRawBufferPointer, at offset: UInt64) -> Int32 {
        let isPage = isPage(buffer.count, at: offset)
        var bytes: [UInt8] = []
        let code = system.attempt(orElse: DiskFile.readError) { () throws(DiskFailure) in
            bytes = try system.disk.read(
                path, at: offset, count: isPage ? DiskFile.page : buffer.count)
        }
        guard code == SQLITE_OK else { return code }
        // Of a page that is there in part SQLite would take the rest for zeros.
        if isPage, !bytes.isEmpty {
            let number = offset / UInt64(DiskFile.page) + 1
            guard bytes.count == DiskFile.page,
                bytes.withUnsafeBytes({ PageChecksum.holds($0, number: number) })
            else {
                system.failure = .damagedPage(file: path, number: number)
                return DiskFile.dataError
            }
        }
        let count = min(bytes.count, buffer.count)
        buffer.copyBytes(from: bytes[..<count])
        guard count < buffer.count else { return SQLITE_OK }
        UnsafeMutableRawBufferPointer(rebasing: buffer[count...]).initializeMemory(
            as: UInt8.self, repeating: 0)
        return DiskFile.shortRead
    }

    func write(_ buffer: UnsafeRawBufferPointer, at offset: UInt64) -> Int32 {
        var bytes = Array(buffer)
        if hasPages, isPage(buffer.count, at: offset), buffer.count == DiskFile.page {
            bytes.withUnsafeMutableBytes {
                PageChecksum.seal($0, number: offset / UInt64(DiskFile.page) + 1)
            }
        }
        return system.attempt(orElse: DiskFile.writeError) { () throws(DiskFailure) in
            try fill(upTo: offset)
            try system.disk.write(bytes, to: path, at: offset)
        }
    }

    /// Pages that SQLite never wrote, because nothing was on them any more, become pages of zeros.
    private func fill(upTo offset: UInt64) throws(DiskFailure) {
        guard hasPages else { return }
        var end = try system.disk.size(of: path) ?? 0
        while end < offset {
            var page = [UInt8](repeating: 0, count: DiskFile.page)
            let start = end / UInt64(DiskFile.page)
            page.withUnsafeMutableBytes { PageChecksum.seal($0, number: start + 1) }
            try system.disk.write(page, to: path, at: start * UInt64(DiskFile.page))
            end = (start + 1) * UInt64(DiskFile.page)
        }
    }

    func truncate(to size: UInt64) -> Int32 {
        system.attempt(orElse: DiskFile.truncateError) { () throws(DiskFailure) in
            guard try system.disk.size(of: path) ?? 0 > size else { return }
            try system.disk.truncate(path, to: size)
        }
    }

    func flush() -> Int32 {
        system.attempt(orElse: DiskFile.flushError) { () throws(DiskFailure) in
            try system.disk.flush(path)
        }
    }

    func size(_ found: inout Int64) -> Int32 {
        var size: UInt64 = 0
        let code = system.attempt(orElse: DiskFile.sizeError) { () throws(DiskFailure) in
            size = try system.disk.size(of: path) ?? 0
        }
        found = Int64(clamping: size)
        return code
    }

    // Extended codes, which C writes as macros that Swift does not take over.
    private static let readError = SQLITE_IOERR | (1 << 8)
    private static let shortRead = SQLITE_IOERR | (2 << 8)
    private static let writeError = SQLITE_IOERR | (3 << 8)
    private static let flushError = SQLITE_IOERR | (4 << 8)
    private static let truncateError = SQLITE_IOERR | (6 << 8)
    private static let sizeError = SQLITE_IOERR | (7 << 8)
    static let dataError = SQLITE_IOERR | (32 << 8)
}

/// What SQLite holds of an open file: its own part, then ours.
struct FileRecord {
    var base: sqlite3_file
    var file: Unmanaged<DiskFile>?

    private static func file(_ base: UnsafeMutablePointer<sqlite3_file>?) -> DiskFile? {
        guard let base else { return nil }
        let record = UnsafeMutableRawPointer(base).assumingMemoryBound(to: FileRecord.self)
        return record.pointee.file?.takeUnretainedValue()
    }

    /// Never changed and never given back.
    nonisolated(unsafe) static let methods: UnsafePointer<sqlite3_io_methods> = {
        let table = UnsafeMutablePointer<sqlite3_io_methods>.allocate(capacity: 1)
        table.initialize(to: sqlite3_io_methods())
        // Version 1 has no shared memory, which would be mapped from a file.
        table.pointee.iVersion = 1
        table.pointee.xClose = { base in
            guard let base else { return SQLITE_OK }
            let record = UnsafeMutableRawPointer(base).assumingMemoryBound(to: FileRecord.self)
            record.pointee.file?.release()
            record.pointee.file = nil
            return SQLITE_OK
        }
        table.pointee.xRead = { base, bytes, count, offset in
            guard let file = file(base), offset >= 0, count >= 0 else { return SQLITE_IOERR }
            return file.read(
                UnsafeMutableRawBufferPointer(start: bytes, count: Int(count)), at: UInt64(offset))
        }
        table.pointee.xWrite = { base, bytes, count, offset in
            guard let file = file(base), offset >= 0, count >= 0 else { return SQLITE_IOERR }
            return file.write(
                UnsafeRawBufferPointer(start: bytes, count: Int(count)), at: UInt64(offset))
        }
        table.pointee.xTruncate = { base, size in
            guard let file = file(base), size >= 0 else { return SQLITE_IOERR }
            return file.truncate(to: UInt64(size))
        }
        table.pointee.xSync = { base, _ in file(base)?.flush() ?? SQLITE_IOERR }
        table.pointee.xFileSize = { base, size in
            guard let file = file(base), let size else { return SQLITE_IOERR }
            return file.size(&size.pointee)
        }
        table.pointee.xLock = { _, _ in SQLITE_OK }
        table.pointee.xUnlock = { _, _ in SQLITE_OK }
        table.pointee.xCheckReservedLock = { _, held in
            held?.pointee = 0
            return SQLITE_OK
        }
        table.pointee.xFileControl = { _, _, _ in SQLITE_NOTFOUND }
        table.pointee.xSectorSize = { _ in Int32(PageChecksum.pageSize) }
        // Nothing is assumed of the disk: any unflushed write may be torn or lost.
        table.pointee.xDeviceCharacteristics = { _ in 0 }
        return UnsafePointer(table)
    }()
}
