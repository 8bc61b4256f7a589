import Accounts
import Bitcoin
import Descriptors
import Messages
import Pairing
import StateFiles
import Vault

extension VaultWork {
    /// So many addresses of each branch are looked at at most.
    static let deepestSearch: UInt32 = 20_000

    // MARK: Showing

    /// Addresses of one branch, derived from the public index that the index key authenticates.
    func addresses(
        _ range: AddressRange, of id: VaultID, _ keys: borrowing WorkKeys
    ) throws(VaultRefusal) -> VaultAnswer {
        let (end, isTooFar) = range.first.addingReportingOverflow(UInt32(range.count))
        guard range.count > 0, range.count <= AddressRange.maximumCount, !isTooFar,
            end <= ChildNumber.maximumIndex + 1
        else { throw .badRange }
        let wallet = try pairedWallet(id, keys)
        guard let account = wallet.account(range.account) else { throw .missing(.index(id)) }
        let branch: AccountBranch = range.isChange ? .change : .receiving
        guard let series = wallet.series(of: account, branch) else { throw .missing(.index(id)) }
        var rows: [IndexRow] = []
        for index in range.first..<end {
            guard let output = try? series.output(at: index),
                let address = output.address(on: wallet.network)
            else { continue }
            rows.append(wallet.row(account, branch, index, address))
        }
        return .index(fingerprint: wallet.fingerprint.description, rows)
    }

    // MARK: Searching

    /// Looks for an address on both branches of every wallet's account of its kind.
    func findAddress(
        _ text: String, depth: UInt32, _ keys: borrowing WorkKeys
    ) throws(VaultRefusal) -> VaultAnswer {
        let script: Script
        do throws(AddressError) {
            script = try Address(text, network: Network(order.chain)).scriptPubKey
        } catch {
            throw .badAddress(error.description)
        }
        guard let kind = AccountChoice(payingLike: script) else {
            throw .badAddress("only addresses of one key are derived from a wallet alone")
        }
        let depth = min(max(depth, 1), VaultWork.deepestSearch)
        var found: [FoundAddress] = []
        var remarks: [String] = []
        for id in wallets {
            do throws(VaultRefusal) {
                let wallet = try pairedWallet(id, keys)
                if let place = wallet.place(of: script, kind, depth) {
                    found.append(
                        FoundAddress(
                            vault: id, name: wallet.name, isChange: place.branch == .change,
                            row: wallet.row(place.account, place.branch, place.index, text)))
                    if let twin = twin(of: wallet.name, besides: id, keys) {
                        remarks.append(Self.remark(onTwin: twin, of: id))
                    }
                }
            } catch {
                remarks.append("Wallet \(id) was not searched. \(error.sentence)")
            }
        }
        return .searched(found, depth: depth, remarks: remarks)
    }

    /// The wallets of this chain, in the order of their ids.
    private var wallets: [VaultID] {
        var ids: [VaultID] = []
        for case .vault(let id) in order.files.keys {
            if let header = try? header(id), header.kind == .wallet { ids.append(id) }
        }
        return ids.sorted()
    }

    // MARK: The public side

    func pairedWallet(
        _ id: VaultID, _ keys: borrowing WorkKeys
    ) throws(VaultRefusal) -> PairedWallet {
        guard try header(id).kind == .wallet else { throw .wrongKind(id, .items) }
        let index = try publicIndex(id, keys)
        return index.wallet(named: (try? name(of: id, keys)) ?? "")
    }
}

extension PublicIndex {
    /// The wallet as programs that watch know it.
    func wallet(named name: String) -> PairedWallet {
        PairedWallet(
            name: name, network: network, fingerprint: masterFingerprint,
            accounts: accounts.map { PairedWallet.Account($0.key, $0.value) }, birthday: birthday)
    }
}

extension PairedWallet {
    func account(_ choice: AccountChoice) -> Account? {
        accounts.first { $0.kind == AccountPath(choice) }
    }

    /// The first address to receive at of each account of one key.
    var firstAddresses: [IndexRow] {
        AccountPath.allCases.compactMap { kind in
            guard let account = accounts.first(where: { $0.kind == kind }),
                let address = firstAddress(of: account)
            else { return nil }
            var row = row(account, .receiving, 0, address)
            row.title += " address"
            return row
        }
    }

    func series(of account: Account, _ branch: AccountBranch) -> OutputSeries? {
        descriptor(of: account, branch: branch).flatMap { try? OutputSeries($0) }
    }

    /// Where a script lies in one account.
    func place(
        of script: Script, _ choice: AccountChoice, _ depth: UInt32
    ) -> (account: Account, branch: AccountBranch, index: UInt32)? {
        guard let account = account(choice) else { return nil }
        for branch in AccountBranch.allCases {
            guard let series = series(of: account, branch) else { continue }
            for index in 0..<depth {
                if (try? series.output(at: index))?.scriptPubKey == script {
                    return (account, branch, index)
                }
            }
        }
        return nil
    }

    func row(
        _ account: Account, _ branch: AccountBranch, _ index: UInt32,
        _ address: some CustomStringConvertible
    ) -> IndexRow {
        IndexRow(
            title: account.kind.standard,
            path: "\(account.kind.path(on: network))/\(branch.rawValue)/\(index)",
            value: address.description)
    }
}

extension AccountChoice {
    /// The account whose scripts have this form.
    init?(payingLike script: Script) {
        switch script.template {
        case .p2wpkh: self = .nativeSegwit
        case .p2tr: self = .taproot
        case .p2sh: self = .nestedSegwit
        case .p2pkh: self = .legacy
        default: return nil
        }
    }
}
