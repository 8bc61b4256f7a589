import Accounts
import Bitcoin
import Messages
import Signing
import StateFiles
import Vault

extension VaultWork {
    // MARK: What needs no password

    /// All vaults, the oldest first, with what is wrong with each.
    func list(_ keys: borrowing WorkKeys) -> VaultAnswer {
        var rows: [VaultRow] = []
        for case .vault(let id) in order.all { rows.append(row(of: id, keys)) }
        rows.sort { ($0.createdAt, $0.id) < ($1.createdAt, $1.id) }
        return .vaults(rows)
    }

    private func row(of id: VaultID, _ keys: borrowing WorkKeys) -> VaultRow {
        var row = VaultRow(
            id: id, kind: .wallet, chain: order.chain, createdAt: 0, name: "")
        row.name = (try? name(of: id, keys)) ?? ""
        do throws(VaultRefusal) {
            let file = try order.load(.vault(id))
            let header = try opening(id) { () throws(VaultError) in try VaultHeader(file) }
            row.kind = header.kind == .wallet ? .wallet : .items
            row.chain = header.network.chain
            row.createdAt = header.createdAt
            _ = try self.header(id)
            for needed in parts(of: header) where !order.contains(needed) {
                throw .missing(needed)
            }
            if row.kind == .wallet { row.birthday = (try? publicIndex(id, keys))?.birthday }
            _ = try name(of: id, keys)
        } catch {
            row.problem = error.sentence
        }
        return row
    }

    /// The vault's own files without which something cannot be done.
    private func parts(of header: VaultHeader) -> [StateFile] {
        let id = header.id
        return [.secretKey(id), .attempts(id)]
            + (header.kind == .wallet ? [.index(id)] : [.itemsHead(id)])
    }

    /// Keys and addresses of a wallet. An index that does not verify counts as missing.
    func index(
        _ id: VaultID, _ keys: borrowing WorkKeys
    ) throws(VaultRefusal) -> VaultAnswer {
        guard try header(id).kind == .wallet else { throw .wrongKind(id, .items) }
        let index = try publicIndex(id, keys)
        return .index(fingerprint: index.masterFingerprint.description, index.rows)
    }

    /// The index of a wallet as it was made.
    func publicIndex(
        _ id: VaultID, _ keys: borrowing WorkKeys
    ) throws(VaultRefusal) -> PublicIndex {
        guard let file = order.files[.index(id)] else { throw .missing(.index(id)) }
        return try keys.withIndex { key throws(VaultRefusal) in
            do throws(VaultError) {
                return try PublicIndex(sealed: file, for: id, under: key)
            } catch {
                throw .missing(.index(id))
            }
        }
    }

    // MARK: Making it anew

    /// A wallet's index, and the name of any vault, under the index key of today.
    func rebuildIndex(
        _ id: VaultID, _ device: borrowing DeviceKey, _ keys: borrowing WorkKeys,
        _ secrets: borrowing SecretFields
    ) throws(VaultRefusal) -> WorkDone {
        var remarks: [String] = []
        let open = try open(id, device, secrets)
        var changes = [resetAttempts(id, device)]
        let index = try self.index(of: try body(id, open))
        let known = try? name(of: id, keys)
        let name = known ?? VaultWork.standInName(id)
        if known == nil {
            remarks.append(
                "Its name could not be verified, so it is called \(name) now. Give it a name: "
                    + "bulkhead wallet rename.")
        }
        // Whatever others are called: this one is to be whole again, and has its id.
        let newName = known == nil ? try? VaultName(name) : nil
        try keys.withIndex { key throws(VaultRefusal) in
            if let index { changes.append(.put(.index(id), index.sealed(for: id, under: key))) }
            if let newName { changes.append(.put(.name(id), newName.sealed(for: id, under: key))) }
        }
        return WorkDone(
            .made(
                id, fingerprint: index?.masterFingerprint.description ?? "", index?.rows ?? [],
                remarks: remarks),
            changes, records: [record(of: id, named: name)])
    }

    /// What a vault is called whose name is lost.
    static func standInName(_ id: VaultID) -> String { "vault \(id.description.prefix(8))" }

    /// What a vault that was opened holds.
    func body(_ id: VaultID, _ open: borrowing OpenVault) throws(VaultRefusal) -> VaultBody {
        try opening(id) { () throws(VaultError) in try open.files.vault.body(open.masterKey) }
    }

    /// The index of a wallet; nil for an items vault.
    func index(of body: borrowing VaultBody) throws(VaultRefusal) -> PublicIndex? {
        do throws(ExtendedKeyError) {
            return try PublicIndex(
                of: body, on: Network(order.chain), SigningContext())
        } catch {
            throw .malformed(body.kind == .phrase ? .words : .xprv, place: 0, error.description)
        }
    }
}

extension PublicIndex {
    /// As a person and another wallet read it.
    var rows: [IndexRow] {
        var rows: [IndexRow] = []
        for path in AccountPath.allCases {
            guard let key = accounts[path] else { continue }
            rows.append(
                IndexRow(
                    title: path.standard, path: path.path(on: network).description,
                    value: key.description))
        }
        rows += wallet(named: "").firstAddresses
        rows += addresses(evmAddresses, .evm)
        rows += addresses(tronAddresses, .tron)
        for path in SolanaPath.allCases {
            guard let address = solana[path] else { continue }
            rows.append(
                IndexRow(
                    title: "Solana", path: path.path.description, value: address.description))
        }
        return rows
    }

    private func addresses(
        _ addresses: [some CustomStringConvertible], _ account: AccountPath
    ) -> [IndexRow] {
        let path = account.path(on: network)
        return addresses.enumerated().map { index, address in
            IndexRow(
                title: account.standard + " address", path: "\(path)/0/\(index)",
                value: address.description)
        }
    }
}
