import Messages
import NetworkCore

extension ChainDesk {
    /// How far the light client is.
    func progress(_ client: LightClient, at now: Duration) -> ChainProgress {
        let sync = client.sync.progress
        var progress = ChainProgress(.starting)
        (progress.phase, progress.place, progress.remark) = phase(sync, client, at: now)
        if let fault = client.fault {
            (progress.phase, progress.remark) = (.storeUnusable, fault.sentence)
        }
        progress.height = UInt32(clamping: sync.height)
        progress.tipTime = client.sync.chain.tip.time
        progress.filterHeight = UInt32(clamping: client.sync.filterHeaders.filters.height)
        let scanned = client.sync.wallets.all.map { $0.progress?.scanned ?? 0 }
        progress.scannedHeight = UInt32(clamping: scanned.min() ?? 0)
        progress.blocksLeft = UInt32(clamping: sync.blocksLeft)
        progress.rate = sync.blocksPerSecond.map { UInt64(min(max($0, 0), 1e9) * 1000) }
        progress.bytesLeft = sync.bytesLeft.map { UInt64(clamping: $0) }
        progress.secondsLeft = sync.timeLeft.map { UInt64(clamping: $0.components.seconds) }
        progress.filterBytes = UInt64(clamping: sync.filterBytes)
        progress.keptBytes = UInt64(clamping: client.sync.kept.bytes)
        progress.peers = UInt32(clamping: client.pool.seated.count)
        progress.seats = UInt32(clamping: client.pool.limits.seats)
        progress.wallets = UInt32(clamping: client.sync.wallets.all.count)
        progress.notices = notices
        return progress
    }

    private func phase(
        _ sync: SyncProgress, _ client: LightClient, at now: Duration
    ) -> (ChainProgress.Phase, UInt32, String) {
        func at(_ height: Int) -> UInt32 { UInt32(clamping: height) }
        switch sync.phase {
        case .noPeers: return withoutPeers(client.pool.state(at: now), at: now)
        case .clockIsBehind(let header, let clock):
            return (
                .clockIsBehind, 0,
                "the newest header is \(Int64(header) - clock) s ahead of this machine's clock"
            )
        case .provingWork(let height): return (.provingWork, at(height), "")
        case .headers(let height): return (.headers, at(height), "")
        case .filterHeaders(let height, _): return (.filterHeaders, at(height), "")
        case .settling(let height): return (.settling, at(height), "")
        case .disputed(let height): return (.disputed, at(height), "")
        case .invalidBlock(let height, let flaw):
            return (.invalidBlock, at(height), "block \(height) \(flaw)")
        case .scanning(let height, _): return (.scanning, at(height), "")
        case .searchingAgain(let height, _): return (.searchingAgain, at(height), "")
        case .current(let height): return (.current, at(height), "")
        }
    }

    private func withoutPeers(
        _ state: PoolState, at now: Duration
    ) -> (ChainProgress.Phase, UInt32, String) {
        switch state {
        case .full, .dialling: (.lookingForPeers, 0, "peers are being dialled")
        case .lookingUp: (.lookingForPeers, 0, "seeds are being asked for peers")
        case .limited:
            (.lookingForPeers, 0, "the peers that are known would make the seats too much alike")
        case .noneKnown:
            (
                .lookingForPeers, 0,
                "no peer is known on the networks that are used: bulkhead peers add ADDRESS adds one"
            )
        case .noWay(let network, let why):
            (.noNetwork, 0, "nobody can be reached over \(network): \(why)")
        case .noneServesFilters: (.noPeerServesFilters, 0, "")
        case .resting(let until):
            (
                .peersRest, 0,
                "the next one is tried in \(max(0, (until - now).components.seconds)) s; bulkhead "
                    + "peers list says why"
            )
        }
    }
}
