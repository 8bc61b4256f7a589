import Messages
import StateFiles

/// The public accounts of the wallets, as the network process is handed them.
struct PairingState: Sendable {
    /// What a worker made last; nil before that.
    var rows: [PairedAccounts]?
    /// Whether they are to be made anew.
    var isDue = true
    /// How often something changed that tells a review what the own wallets are.
    var changes: UInt64 = 0
}

extension Signer {
    mutating func paired(_ rows: [PairedAccounts]) {
        guard rows != pairing.rows else { return }
        pairing.rows = rows
        tellAccounts()
    }

    mutating func tellAccounts() {
        guard link.isUp, sharesAccounts, let rows = pairing.rows else { return }
        actions.append(.tell(.accounts(rows)))
    }

    /// Wallets come, go, and get other names.
    mutating func notePairing(in changes: [StateChange]) {
        if changes.contains(where: \.file.isPaired) { pairing.isDue = true }
    }

    /// Whether or not the disk took them: what an earlier review found may no longer be so.
    mutating func noteWallets(in changes: [StateChange]) {
        if changes.contains(where: \.file.isForSearch) { pairing.changes += 1 }
    }
}

extension StateFile {
    fileprivate var isPaired: Bool {
        switch self {
        case .index, .name: true
        default: false
        }
    }
}
