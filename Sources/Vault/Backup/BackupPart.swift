public import StateFiles
import Wire

/// What a backup consists of, in the order it stands there.
public enum BackupPart: Hashable, Sendable {
    /// Whose and when: see `BackupInformation`.
    case information
    /// The sealed vault file as it is.
    case vault
    /// The display name, UTF-8.
    case name
    /// The public index without the code that authenticates it on one machine.
    case index
    /// A registered wallet policy, by its id.
    case registration(VaultID)
    /// The key of the vault's own entries in the ledger: see `BackupLedgerKey`.
    case ledgerKey
    /// The ledger's head as it is.
    case ledgerHead
    /// The ledger's entries as they are.
    case ledgerEntries
    /// The head of the items' log as it is.
    case itemsHead
    /// The items' log as it is.
    case itemsLog
    /// A sealed item as it is.
    case item(ItemID)
    /// Nothing follows: how many parts came before (8 bytes).
    case end

    /// `kind || name`, whose order is that of the parts.
    var key: [UInt8] {
        switch self {
        case .information: [1]
        case .vault: [2]
        case .name: [3]
        case .index: [4]
        case .registration(let id): [5] + id.bytes
        case .ledgerKey: [6]
        case .ledgerHead: [7]
        case .ledgerEntries: [8]
        case .itemsHead: [9]
        case .itemsLog: [10]
        case .item(let id): [11] + id.bytes
        case .end: [255]
        }
    }

    /// The part that a kind and a name of 0 or 16 bytes spell; nil if there is none.
    init?(kind: UInt8, name: [UInt8]) {
        switch (kind, name.count) {
        case (1, 0): self = .information
        case (2, 0): self = .vault
        case (3, 0): self = .name
        case (4, 0): self = .index
        case (5, 16):
            guard let id = VaultID(name) else { return nil }
            self = .registration(id)
        case (6, 0): self = .ledgerKey
        case (7, 0): self = .ledgerHead
        case (8, 0): self = .ledgerEntries
        case (9, 0): self = .itemsHead
        case (10, 0): self = .itemsLog
        case (11, 16):
            guard let id = ItemID(name) else { return nil }
            self = .item(id)
        case (255, 0): self = .end
        default: return nil
        }
    }

    /// How many bytes it may have.
    public var lengths: ClosedRange<UInt64> {
        switch self {
        case .information: UInt64(BackupInformation.length)...UInt64(BackupInformation.length)
        case .vault: 1...64 << 10
        case .name: 1...1 << 10
        case .index: 1...256 << 10
        case .registration: 1...64 << 10
        case .ledgerKey: UInt64(BackupLedgerKey.length)...UInt64(BackupLedgerKey.length)
        case .ledgerHead, .itemsHead: UInt64(LogHead.length)...UInt64(LogHead.length)
        case .ledgerEntries: 0...1 << 30
        case .itemsLog: 0...64 << 20
        case .item: UInt64(StreamHeader.length)...1 << 40
        case .end: 8...8
        }
    }

    /// Whether it is held in memory whole; the others are moved piece by piece.
    public var isSmall: Bool { lengths.upperBound <= 256 << 10 }
}

extension BackupPart: CustomStringConvertible {
    /// A noun with its article.
    public var description: String {
        switch self {
        case .information: "the description of the backup"
        case .vault: "the vault"
        case .name: "the name"
        case .index: "the public index"
        case .registration(let id): "the registration \(id)"
        case .ledgerKey: "the key of the ledger"
        case .ledgerHead: "the head of the ledger"
        case .ledgerEntries: "the entries of the ledger"
        case .itemsHead: "the head of the items' log"
        case .itemsLog: "the items' log"
        case .item(let id): "the item \(id)"
        case .end: "the end"
        }
    }
}
