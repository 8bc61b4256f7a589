/// Every file that the signer keeps, and no other: a path is made from one of these or not at all.
public enum StateFile: Hashable, Sendable {
    /// 32 random bytes that seal the secret keys. Only a worker reads it.
    case deviceKey
    /// 32 random bytes that authenticate public data. Only a worker reads it.
    case indexKey
    /// A vault's secret key, sealed under the device key.
    case secretKey(VaultID)
    /// Header, keyslots and sealed body.
    case vault(VaultID)
    /// The display name.
    case name(VaultID)
    /// The count of failed passwords.
    case attempts(VaultID)
    /// Account public keys and addresses.
    case index(VaultID)
    /// Names and dates of the items of a vault.
    case itemsLog(VaultID)
    /// The signed head of that log.
    case itemsHead(VaultID)
    /// One sealed item.
    case item(VaultID, ItemID)
    /// The key of this machine's ledger, sealed under the device key.
    case ledgerKey
    /// The signed head of this machine's ledger.
    case ledgerHead
    /// The entries of this machine's ledger.
    case ledgerEntries
    /// As `ledgerKey`, of a ledger that came with a backup or belonged to a lost device key.
    case importedLedgerKey(LedgerID)
    /// As `ledgerHead`, of such a ledger.
    case importedLedgerHead(LedgerID)
    /// As `ledgerEntries`, of such a ledger.
    case importedLedgerEntries(LedgerID)
}

extension StateFile {
    /// The path below the signer's directory.
    public var path: String {
        switch self {
        case .deviceKey: "device.key"
        case .indexKey: "index.key"
        case .secretKey(let id): "secrets/\(id).key"
        case .vault(let id): "vaults/\(id).vault"
        case .name(let id): "vaults/\(id).name"
        case .attempts(let id): "vaults/\(id).attempts"
        case .index(let id): "index/\(id).index"
        case .itemsLog(let id): "items/\(id)/log"
        case .itemsHead(let id): "items/\(id)/head"
        case .item(let id, let item): "items/\(id)/\(item).item"
        case .ledgerKey: "ledger/key"
        case .ledgerHead: "ledger/head"
        case .ledgerEntries: "ledger/entries"
        case .importedLedgerKey(let id): "ledger/imported/\(id)/key"
        case .importedLedgerHead(let id): "ledger/imported/\(id)/head"
        case .importedLedgerEntries(let id): "ledger/imported/\(id)/entries"
        }
    }

    /// The file at a path; nil if the signer keeps none there.
    public init?(path: some StringProtocol) {
        let parts = path.split(separator: "/", omittingEmptySubsequences: false)
        guard let file = StateFile.find(parts.map { String($0) }), file.path == path else {
            return nil
        }
        self = file
    }

    private static func find(_ parts: [String]) -> StateFile? {
        switch parts.count {
        case 1: [deviceKey, indexKey].first { $0.path == parts[0] }
        case 2: find(parts[1], in: parts[0])
        case 3 where parts[0] == "items": VaultID(text: parts[1]).flatMap { item(parts[2], of: $0) }
        case 4: LedgerID(text: parts[2]).flatMap { imported(parts[3], of: $0) }
        default: nil
        }
    }

    private static func find(_ name: String, in directory: String) -> StateFile? {
        if directory == "ledger" {
            return [ledgerKey, ledgerHead, ledgerEntries].first { $0.path == "ledger/" + name }
        }
        guard let id = VaultID(text: name.prefix(2 * VaultID.length)) else { return nil }
        switch (directory, name.dropFirst(2 * VaultID.length)) {
        case ("secrets", ".key"): return .secretKey(id)
        case ("vaults", ".vault"): return .vault(id)
        case ("vaults", ".name"): return .name(id)
        case ("vaults", ".attempts"): return .attempts(id)
        case ("index", ".index"): return .index(id)
        default: return nil
        }
    }

    private static func item(_ name: String, of vault: VaultID) -> StateFile? {
        switch name {
        case "log": .itemsLog(vault)
        case "head": .itemsHead(vault)
        default: ItemID(text: name.prefix(2 * ItemID.length)).map { .item(vault, $0) }
        }
    }

    private static func imported(_ name: String, of ledger: LedgerID) -> StateFile? {
        switch name {
        case "key": .importedLedgerKey(ledger)
        case "head": .importedLedgerHead(ledger)
        case "entries": .importedLedgerEntries(ledger)
        default: nil
        }
    }
}

extension StateFile {
    /// How many bytes it may have.
    public var limit: Int {
        switch self {
        case .deviceKey, .indexKey: 32
        case .secretKey, .ledgerKey: 1 << 10
        // One key for each vault that came from the machine of that ledger.
        case .importedLedgerKey: 64 << 10
        case .name, .attempts: 1 << 10
        case .vault: 64 << 10
        case .index: 256 << 10
        case .itemsHead, .ledgerHead, .importedLedgerHead: 1 << 10
        case .itemsLog: 64 << 20
        case .ledgerEntries, .importedLedgerEntries: 1 << 30
        case .item: 1 << 36
        }
    }

    /// Whether it is moved through a pipe and never held in memory.
    public var isLarge: Bool { limit > 1 << 20 }

    /// Whether only a worker may read it, and how the broker creates it: readable by nobody else,
    /// and written by nobody from then on.
    public var isKey: Bool { self == .deviceKey || self == .indexKey }

    /// Whether it belongs to a ledger that is not this machine's.
    public var isImportedLedger: Bool {
        switch self {
        case .importedLedgerKey, .importedLedgerHead, .importedLedgerEntries: true
        default: false
        }
    }

    /// The vault that it belongs to; nil if it is the machine's.
    public var vault: VaultID? {
        switch self {
        case .secretKey(let id), .vault(let id), .name(let id), .attempts(let id), .index(let id),
            .itemsLog(let id), .itemsHead(let id), .item(let id, _):
            id
        case .deviceKey, .indexKey, .ledgerKey, .ledgerHead, .ledgerEntries, .importedLedgerKey,
            .importedLedgerHead, .importedLedgerEntries:
            nil
        }
    }

    /// The directory that it lies in, empty for the signer's own.
    public var directory: String {
        path.split(separator: "/").dropLast().joined(separator: "/")
    }
}

extension StateFile: CustomStringConvertible {
    /// The path.
    public var description: String { path }
}

extension StateFile: Comparable {
    /// Orders by path.
    public static func < (left: StateFile, right: StateFile) -> Bool { left.path < right.path }
}
