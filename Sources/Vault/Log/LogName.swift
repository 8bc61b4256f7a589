public import StateFiles
import Wire

/// Which log: this machine's ledger, or the log of an items vault.
public enum LogName: Hashable, Sendable {
    /// A machine's ledger.
    case ledger(LedgerID)
    /// Names and dates of the items of a vault.
    case items(VaultID)

    /// `kind (1) || id (16)`.
    var bytes: [UInt8] {
        switch self {
        case .ledger(let id): [1] + id.bytes
        case .items(let id): [2] + id.bytes
        }
    }

    init?(_ bytes: some Collection<UInt8>) {
        switch bytes.first {
        case 1:
            guard let id = LedgerID(bytes.dropFirst()) else { return nil }
            self = .ledger(id)
        case 2:
            guard let id = VaultID(bytes.dropFirst()) else { return nil }
            self = .items(id)
        default: return nil
        }
    }
}

/// Whom an entry is about: a vault, or the machine itself.
public enum LogScope: Hashable, Sendable {
    /// No vault, such as a start.
    case machine
    /// One vault.
    case vault(VaultID)

    /// The vault's id, or 16 zeros.
    var bytes: [UInt8] {
        switch self {
        case .machine: [UInt8](repeating: 0, count: VaultID.length)
        case .vault(let id): id.bytes
        }
    }

    init?(_ bytes: some Collection<UInt8>) {
        guard let id = VaultID(bytes) else { return nil }
        self = bytes.allSatisfy { $0 == 0 } ? .machine : .vault(id)
    }
}
