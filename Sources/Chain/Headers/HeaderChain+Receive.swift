public import Bitcoin
import Wire

extension HeaderChain {
    /// Takes the headers of one message.
    ///
    /// Headers that follow `download` go on with it; others start a branch where they leave the
    /// chain, which takes the place of `download` if it has more work. A branch with more work than
    /// the chain, and no less than the minimum, becomes the chain: at once if its headers are still
    /// held, else after they have been fetched again. With equal work the first to come stays.
    ///
    /// - Parameters:
    ///   - download: what this peer serves; any peer may go on with it.
    ///   - clock: seconds since 1970.
    public mutating func receive(
        _ headers: [BlockHeader], _ download: inout HeaderDownload?, clock: Int64
    ) -> HeaderReceipt {
        dropStale(&download)
        guard let first = headers.first else { return HeaderReceipt(relation: .known) }
        let items = headers.map { HashedHeader(header: $0, hash: $0.hash) }
        // A branch of nothing yet may share more with the chain.
        if let current = download, !current.isEmpty, first.previous == current.tip.hash {
            switch current {
            case .branch(let branch):
                // The copy in `download` must not make the branch copy its headers.
                download = nil
                return follow(branch, items[...], &download, clock: clock)
            case .replay(let replay):
                download = nil
                return follow(replay, items, &download, clock: clock)
            }
        }
        guard let start = height(of: first.previous) else {
            return HeaderReceipt(relation: .unconnected)
        }
        var known = 0
        while known < items.count, hash(at: start + 1 + known) == items[known].hash { known += 1 }
        guard known < items.count else { return HeaderReceipt(relation: .known) }
        guard let fork = context(at: start + known) else {
            return HeaderReceipt(relation: .unconnected)
        }
        var own: HeaderDownload?
        let receipt = follow(HeaderBranch(after: fork), items[known...], &own, clock: clock)
        dropStale(&download)
        if let own, own.work > (download?.work ?? .zero) { download = own }
        return receipt
    }

    /// What to ask a peer for next. A peer that lacks the branch answers from the chain on.
    public func request(for download: HeaderDownload?) -> HeaderRequest {
        let none = BlockHash(.zero)
        switch download {
        case nil: return HeaderRequest(locator: locator(), stop: none)
        case .branch(let branch):
            return HeaderRequest(locator: [branch.tip.hash] + locator(), stop: none)
        case .replay(let replay):
            return HeaderRequest(locator: [replay.tip.hash] + locator(), stop: replay.target)
        }
    }

    /// A branch of nothing yet behind a header of the chain, for a peer whose whole message was
    /// known: what it has to say comes after.
    public func download(after hash: BlockHash) -> HeaderDownload? {
        height(of: hash).flatMap { context(at: $0) }.map { .branch(HeaderBranch(after: $0)) }
    }

    /// A download is worth nothing once the chain has left the point that it starts from, or the
    /// chain has as much work without it as it can bring.
    public func dropStale(_ download: inout HeaderDownload?) {
        guard let current = download else { return }
        if hash(at: current.fork.height) != current.fork.hash { download = nil }
        if case .replay(let replay) = current, replay.end.work <= tip.work { download = nil }
    }

    private mutating func follow(
        _ start: HeaderBranch, _ items: ArraySlice<HashedHeader>, _ download: inout HeaderDownload?,
        clock: Int64
    ) -> HeaderReceipt {
        var branch = start
        var receipt = HeaderReceipt(relation: .connected)
        do throws(HeaderRefusal) {
            for item in items { try branch.extend(by: item, parameters, clock: clock) }
        } catch {
            receipt.refusal = error
        }
        guard branch.tip.work > tip.work, branch.tip.work >= parameters.minimumWork else {
            if branch.tip.height > branch.fork.height { download = .branch(branch) }
            return receipt
        }
        if let held = branch.held {
            receipt.change = adopt(held, above: branch.fork.height, end: branch.tip)
        } else {
            download = .replay(HeaderReplay(of: branch))
        }
        return receipt
    }

    private mutating func follow(
        _ start: HeaderReplay, _ items: [HashedHeader], _ download: inout HeaderDownload?,
        clock: Int64
    ) -> HeaderReceipt {
        var replay = start
        var receipt = HeaderReceipt(relation: .connected)
        do throws(HeaderRefusal) {
            for item in items where replay.tip.height < replay.end.height {
                try replay.extend(by: item, parameters, clock: clock)
            }
        } catch {
            receipt.refusal = error
        }
        // What only adds to the chain is handed on part by part, what replaces it in one step.
        if replay.fork.hash == tip.hash || replay.isComplete {
            let (fork, end) = (replay.fork.height, replay.proven)
            let proven = replay.takeProven()
            if !proven.isEmpty { receipt.change = adopt(proven, above: fork, end: end) }
        }
        // Another peer may still serve the branch as it was.
        if receipt.refusal != nil { replay.rewind() }
        if !replay.isComplete { download = .replay(replay) }
        return receipt
    }

    private mutating func adopt(
        _ headers: [HashedHeader], above fork: Int, end: HeaderContext
    ) -> ChainChange {
        let disconnected = height - fork
        replace(above: fork, with: headers, end: end)
        return ChainChange(
            fork: fork, disconnected: disconnected, connected: headers.map(\.header))
    }
}
