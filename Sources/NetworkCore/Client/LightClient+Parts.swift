import PeerMessages

extension LightClient {
    /// Does what the chain wants.
    mutating func run(_ list: [ChainSync.Action], _ now: Duration, _ clock: Int64) {
        for action in list {
            switch action {
            case .commit(let list): changes += list
            case .readFilters(let heights): actions.append(.readFilters(heights))
            case .ask(let id, let message, let replies):
                run(pool.send(message, to: id, replies: replies, at: now), now, clock)
            case .end(let id, let fault): run(pool.report(id, fault, at: now), now, clock)
            case .rolledBack(let height):
                run(relay.rolledBack(above: height, at: now), now, clock)
            case .found(let list, let tip):
                let found = list.map { ($0.transaction, Int($0.height)) }
                run(relay.confirmed(found, tip: tip), now, clock)
            case .log(let severity, let line): actions.append(.log(severity, line))
            }
        }
    }

    /// Does what transactions want that no block has yet.
    mutating func run(_ list: [Relay.Action], _ now: Duration, _ clock: Int64) {
        for action in list {
            switch action {
            case .send(let id, let message):
                run(pool.send(message, to: id, at: now), now, clock)
            case .store(let change): changes.append(.broadcast(change))
            case .rest(let id): run(pool.report(id, .transport(.closed), at: now), now, clock)
            case .news(let news): actions.append(.news(news))
            }
        }
    }

    /// Does what the pool wants.
    mutating func run(_ list: [PeerPool.Action], _ now: Duration, _ clock: Int64) {
        for action in list {
            switch action {
            case .dial(let id, let endpoint, let route, let isEncrypted, let timeout):
                actions.append(
                    .dial(id, endpoint, route, isEncrypted: isEncrypted, timeout: timeout))
            case .cancel(let id): actions.append(.cancel(id))
            case .send(let id, let message): actions.append(.send(id, message))
            case .disconnect(let id): actions.append(.disconnect(id))
            case .resolve(let id, let name, let method):
                actions.append(.resolve(id, name: name, by: method))
            case .fetchList(let id, let url, let route):
                actions.append(.fetchList(id, url: url, route))
            case .seated(let info):
                run(sync.seated(info.id, kind: info.kind, at: now), now, clock)
                run(relay.connected(info, at: now), now, clock)
            case .unseated(let id, _):
                relay.disconnected(id)
                run(sync.left(id, at: now), now, clock)
            case .message(let id, let message):
                let shown = sync.height(shownBy: id)
                run(sync.received(message, from: id, at: now, clock: clock), now, clock)
                let near = max(shown, sync.chain.height - PeerPool.announcedDepth)
                if case .headers(let list) = message, list.count <= PeerPool.announcedHeaders,
                    sync.height(shownBy: id) > near
                {
                    pool.headersLedOn(id)
                }
                let wallets = sync.wallets
                let list = relay.received(message, from: id, clock: clock, at: now) {
                    wallets.concerns($0)
                }
                run(list, now, clock)
            case .store(let change): changes.append(.peers(change))
            case .note(let note): log(note)
            }
        }
    }

    private mutating func log(_ note: PeerNote) {
        switch note {
        case .left(let endpoint, .misconduct(let reason), isNews: true):
            actions.append(.log(.warning, "\(endpoint) rests: \(reason)"))
        case .left: break
        case .wayFailed(let failure):
            actions.append(.log(.warning, "peers cannot be reached: \(failure.sentence)"))
        case .banned(let ban):
            actions.append(.log(.warning, "\(ban.endpoint) is not dialled again: \(ban.reason)"))
        case .lookedUp(let hosts):
            actions.append(.log(.information, "seeds named \(hosts) addresses of peers"))
        case .listRefused(let error):
            actions.append(.log(.warning, "the list of peers is not used: \(error)"))
        case .listFetched:
            actions.append(.log(.information, "a list of peers was fetched"))
        case .listNotFetched(let reason):
            actions.append(
                .log(
                    .warning,
                    "no list of peers was fetched (peer-list): \(reason). It is tried again"))
        }
    }
}
