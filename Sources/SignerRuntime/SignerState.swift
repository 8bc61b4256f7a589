import LinuxIO
import SignerCore
import StateFiles

/// The signer's files as the broker handles them: it moves sealed bytes, opens key files without
/// reading them, and never looks into either.
final class SignerState {
    let disk: LinuxDisk
    private let store: StateStore<LinuxDisk>
    /// The number of a device key that the service manager gave; it takes the place of the file, and
    /// stays open here and in every worker that gets it.
    let credential: Int32?
    private let uid: UInt32

    init(
        _ directory: consuming FileDescriptor, credential: Int32?, uid: UInt32
    ) {
        disk = LinuxDisk(directory)
        store = StateStore(disk)
        self.credential = credential
        self.uid = uid
    }

    /// Puts right what a power cut left behind.
    func recover() throws(DiskFailure) -> StateRecovery { try store.recover() }

    func list() throws(DiskFailure) -> StateListing {
        StateListing(
            files: try store.files(), deviceKey: find(.deviceKey), indexKey: find(.indexKey))
    }

    func load(_ files: [StateFile]) -> LoadedFiles {
        var loaded = LoadedFiles()
        for file in files {
            precondition(!file.isKey && !file.isLarge, "\(file) is not loaded")
            do throws(DiskFailure) {
                loaded.files[file] = try store.read(file)
            } catch {
                loaded.unreadable[file] = error.reason
            }
        }
        return loaded
    }

    func commit(_ changes: [StateChange]) -> CommitResult {
        do throws(Transaction.Failure) {
            try store.commit(changes)
            return .done
        } catch {
            switch error {
            case .unchanged(let failure): return .unchanged("\(failure)")
            case .unsettled(let failure): return .unsettled("\(failure)")
            case .contradiction(let file):
                return .unchanged("a worker asked for two changes of \(file)")
            }
        }
    }

    /// Removes what was written aside and is in nobody's way any more.
    func tidy(_ files: Set<StateFile>) {
        for file in files.sorted() { try? disk.remove(file.temporaryPath) }
    }

    // MARK: Keys

    private func find(_ key: StateFile) -> KeyFinding {
        if key == .deviceKey, let credential {
            return SignerState.judge(try? Kernel.facts(of: credential), owner: nil)
        }
        do throws(DiskFailure) {
            guard let file = try disk.open(key.path) else { return .missing }
            return SignerState.judge(file.facts, owner: uid)
        } catch {
            return .unsafe("\(error)")
        }
    }

    /// The descriptor of a key file for one worker, judged once more; nil if it is gone.
    func openKey(_ key: StateFile) throws(DiskFailure) -> Int32? {
        guard let file = try disk.open(key.path) else { return nil }
        if case .unsafe(let why) = SignerState.judge(file.facts, owner: uid) {
            throw .failed(path: key.path, why)
        }
        return file.take()
    }

    /// A new file for a key, which a worker fills.
    func createKey(_ key: StateFile) throws(DiskFailure) -> Int32 {
        let file = try reading(key) { () throws(Errno) in
            try disk.create(key.temporaryPath, for: .creatingKey)
        }
        // A file system without owners or modes shows itself here, before anything secret is in it.
        if case .unsafe(let why) = SignerState.judge(
            try? Kernel.facts(of: file), owner: uid, size: 0)
        {
            throw .failed(path: key.path, why)
        }
        return file.take()
    }

    private static func judge(
        _ facts: Kernel.FileFacts?, owner: UInt32?, size: Int = StateFile.deviceKey.limit
    ) -> KeyFinding {
        guard let facts else { return .unsafe("it cannot be read") }
        guard facts.isFile else { return .unsafe("it is no ordinary file") }
        guard facts.size == UInt64(size) else {
            return .unsafe("it has \(facts.size) bytes and must have \(size)")
        }
        guard let owner else { return .safe }
        guard facts.uid == owner else {
            return .unsafe(
                "it belongs to user \(facts.uid) and must belong to user \(owner); a file system "
                    + "without owners, such as FAT, cannot hold it: keep the state on ext4 or the like"
            )
        }
        guard facts.mode == 0o400 else {
            return .unsafe(
                "its mode is 0\(String(facts.mode, radix: 8)) and must be 0400; a file system "
                    + "without modes, such as FAT, cannot hold it: keep the state on ext4 or the like"
            )
        }
        guard facts.links == 1 else { return .unsafe("it has a second name") }
        return .safe
    }

    private func reading<Value: ~Copyable>(
        _ key: StateFile, _ body: () throws(Errno) -> Value
    ) throws(DiskFailure) -> Value {
        do throws(Errno) {
            return try body()
        } catch {
            throw error == .noSpace ? .noSpace : .failed(path: key.path, "\(error)")
        }
    }
}
