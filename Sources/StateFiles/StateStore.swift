/// The signer's files on one disk: listed, read, and changed by transactions, one at a time.
public final class StateStore<Storage: Disk> {
    /// Where the files lie.
    public let disk: Storage
    private var isSettled = false

    /// A store that has not been opened yet.
    public init(_ disk: Storage) { self.disk = disk }

    /// Carries out a transaction that had been decided and takes away all that had not, together with
    /// what it had appended.
    @discardableResult
    public func recover() throws(DiskFailure) -> StateRecovery {
        isSettled = false
        var recovery = StateRecovery()
        // What is seen of the decision must outlive what is done by it.
        try disk.flushDirectory("")
        if let bytes = try disk.read(Journal.path, limit: Journal.limit) {
            if let journal = Journal(bytes) {
                try journal.carryOut(on: disk)
                recovery.carriedOut = true
            } else {
                recovery.journalWasDamaged = true
            }
            try Journal.remove(from: disk)
        } else if let bytes = try disk.read(Journal.temporaryPath, limit: Journal.limit) {
            // One that is not whole was not flushed, and nothing had been appended.
            try Journal(bytes)?.undo(on: disk)
        }
        for directory in try directories() { recovery.discarded += try discard(in: directory) }
        isSettled = true
        return recovery
    }

    /// Makes the changes, all of them or none.
    ///
    /// After a failure that left this open, nothing else is done before a recovery.
    public func commit(_ changes: [StateChange]) throws(Transaction.Failure) {
        try settle()
        let transaction = try Transaction(changes)
        do throws(Transaction.Failure) {
            try transaction.commit(to: disk)
        } catch {
            if case .unsettled = error { isSettled = false }
            throw error
        }
    }

    private func settle() throws(Transaction.Failure) {
        guard !isSettled else { return }
        do throws(DiskFailure) { try recover() } catch { throw .unchanged(error) }
    }

    /// Every file of the signer that is there.
    public func files() throws(DiskFailure) -> Set<StateFile> {
        var files: Set<StateFile> = []
        for directory in try directories() {
            for name in try names(in: directory) {
                let path = directory.isEmpty ? name : directory + "/" + name
                if let file = StateFile(path: path) { files.insert(file) }
            }
        }
        return files
    }

    /// A small file; nil if there is none.
    public func read(_ file: StateFile) throws(DiskFailure) -> [UInt8]? {
        try disk.read(file.path, limit: file.limit)
    }

    /// The names in a directory; none where something else stands in the place of the one of a vault
    /// or a ledger, whose files are missed then without those of all others.
    private func names(in directory: String) throws(DiskFailure) -> [String] {
        do throws(DiskFailure) {
            return try disk.names(in: directory)
        } catch {
            guard case .wrongKind = error, directory.contains("/") else { throw error }
            return []
        }
    }

    /// The directories that files of the signer can lie in, as far as they are there.
    private func directories() throws(DiskFailure) -> [String] {
        var found = ["", "secrets", "vaults", "index", "ledger"]
        for parent in ["items", "ledger/imported"] {
            found += try disk.names(in: parent).filter { VaultID(text: $0) != nil }
                .map { parent + "/" + $0 }
        }
        return found
    }

    /// Removes what was written aside; how many files that were.
    private func discard(in directory: String) throws(DiskFailure) -> Int {
        var count = 0
        for name in try names(in: directory) where name.hasSuffix(".new") {
            let path = directory.isEmpty ? name : directory + "/" + name
            guard path == Journal.temporaryPath || StateFile(path: path.dropLast(4)) != nil else {
                continue
            }
            try disk.remove(path)
            count += 1
        }
        if count > 0 { try disk.flushDirectory(directory) }
        return count
    }
}

/// What was found and put right.
public struct StateRecovery: Hashable, Sendable {
    /// A transaction that had been decided was carried out.
    public var carriedOut = false
    /// A journal was there and is none: the disk has lost a part of it.
    public var journalWasDamaged = false
    /// Files that had been written aside and were never decided upon.
    public var discarded = 0

    /// Nothing was to be done.
    public init() {}
}
