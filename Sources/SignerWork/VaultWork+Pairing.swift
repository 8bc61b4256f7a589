import Accounts
import Bitcoin
import Messages
import Pairing
import StateFiles
import Vault

extension VaultWork {
    /// The public accounts of all wallets whose index verifies, for the network process to watch. When
    /// their keys were first used nobody knows without a password.
    func paired(_ keys: borrowing WorkKeys) -> [PairedAccounts] {
        let network = Network(order.chain)
        var rows: [PairedAccounts] = []
        for id in order.files.keys.compactMap(\.indexed).sorted() {
            guard rows.count < Limit.pairedWallets, let index = try? publicIndex(id, keys),
                index.network == network
            else { continue }
            let accounts = index.accounts.map { PairedWallet.Account($0.key, $0.value) }
            let wallet = PairedWallet(
                name: (try? name(of: id, keys)) ?? VaultWork.standInName(id), network: network,
                fingerprint: index.masterFingerprint, accounts: accounts, birthday: nil)
            rows.append(PairedAccounts(vault: id, file: wallet.text(as: .descriptors)))
        }
        return rows
    }
}

extension StateFile {
    /// The wallet whose index it is.
    fileprivate var indexed: VaultID? { if case .index(let id) = self { id } else { nil } }
}
