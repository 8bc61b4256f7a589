/// Several changes of the signer's files as one: after a failure or a power cut at any step, all of
/// them hold or none.
///
/// Everything new is written beside its file under the name with `.new`, and flushed. With one file
/// to exchange, its rename decides. With more a `journal` names them, and the rename of that decides;
/// from then on, whoever finds it carries it out. Bytes to append need their room before the
/// decision: the journal that is not decided yet says how long their file was, and whoever finds that
/// cuts the file.
public struct Transaction: Sendable {
    /// Why a transaction was not carried out.
    public enum Failure: Error, Hashable, Sendable {
        /// All is as before.
        case unchanged(DiskFailure)
        /// The disk failed where only the next `recover` decides whether all holds or none.
        case unsettled(DiskFailure)
        /// Two changes of one file make no sense together.
        case contradiction(StateFile)
    }

    private let changes: [StateChange]
    private let journal: Journal

    /// A transaction of changes, of which each file has one at most.
    public init(_ changes: [StateChange]) throws(Failure) {
        var changed: Set<StateFile> = []
        for change in changes {
            guard changed.insert(change.file).inserted else { throw .contradiction(change.file) }
        }
        // A file that begins is exchanged as any other.
        self.changes = changes.map { change in
            if case .append(let file, at: 0, let bytes) = change {
                .put(file, bytes)
            } else {
                change
            }
        }
        journal = Journal(self.changes)
    }

    /// Carries it out.
    public func commit(to disk: some Disk) throws(Failure) {
        do throws(DiskFailure) {
            try prepare(disk)
        } catch {
            discard(disk)
            throw .unchanged(error)
        }
        do throws(DiskFailure) { try append(disk) } catch { throw withdraw(disk, error) }
        if needsJournal { try decide(disk) }
        do throws(DiskFailure) {
            try carryOut(disk)
        } catch {
            do throws(DiskFailure) { try carryOut(disk) } catch { throw .unsettled(error) }
        }
    }

    /// One rename decides over one file by itself.
    private var needsJournal: Bool { journal.steps.count > 1 || journal.appends }

    /// Decides that it holds, or withdraws the decision where the disk did not take it.
    private func decide(_ disk: some Disk) throws(Failure) {
        do throws(DiskFailure) {
            try Journal.decide(on: disk)
        } catch let failure {
            do throws(DiskFailure) {
                try Journal.withdraw(from: disk)
            } catch {
                throw .unsettled(failure)
            }
            throw withdraw(disk, failure)
        }
    }

    /// Takes back what is not decided; what became of it.
    private func withdraw(_ disk: some Disk, _ failure: DiskFailure) -> Failure {
        do throws(DiskFailure) { try journal.undo(on: disk) } catch { return .unsettled(failure) }
        discard(disk)
        return .unchanged(failure)
    }

    private func carryOut(_ disk: some Disk) throws(DiskFailure) {
        try journal.carryOut(on: disk)
        if needsJournal { try Journal.remove(from: disk) }
    }

    private func prepare(_ disk: some Disk) throws(DiskFailure) {
        for change in changes { try Transaction.makeDirectories(for: change.file, on: disk) }
        // What is copied is copied as it was before any of the changes.
        for case .copy(let source, let target) in changes {
            try Transaction.copy(source, to: target, on: disk)
        }
        for change in changes {
            switch change {
            case .put(let file, let bytes):
                guard bytes.count <= file.limit else {
                    throw .tooLarge(
                        path: file.path, found: UInt64(bytes.count), allowed: UInt64(file.limit))
                }
                try disk.create(file.temporaryPath)
                try disk.write(bytes, to: file.temporaryPath, at: 0)
                try disk.flush(file.temporaryPath)
            case .append(let file, let offset, let bytes):
                try Transaction.check(bytes, file, offset, on: disk)
            case .adopt(let file):
                guard try disk.size(of: file.temporaryPath) != nil else {
                    throw .tooShort(path: file.temporaryPath)
                }
                try disk.flush(file.temporaryPath)
            case .copy, .remove: break
            }
        }
        for directory in Set(changes.map(\.file.directory)).sorted() {
            try disk.flushDirectory(directory)
        }
        if needsJournal { try journal.write(to: disk) }
    }

    /// Appends what is to be appended, once the length from before is certain to be known.
    private func append(_ disk: some Disk) throws(DiskFailure) {
        guard journal.appends else { return }
        try disk.flushDirectory("")
        for case .append(let file, let offset, let bytes) in changes {
            if try disk.size(of: file.path) != offset {
                // Earlier releases left behind what never came to hold.
                try disk.truncate(file.path, to: offset)
            }
            try disk.write(bytes, to: file.path, at: offset)
            try disk.flush(file.path)
        }
    }

    /// Takes away what would have been new; what cannot be taken away now is at the next start.
    private func discard(_ disk: some Disk) {
        for change in changes { try? disk.remove(change.file.temporaryPath) }
        try? disk.remove(Journal.temporaryPath)
    }

    /// Makes the directories that a file lies in, and has them stay.
    public static func makeDirectories(
        for file: StateFile, on disk: some Disk
    ) throws(DiskFailure) {
        var parent = ""
        for name in file.directory.split(separator: "/") {
            let path = parent.isEmpty ? String(name) : parent + "/" + name
            if try disk.makeDirectory(path) { try disk.flushDirectory(parent) }
            parent = path
        }
    }

    private static func copy(
        _ source: StateFile, to target: StateFile, on disk: some Disk
    ) throws(DiskFailure) {
        try disk.create(target.temporaryPath)
        var offset: UInt64 = 0
        while true {
            let part = try disk.read(source.path, at: offset, count: 64 << 10)
            if part.isEmpty { break }
            try disk.write(part, to: target.temporaryPath, at: offset)
            offset += UInt64(part.count)
        }
        try disk.flush(target.temporaryPath)
    }

    /// Whether bytes can follow so many bytes of a file.
    private static func check(
        _ bytes: [UInt8], _ file: StateFile, _ offset: UInt64, on disk: some Disk
    ) throws(DiskFailure) {
        guard offset <= UInt64(file.limit), UInt64(bytes.count) <= UInt64(file.limit) - offset
        else {
            throw .tooLarge(
                path: file.path, found: offset &+ UInt64(bytes.count), allowed: UInt64(file.limit))
        }
        guard let size = try disk.size(of: file.path), offset <= size else {
            throw .tooShort(path: file.path)
        }
    }
}

extension StateFile {
    /// Where its next content is written aside.
    public var temporaryPath: String { path + ".new" }
}
