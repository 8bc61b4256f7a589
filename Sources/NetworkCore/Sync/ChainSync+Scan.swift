import Bitcoin
import Chain

extension ChainSync {
    /// Does whatever can be done now, and says it, what is to be written first.
    mutating func settle(_ now: Duration) -> [Action] {
        if areSeatsStale {
            areSeatsStale = false
            for id in peers.keys { scan.seat(id, through: filterHeaders.agreedHeight(of: id)) }
        }
        advance(now)
        run(fetch.proceed(at: now), now)
        var result = write(now)
        result += actions
        actions = []
        return result
    }

    /// Searches as far as filters and blocks are there, and asks for more.
    private mutating func advance(_ now: Duration) {
        wallets.resolveBirthdays(chain, isCurrent: isHeaderChainCurrent)
        while true {
            planWalk()
            guard let walk else { return }
            var isStopped = false
            while let step = scan.step() {
                meter.passed(step.filter.count, at: now)
                guard take(step, of: walk, now) else {
                    isStopped = true
                    break
                }
            }
            if isStopped { continue }
            run(scan.fill(chain, kept: kept, at: now), now)
            guard scan.isIdle else { return }
        }
    }

    private var isHeaderChainCurrent: Bool {
        if case .current = headers.phase { return true }
        return false
    }

    /// Begins what is most urgent, or lets it go on if it is under way.
    private mutating func planWalk() {
        let next = wallets.nextWalk(through: filterHeaders.filters.height)
        guard let next else {
            stopWalk()
            return meter.pause()
        }
        if next.kind == walk?.kind, next.heights.lowerBound == scan.next, !scan.isIdle {
            if case .first = next.kind { scan.extend(through: next.heights.upperBound) }
            return
        }
        walk = next
        wallets.begin(next)
        scan.begin(next.heights, for: wallets.scripts(of: next))
    }

    /// Takes a block that was looked through. False if what its filter said does not count.
    private mutating func take(
        _ step: BlockScan.Step, of walk: WalletBook.Walk, _ now: Duration
    ) -> Bool {
        if let block = step.block, refutes(block, step) {
            let line = "block \(step.height) refutes the filter that peers named of it"
            actions.append(.log(.warning, line))
            stopWalk()
            run(filterHeaders.refuted(height: step.height, chain, at: now), now)
            return false
        }
        let (added, transactions) = wallets.apply(step.block, at: step.height, of: walk)
        for (id, transaction) in transactions {
            changes.append(.addTransaction(id, transaction))
            found.append(transaction)
        }
        if !step.isKept { hold(step) }
        unwrittenBlocks += 1
        unwrittenSince = unwrittenSince ?? now
        if unwrittenBlocks >= limits.unwrittenBlocks || !transactions.isEmpty || scan.isIdle {
            mustWrite = true
        }
        guard case .first = walk.kind, !added.isEmpty else { return true }
        // What is held was checked when it came.
        try? scan.watch(added)
        return true
    }

    /// Whether a block shows that its filter leaves out what it has to have.
    private func refutes(_ block: Block, _ step: BlockScan.Step) -> Bool {
        var known: [OutPoint: Script] = [:]
        for entry in wallets.all {
            for input in block.transactions.lazy.flatMap(\.inputs) {
                guard let coin = entry.wallet.coins[input.outpoint] else { continue }
                known[input.outpoint] = coin.output.scriptPubKey
            }
        }
        if case .refuted = block.judge(filter: step.filter, known: known) { return true }
        return false
    }

    // MARK: What is written

    private mutating func hold(_ step: BlockScan.Step) {
        let isBelow = kept.runs.first.map { step.height < $0.heights.lowerBound } ?? false
        let isFull = kept.bytes + step.filter.count > limits.keptFilterBytes
        // Where the highest are kept and no more have room, lower ones would go at once.
        guard step.filter.count <= limits.keptFilterBytes, !(isBelow && isFull) else { return }
        unwritten[step.height] = step.filter
    }

    /// Whether more is kept than may be; the rest goes with the next commits, one a turn.
    var isOverfull: Bool { kept.bytes > limits.keptFilterBytes }

    /// Runs of filters, a thousand each, that one commit drops.
    static let mostDropped = 4

    /// Turns what is held until it is written into changes.
    mutating func flushUnwritten() {
        var run: (start: Int, filters: [[UInt8]])?
        for (height, filter) in unwritten.sorted(by: { $0.key < $1.key }) {
            kept.insert(height, bytes: filter.count)
            if let open = run, open.start + open.filters.count == height {
                run?.filters.append(filter)
            } else {
                if let run { changes.append(.keepFilters(from: run.start, run.filters)) }
                run = (height, [filter])
            }
        }
        if let run { changes.append(.keepFilters(from: run.start, run.filters)) }
        // A few at a time: what an earlier run was allowed to keep may be much more.
        for _ in 0..<ChainSync.mostDropped {
            guard isOverfull, let lowest = kept.runs.first else { break }
            kept.remove(lowest.heights)
            changes.append(.dropFilters(lowest.heights))
        }
        if isOverfull { mustWrite = true }
        unwritten = [:]
        if unwrittenBlocks > 0 { actions.append(.found(found, tip: chain.height)) }
        found = []
        unwrittenBlocks = 0
        unwrittenSince = nil
    }

    /// The commit, if there is something that should not wait.
    private mutating func write(_ now: Duration) -> [Action] {
        guard mustWrite else { return [] }
        mustWrite = false
        flushUnwritten()
        let filters = filterHeaders.filters
        if filters.height > writtenFilterHeaders {
            let added = (writtenFilterHeaders + 1...filters.height).compactMap {
                filters.header(at: $0)
            }
            changes.append(.appendFilterHeaders(from: writtenFilterHeaders + 1, added))
            writtenFilterHeaders = filters.height
        }
        changes += wallets.takeUnwritten()
        defer { changes = [] }
        return changes.isEmpty ? [] : [.commit(changes)]
    }
}
