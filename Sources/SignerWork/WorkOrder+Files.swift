import Messages
import StateFiles

extension WorkOrder {
    /// Whether a file is there.
    func contains(_ file: StateFile) -> Bool { files[file] != nil || present.contains(file) }

    /// Whether nothing was kept before: the keys are made by this operation.
    var isFirst: Bool {
        switch request {
        case .create, .importWords, .importXprv, .restore: deviceKey == .new || indexKey == .new
        default: false
        }
    }

    /// All files that are there.
    var all: Set<StateFile> { present.union(files.keys) }

    /// The contents of a file.
    ///
    /// - Throws: `missing`, `damaged`.
    func load(_ file: StateFile) throws(VaultRefusal) -> [UInt8] {
        if let why = unreadable[file] { throw .damaged(file, why) }
        guard let bytes = files[file] else { throw .missing(file) }
        return bytes
    }
}
