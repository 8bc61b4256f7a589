import Bitcoin
import PeerMessages

extension LightClient {
    /// Does what a person wants. The answer comes behind the commit that it rests on.
    mutating func run(
        _ command: ClientCommand, _ id: CommandID, _ now: Duration, _ clock: Int64
    ) {
        let answer: ClientAnswer
        do throws(ClientRefusal) {
            answer = try perform(command, now, clock)
        } catch {
            answer = .refused(error)
        }
        promised.append(id)
        actions.append(.answer(id, answer))
    }

    private mutating func perform(
        _ command: ClientCommand, _ now: Duration, _ clock: Int64
    ) throws(ClientRefusal) -> ClientAnswer {
        switch command {
        case .addWallet(let name, let descriptors, let gapLimit, let birthday):
            let (result, list) = sync.addWallet(
                name: name, descriptors, gapLimit: gapLimit, birthday: birthday, at: now)
            run(list, now, clock)
            return .wallet(try result.get())
        case .removeWallet(let wallet):
            let (result, list) = sync.removeWallet(wallet, at: now)
            run(list, now, clock)
            try result.get()
        case .nameWallets(let names):
            let (result, list) = sync.nameWallets(names, at: now)
            run(list, now, clock)
            try result.get()
        case .rescan(let wallet, let height):
            let (result, list) = sync.rescan(wallet, from: height, at: now)
            run(list, now, clock)
            try result.get()
        case .issueAddress(let wallet, let branch):
            let (result, list) = sync.issueAddress(wallet, branch: branch, at: now)
            run(list, now, clock)
            let issued = try result.get()
            return .address(issued.script, index: issued.index)
        case .addPeer, .removePeer, .forgetPeers, .takePeerList:
            try performOnPeers(command, now, clock)
        case .broadcast, .cancelBroadcast, .lookForUnconfirmed, .lookAway:
            try performOnRelay(command, now, clock)
        }
        return .done
    }

    private mutating func performOnPeers(
        _ command: ClientCommand, _ now: Duration, _ clock: Int64
    ) throws(ClientRefusal) {
        switch command {
        case .addPeer(let endpoint):
            do throws(AddressBook.Refusal) {
                run(try pool.add(endpoint, at: now), now, clock)
            } catch {
                throw .peer(error)
            }
        case .removePeer(let endpoint):
            do throws(AddressBook.Refusal) {
                run(try pool.remove(endpoint, at: now), now, clock)
            } catch {
                throw .peer(error)
            }
        case .takePeerList(let bytes):
            do throws(SignedListError) {
                run(try pool.take(list: bytes, isCurrent: isCurrent, at: now), now, clock)
            } catch {
                throw .peerList(error)
            }
        default: run(pool.forget(), now, clock)
        }
    }

    private mutating func performOnRelay(
        _ command: ClientCommand, _ now: Duration, _ clock: Int64
    ) throws(ClientRefusal) {
        switch command {
        case .broadcast(let transaction, let feeRate):
            do throws(BroadcastRefusal) {
                let list = try relay.send(transaction, feeRate: feeRate, clock: clock, at: now)
                run(list, now, clock)
            } catch {
                throw .broadcast(error)
            }
        case .cancelBroadcast(let txid): run(relay.cancel(txid), now, clock)
        case .lookForUnconfirmed(let time): relay.look(for: time, at: now)
        default: relay.lookAway()
        }
    }
}
