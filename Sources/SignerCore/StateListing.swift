import Messages
public import StateFiles

/// How the broker found a key file, which it opens and never reads.
public enum KeyFinding: Hashable, Sendable {
    /// An ordinary file of 32 bytes, the signer's own, readable by nobody else; or a credential.
    case safe
    /// There is none.
    case missing
    /// It cannot be trusted to be secret or whole; why, as a part of a sentence.
    case unsafe(String)
}

/// What there is of the signer's state.
public struct StateListing: Hashable, Sendable {
    /// Every file but the two keys.
    public var files: Set<StateFile>
    /// The device key.
    public var deviceKey: KeyFinding
    /// The index key.
    public var indexKey: KeyFinding

    /// A listing by its fields.
    public init(files: Set<StateFile>, deviceKey: KeyFinding, indexKey: KeyFinding) {
        self.files = files.filter { !$0.isKey }
        self.deviceKey = deviceKey
        self.indexKey = indexKey
    }

    /// Whether nothing was kept here yet, so that keys may be made.
    public var isEmpty: Bool { files.isEmpty }

    /// Every vault of which a file is there.
    public var vaults: Set<VaultID> { Set(files.compactMap(\.vault)) }

    func finding(of key: StateFile) -> KeyFinding {
        key == .deviceKey ? deviceKey : indexKey
    }
}

/// Small files of the state.
///
/// What cannot be read stands for itself alone: the other files, and the other vaults, are as good as
/// before.
public struct LoadedFiles: Hashable, Sendable {
    /// The contents of those that are there.
    public var files: [StateFile: [UInt8]] = [:]
    /// Those that are there and could not be read; why, as a part of a sentence.
    public var unreadable: [StateFile: String] = [:]

    /// Nothing loaded yet.
    public init() {}
}

extension StateListing {
    /// What is wrong with the state, each a sentence that says what to do.
    public var problems: [String] {
        var refusals: [VaultRefusal] = []
        for key in [StateFile.deviceKey, .indexKey] {
            switch finding(of: key) {
            case .safe: break
            case .missing: if !isEmpty { refusals.append(.missing(key)) }
            case .unsafe(let why): refusals.append(.unsafeKey(key, why))
            }
        }
        for id in vaults.sorted() where files.contains(.vault(id)) {
            for file in [StateFile.secretKey(id), .attempts(id)] where !files.contains(file) {
                refusals.append(.missing(file))
            }
        }
        return refusals.map(\.sentence)
    }
}
