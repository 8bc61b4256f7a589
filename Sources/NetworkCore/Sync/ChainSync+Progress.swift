/// How far the chain is followed, for a person.
public struct SyncProgress: Hashable, Sendable {
    /// What is being done, or what keeps it from being done.
    public enum Phase: Hashable, Sendable {
        /// No peer is there.
        case noPeers
        /// Headers are ahead of this machine's clock: it is behind. The numbers are the time of the
        /// header and of the clock, in seconds since 1970.
        case clockIsBehind(header: UInt32, clock: Int64)
        /// A branch of headers has to show the least work that the network is known to have.
        case provingWork(height: Int)
        /// Headers are fetched.
        case headers(height: Int)
        /// Filter headers are fetched.
        case filterHeaders(height: Int, of: Int)
        /// A block is fetched that tells which peers lie.
        case settling(height: Int)
        /// Peers differ over a block, and nothing decides until another peer comes.
        case disputed(height: Int)
        /// A block of the chain with most work breaks a rule.
        case invalidBlock(height: Int, BlockFetch.Flaw)
        /// Blocks are searched for wallets.
        case scanning(height: Int, of: Int)
        /// Blocks are searched again for addresses that came to be watched.
        case searchingAgain(height: Int, of: Int)
        /// Everything is known up to the tip.
        case current(height: Int)
    }

    /// What is being done.
    public let phase: Phase
    /// The height of the chain.
    public let height: Int
    /// Blocks a second of the latest while; nil if none are searched.
    public let blocksPerSecond: Double?
    /// Blocks that are still to be searched.
    public let blocksLeft: Int
    /// Bytes of filters that still have to come from peers, by the size of the latest.
    public let bytesLeft: Int?
    /// How long the rest takes at this rate.
    public let timeLeft: Duration?
    /// Bytes of filters that peers have sent since the start.
    public let filterBytes: Int
}

extension ChainSync {
    /// How far it is.
    public var progress: SyncProgress {
        let target = filterHeaders.filters.height
        var left = max(0, chain.height - target) * (wallets.all.isEmpty ? 0 : 1)
        for entry in wallets.all {
            guard let progress = entry.progress else { continue }
            left = max(left, chain.height - progress.scanned)
            if let pass = progress.pass { left = max(left, pass.end - pass.next + 1) }
        }
        let toLoad = walk.map { walk in
            (max(scan.next, walk.heights.lowerBound)...max(scan.next, scan.end)).count
                - kept.count(in: scan.next...max(scan.next, scan.end))
        }
        let bytes = meter.filterSize.flatMap { size in toLoad.map { Int(size * Double(max(0, $0))) }
        }
        let rate = scan.isIdle ? nil : meter.rate
        let seconds = rate.flatMap { $0 > 0.001 ? Double(left) / $0 : nil }
        return SyncProgress(
            phase: phase, height: chain.height, blocksPerSecond: rate, blocksLeft: left,
            bytesLeft: scan.isIdle ? nil : bytes, timeLeft: seconds.map { .seconds(min($0, 1e9)) },
            filterBytes: meter.bytes)
    }

    private var phase: SyncProgress.Phase {
        guard !peers.isEmpty else { return .noPeers }
        if let notice = headers.clockNotice {
            return .clockIsBehind(header: notice.header, clock: notice.clock)
        }
        if let invalidBlock { return .invalidBlock(height: invalidBlock.height, invalidBlock.flaw) }
        if case .provingWork(let height) = headers.phase { return .provingWork(height: height) }
        switch filterHeaders.phase(chain) {
        case .settling(let height): return .settling(height: height)
        case .disputed(let height): return .disputed(height: height)
        case .waitingForPeers, .asking, .current: break
        }
        if let walk, !scan.isIdle {
            switch walk.kind {
            case .first: return .scanning(height: scan.next, of: chain.height)
            case .again: return .searchingAgain(height: scan.next, of: scan.end)
            }
        }
        switch headers.phase {
        case .current: break
        case .fetching, .asking, .provingWork, .waitingForPeers:
            return .headers(height: chain.height)
        }
        let known = filterHeaders.filters.height
        return known < chain.height
            ? .filterHeaders(height: known, of: chain.height) : .current(height: chain.height)
    }
}
