public import Bitcoin
public import Descriptors

extension ChainSync {
    /// Watches descriptors.
    public mutating func addWallet(
        name: String, _ descriptors: [Descriptor], gapLimit: UInt32, birthday: WalletBirthday,
        at now: Duration
    ) -> (Result<WalletID, ClientRefusal>, [Action]) {
        do throws(ClientRefusal) {
            let wallet = try wallets.add(
                name: name, descriptors, gapLimit: gapLimit, birthday: birthday)
            changes.append(.putWallet(wallet))
            mustWrite = true
            return (.success(wallet.id), settle(now))
        } catch {
            return (.failure(error), [])
        }
    }

    /// Forgets a wallet.
    public mutating func removeWallet(
        _ id: WalletID, at now: Duration
    ) -> (Result<Void, ClientRefusal>, [Action]) {
        do throws(ClientRefusal) {
            for (script, index) in try wallets.remove(id) {
                changes.append(.setGiven(script, index))
            }
            changes.append(.removeWallet(id))
            mustWrite = true
            return (.success(()), settle(now))
        } catch {
            return (.failure(error), [])
        }
    }

    /// Gives wallets other names.
    public mutating func nameWallets(
        _ names: [WalletID: String], at now: Duration
    ) -> (Result<Void, ClientRefusal>, [Action]) {
        do throws(ClientRefusal) {
            try wallets.rename(names)
            for (id, name) in names.sorted(by: { $0.key < $1.key }) {
                changes.append(.setName(id, name))
            }
            mustWrite = true
            return (.success(()), settle(now))
        } catch {
            return (.failure(error), [])
        }
    }

    /// Searches the blocks from a height on again, for one wallet or all.
    public mutating func rescan(
        _ id: WalletID?, from height: Int, at now: Duration
    ) -> (Result<Void, ClientRefusal>, [Action]) {
        do throws(ClientRefusal) {
            try wallets.rescan(id, from: height)
            mustWrite = true
            return (.success(()), settle(now))
        } catch {
            return (.failure(error), [])
        }
    }

    /// Gives out an address that was never given out. It is written before anybody is told.
    public mutating func issueAddress(
        _ id: WalletID, branch: Int, at now: Duration
    ) -> (Result<(script: Script, index: UInt32), ClientRefusal>, [Action]) {
        do throws(ClientRefusal) {
            let before = wallets[id]?.counts
            let issued = try wallets.issue(id, branch: branch)
            changes.append(.setIssued(id, branch: branch, index: issued.index))
            mustWrite = true
            // A walk looks for what was watched when it began.
            if wallets[id]?.counts != before { stopWalk() }
            return (.success(issued), settle(now))
        } catch {
            return (.failure(error), [])
        }
    }
}
