import Messages
import StateFiles

/// The public accounts of the wallets, as the network process is handed them.
struct PairingState: Sendable {
    /// What a worker made last; nil before that.
    var rows: [PairedAccounts]?
    /// Whether they are to be made anew.
    var isDue = true
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
}

extension StateFile {
    fileprivate var isPaired: Bool {
        switch self {
        case .index, .name: true
        default: false
        }
    }
}
