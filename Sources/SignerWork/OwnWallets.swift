import Bitcoin
import Messages
import Review
import SecretMemory
import SigningWork
import StateFiles
import Vault

/// What a review is told of this machine's wallets.
enum OwnWallets {
    /// The wallets of this chain whose public index the index key authenticates, in the order of their
    /// ids. One whose index is missing or does not verify is left out, and so is its claim to any coin.
    ///
    /// The key is wiped and its descriptor closed when this returns: what comes from outside is looked
    /// at afterwards only.
    static func read(
        _ files: [StateFile: [UInt8]], on chain: ChainName, hasKey: Bool,
        through ports: any WorkPorts
    ) throws(PortFailure) -> [KnownWallet] {
        defer { ports.closeIndexKey() }
        return hasKey ? try verified(files, on: chain, ports) : []
    }

    /// The key lives no longer than this.
    private static func verified(
        _ files: [StateFile: [UInt8]], on chain: ChainName, _ ports: any WorkPorts
    ) throws(PortFailure) -> [KnownWallet] {
        let key: IndexKey
        let bytes = try ports.readIndexKey()
        do throws(VaultError) { key = try IndexKey(bytes) } catch {
            throw .failed(error.description)
        }
        var wallets: [KnownWallet] = []
        for id in ids(files, on: chain) {
            guard let file = files[.index(id)],
                let index = try? PublicIndex(sealed: file, for: id, under: key)
            else { continue }
            wallets.append(KnownWallet(id, index))
        }
        return wallets
    }

    private static func ids(_ files: [StateFile: [UInt8]], on chain: ChainName) -> [VaultID] {
        var ids: [VaultID] = []
        for case (.vault(let id), let file) in files {
            guard let header = try? VaultHeader(file), header.id == id, header.kind == .wallet,
                header.network.chain == chain
            else { continue }
            ids.append(id)
        }
        return ids.sorted()
    }
}

extension ReviewLimits {
    /// The standard limits with those that the configuration sets; names that are none are left out.
    init(_ settings: [ReviewLimit]) {
        self = .standard
        for setting in settings {
            guard let row = ReviewLimits.rows.first(where: { $0.name == setting.name }) else {
                continue
            }
            self[keyPath: row.path] = setting.value
        }
    }
}
