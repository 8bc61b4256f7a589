import CSQLite
public import StateFiles

/// SQLite's way to files, over a `Disk`: no path is opened by SQLite itself, nothing is mapped into
/// memory, no temporary file is made, and no lock is taken, because one process owns the directory
/// and one connection a file.
public final class DiskFileSystem {
    let disk: any Disk
    /// What a step failed with last, which SQLite's codes cannot say.
    var failure: DatabaseError?
    private let table: UnsafeMutablePointer<sqlite3_vfs>
    /// Under which SQLite knows it.
    let name: UnsafeMutablePointer<CChar>

    /// Longer paths than any here.
    private static let longestPath = 128

    /// Makes SQLite know the disk.
    public init(_ disk: any Disk) {
        self.disk = disk
        table = .allocate(capacity: 1)
        let text = Array("bulkhead-\(UInt(bitPattern: table))".utf8CString)
        name = .allocate(capacity: text.count)
        name.initialize(from: text, count: text.count)
        table.initialize(to: sqlite3_vfs())
        table.pointee.iVersion = 1
        table.pointee.szOsFile = Int32(MemoryLayout<FileRecord>.size)
        table.pointee.mxPathname = Int32(DiskFileSystem.longestPath)
        table.pointee.zName = UnsafePointer(name)
        // Unretained: whoever holds a database holds this too.
        table.pointee.pAppData = Unmanaged.passUnretained(self).toOpaque()
        table.pointee.xOpen = { table, path, file, flags, found in
            guard let system = DiskFileSystem.of(table), let file else { return SQLITE_CANTOPEN }
            return system.open(path, file, flags, found)
        }
        table.pointee.xDelete = { table, path, flushes in
            guard let system = DiskFileSystem.of(table), let path else { return SQLITE_IOERR }
            return system.attempt(orElse: SQLITE_IOERR) { () throws(DiskFailure) in
                try system.disk.remove(String(cString: path))
                if flushes != 0 { try system.disk.flushDirectory("") }
            }
        }
        table.pointee.xAccess = { table, path, _, found in
            guard let system = DiskFileSystem.of(table), let path else { return SQLITE_IOERR }
            return system.attempt(orElse: SQLITE_IOERR) { () throws(DiskFailure) in
                let size = try system.disk.size(of: String(cString: path))
                found?.pointee = (size ?? 0) > 0 ? 1 : 0
            }
        }
        table.pointee.xFullPathname = { _, path, size, full in
            guard let path, let full else { return SQLITE_CANTOPEN }
            let bytes = Array(String(cString: path).utf8CString)
            guard bytes.count <= Int(size) else { return SQLITE_CANTOPEN }
            full.update(from: bytes, count: bytes.count)
            return SQLITE_OK
        }
        table.pointee.xRandomness = { _, count, bytes in
            guard let bytes else { return 0 }
            var random = SystemRandomNumberGenerator()
            for place in 0..<Int(count) {
                bytes[place] = CChar(truncatingIfNeeded: random.next() as UInt64)
            }
            return count
        }
        table.pointee.xSleep = { _, time in time }
        table.pointee.xCurrentTime = { _, day in
            // The first of January 1970 as a Julian day: nothing that is stored asks SQLite for the time.
            day?.pointee = 2_440_587.5
            return SQLITE_OK
        }
        table.pointee.xGetLastError = { _, _, _ in 0 }
        sqlite3_vfs_register(table, 0)
    }

    deinit {
        sqlite3_vfs_unregister(table)
        table.deallocate()
        name.deallocate()
    }

    private static func of(_ table: UnsafeMutablePointer<sqlite3_vfs>?) -> DiskFileSystem? {
        guard let data = table?.pointee.pAppData else { return nil }
        return Unmanaged<DiskFileSystem>.fromOpaque(data).takeUnretainedValue()
    }

    private func open(
        _ path: UnsafePointer<CChar>?, _ file: UnsafeMutablePointer<sqlite3_file>, _ flags: Int32,
        _ found: UnsafeMutablePointer<Int32>?
    ) -> Int32 {
        file.pointee.pMethods = nil
        // A file without a name would be a temporary one.
        guard let path else { return SQLITE_CANTOPEN }
        let name = String(cString: path)
        let code = attempt(orElse: SQLITE_CANTOPEN) { () throws(DiskFailure) in
            guard try disk.size(of: name) == nil else { return }
            guard flags & SQLITE_OPEN_CREATE != 0 else { throw .tooShort(path: name) }
            try disk.create(name)
            try disk.flushDirectory("")
        }
        guard code == SQLITE_OK else { return code }
        let open = DiskFile(self, name, hasPages: flags & SQLITE_OPEN_MAIN_DB != 0)
        UnsafeMutableRawPointer(file).assumingMemoryBound(to: FileRecord.self).pointee =
            FileRecord(
                base: sqlite3_file(pMethods: FileRecord.methods),
                file: Unmanaged.passRetained(open))
        found?.pointee = flags
        return SQLITE_OK
    }

    /// Does a step, and remembers what it failed with.
    func attempt(orElse code: Int32, _ step: () throws(DiskFailure) -> Void) -> Int32 {
        do throws(DiskFailure) {
            try step()
            return SQLITE_OK
        } catch .noSpace {
            failure = .noSpace
            return SQLITE_FULL
        } catch {
            failure = .disk(error)
            return code
        }
    }
}

extension DiskFileSystem {
    /// The bytes of a database's file; 0 if there is none.
    public func size(of file: String) throws(DiskFailure) -> UInt64 {
        try disk.size(of: file) ?? 0
    }

    /// Gives the file of a database that nobody has open another name; its log goes.
    public func rename(_ file: String, to name: String) throws(DiskFailure) {
        try disk.rename(file, to: name)
        try disk.remove(file + "-wal")
        try disk.flushDirectory("")
    }

    /// Removes the file of a database that nobody has open, and its log.
    public func remove(_ file: String) throws(DiskFailure) {
        try disk.remove(file)
        try disk.remove(file + "-wal")
        try disk.flushDirectory("")
    }
}
