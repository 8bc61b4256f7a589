public import StateFiles

/// What a restore does with each part of a backup, decided from what is in the backup and what is
/// here. Nothing that is here and whole is ever replaced by something older.
public struct RestorePlan: Hashable, Sendable {
    /// What becomes of a part.
    public enum Effect: UInt8, CaseIterable, Hashable, Sendable {
        /// It is not here yet and comes.
        case added = 1
        /// It is here already, just the same.
        case unchanged = 2
        /// It is damaged or older here, and is replaced.
        case replaced = 3
        /// What is here stays: it is newer, or nobody can tell.
        case kept = 4

        /// Whether the part of the backup is used.
        public var isUsed: Bool { self == .added || self == .replaced }
    }

    /// How something of the backup compares with what is here.
    public enum Presence: Hashable, Sendable {
        /// It is not here.
        case absent
        /// It is here, byte for byte.
        case same
        /// It is here in another form that is whole.
        case different
        /// It is here and damaged.
        case damaged
    }

    private let information: BackupInformation
    private let own: LogHead?
    private let imported: LogHead?
    private let itemsHead: LogHead?
    private let isItemsLogWhole: Bool

    /// A plan for a backup. Heads are those that are here: this machine's ledger, the backup's ledger
    /// where it was imported before, the log of the vault's items and whether it agrees with its head.
    public init(
        _ information: BackupInformation, ownLedger: LogHead?, importedLedger: LogHead?,
        itemsHead: LogHead?, isItemsLogWhole: Bool
    ) {
        self.information = information
        own = ownLedger
        imported = importedLedger
        self.itemsHead = itemsHead
        self.isItemsLogWhole = isItemsLogWhole
    }

    /// Whether this machine's own ledger went on after the backup was made.
    public var isOlderThanHere: Bool {
        own?.name == .ledger(information.ledger)
            && (own?.counter ?? 0) >= information.ledgerCounter
    }

    /// What becomes of the vault file, and of what belongs to it: name and index.
    public func effect(ofVaultPart presence: Presence) -> Effect {
        switch presence {
        case .absent: .added
        case .same: .unchanged
        case .damaged: .replaced
        case .different: .kept
        }
    }

    /// What becomes of an item. An item never changes, and only whole ones come into a backup: one
    /// that differs here is damaged.
    public func effect(ofItem presence: Presence) -> Effect {
        switch presence {
        case .absent: .added
        case .same: .unchanged
        case .different, .damaged: .replaced
        }
    }

    /// What becomes of the ledger whose head is in the backup.
    public func effect(ofLedger head: LogHead) -> Effect {
        if head.name == own?.name { return .kept }
        return Self.effect(of: head, here: imported)
    }

    /// What becomes of the items' log whose head is in the backup. Where the answer is `replaced`,
    /// the log must be read with `witness` and continue that one.
    public func effect(ofItemsLog head: LogHead) -> Effect {
        isItemsLogWhole ? Self.effect(of: head, here: itemsHead) : .replaced
    }

    /// The head that is here, which the backup's log must continue; nil where it is older than that
    /// and comes in place of a damaged one.
    public func witness(ofItemsLog head: LogHead) -> LogHead? {
        itemsHead.flatMap { $0.name == head.name && $0.counter <= head.counter ? $0 : nil }
    }

    private static func effect(of head: LogHead, here: LogHead?) -> Effect {
        guard let here, here.name == head.name else { return .added }
        if here.counter == head.counter, here.lastHash == head.lastHash { return .unchanged }
        return here.counter < head.counter ? .replaced : .kept
    }

    /// Why a vault that is here in another form stays, and what to do.
    public var reasonToKeep: String {
        isOlderThanHere
            ? "the vault here was changed after the backup was made, and stays as it is"
            : "the vault here differs from the one in the backup and stays as it is; to have the "
                + "one of the backup, delete the vault here and restore again"
    }
}
