import Bitcoin
import Chain
import PeerMessages

extension ChainSync {
    // MARK: What the parts want

    mutating func run(_ list: [HeaderSync.Action], _ now: Duration) {
        for action in list {
            switch action {
            case .ask(let id, let question):
                actions.append(.ask(id, .getheaders(question), replies: 1))
            case .changed(let change): changed(change, now)
            case .fault(let id, let refusal):
                end(id, PeerProof(refusal).map { .proven($0) } ?? .transport(.unhelpful), now)
            case .rest(let id, .silent): end(id, .transport(.silent), now)
            case .rest(let id, .unconnected), .rest(let id, .branch):
                end(id, .transport(.unhelpful), now)
            }
        }
    }

    mutating func run(_ list: [FilterHeaderSync.Action], _ now: Duration) {
        if !list.isEmpty { areSeatsStale = true }
        for action in list {
            switch action {
            case .ask(let id, let question): actions.append(.ask(id, question, replies: 1))
            case .fetchBlock(let hash):
                if let height = chain.height(of: hash) {
                    fetch.want(hash, at: height, avoiding: nil)
                }
            case .extended: mustWrite = true
            case .rewound(let height): rewound(to: height)
            case .fault(let id, let fault): end(id, .proven(.filterHeaders(fault)), now)
            case .rest(let id, .silent): end(id, .transport(.silent), now)
            case .rest(let id, .disputed(let height)):
                end(id, .transport(.disputed(height: height)), now)
            }
        }
    }

    mutating func run(_ list: [BlockScan.Action], _ now: Duration) {
        for action in list {
            switch action {
            case .ask(let id, let range, let count):
                actions.append(.ask(id, .getcfilters(range), replies: count))
            case .readKept(let heights): actions.append(.readFilters(heights))
            case .fetchBlock(let height, let sender):
                guard let hash = chain.hash(at: height) else { continue }
                fetch.want(hash, at: height, avoiding: sender)
            case .fault(let id, let height): end(id, .proven(.filter(height: height)), now)
            case .silent(let id): end(id, .transport(.silent), now)
            case .noFilter(let height):
                actions.append(.log(.warning, "the filter of block \(height) is none"))
                run(filterHeaders.refuted(height: height, chain, at: now), now)
            case .lost(let height):
                kept.remove(height...height)
                changes.append(.dropFilters(height...height))
                mustWrite = true
            }
        }
    }

    mutating func run(_ list: [BlockFetch.Action], _ now: Duration) {
        for action in list {
            switch action {
            case .ask(let id, let hash):
                let item = InventoryItem(.witnessBlock, hash.bytes)
                actions.append(.ask(id, .getdata([item]), replies: 1))
            case .fault(let id, let hash): end(id, .proven(.block(hash)), now)
            case .silent(let id): end(id, .transport(.notFound), now)
            case .invalid(let hash, let flaw):
                guard let height = chain.height(of: hash) else { continue }
                if invalidBlock?.height != height {
                    actions.append(.log(.warning, "block \(height) \(flaw)"))
                }
                invalidBlock = (height, flaw)
            }
        }
    }

    // MARK: Peers

    private mutating func end(_ id: PeerID, _ fault: PeerFault, _ now: Duration) {
        guard peers[id] != nil else { return }
        actions.append(.end(id, fault))
        forget(id, now)
    }

    mutating func forget(_ id: PeerID, _ now: Duration) {
        guard peers.removeValue(forKey: id) != nil else { return }
        scan.remove(id)
        fetch.remove(id)
        run(headers.disconnected(id, at: now), now)
        run(filterHeaders.disconnected(id, chain, at: now), now)
    }

    /// How far a peer has shown that it knows the chain; -1 of one that has shown nothing.
    func height(shownBy id: PeerID) -> Int { peers[id]?.known ?? -1 }

    /// A peer knows the headers that it sends, and the one below them.
    mutating func noteKnown(_ list: [BlockHeader], by id: PeerID, _ now: Duration) {
        guard let last = list.last, let first = list.first else {
            // Who has nothing above the genesis block has that, as every peer of the network does.
            return chain.height == 0 ? knows(id, 0, now) : probe(id)
        }
        if let height = chain.height(of: last.hash) ?? chain.height(of: first.previous) {
            knows(id, height, now)
        }
    }

    private mutating func knows(_ id: PeerID, _ height: Int, _ now: Duration) {
        guard let peer = peers[id], height > peer.known else { return }
        peers[id]?.known = height
        areSeatsStale = true
        fetch.seat(id, height: height)
        run(filterHeaders.knows(id, height: height, chain, at: now), now)
    }

    /// Asks a peer that has nothing new for the header of the tip, to see that it knows it: what it
    /// does not know it may hang up on.
    private mutating func probe(_ id: PeerID) {
        guard let peer = peers[id], peer.known < chain.height, peer.probed != chain.tip.hash else {
            return
        }
        let tip = chain.tip.hash
        peers[id]?.probed = tip
        let below = [1, 2, 7, 101, 1_000].compactMap { chain.hash(at: chain.height - $0) }
        let question = GetHeaders(locator: below + [chain.parameters.genesis.hash])
        actions.append(.ask(id, .getheaders(question), replies: 1))
    }

    mutating func announced(_ items: [InventoryItem], by id: PeerID, _ now: Duration) {
        for item in items.suffix(8)
        where item.kind == .block || item.kind == .witnessBlock {
            let hash = BlockHash(item.hash)
            if let height = chain.height(of: hash) {
                knows(id, height, now)
            } else {
                run(headers.announced(hash, by: id, at: now), now)
            }
        }
    }

    mutating func received(_ block: Block, from id: PeerID, _ now: Duration) {
        let (checked, list) = fetch.received(block, from: id, at: now)
        run(list, now)
        guard let checked, let height = chain.height(of: block.header.hash) else { return }
        if invalidBlock?.height == height { invalidBlock = nil }
        scan.received(checked, at: height)
        run(filterHeaders.received(checked, chain, at: now), now)
    }

    // MARK: Changes of the chain

    private mutating func changed(_ change: ChainChange, _ now: Duration) {
        if change.disconnected > 0 {
            flushUnwritten()
            changes.append(.rollBack(above: change.fork))
            wallets.rollBack(above: change.fork)
            found.removeAll { Int($0.height) > change.fork }
            actions.append(.rolledBack(above: change.fork))
            kept.remove(change.fork + 1...Int.max)
            writtenFilterHeaders = min(writtenFilterHeaders, change.fork)
            for (id, peer) in peers {
                peers[id]?.known = min(peer.known, change.fork)
                fetch.seat(id, height: min(peer.known, change.fork))
            }
            invalidBlock = nil
            stopWalk()
            fetch.cancel()
        }
        areSeatsStale = true
        changes.append(.appendHeaders(from: change.fork + 1, change.connected))
        mustWrite = true
        run(filterHeaders.changed(above: change.fork, chain, at: now), now)
    }

    private mutating func rewound(to height: Int) {
        flushUnwritten()
        changes.append(.rewindFilters(above: height))
        writtenFilterHeaders = min(writtenFilterHeaders, height)
        kept.remove(height + 1...Int.max)
        wallets.rewind(to: height)
        stopWalk()
        mustWrite = true
    }

    mutating func stopWalk() {
        scan.stop()
        walk = nil
        // Its blocks are wanted no more, and one that breaks a rule hinders nobody.
        let disputed = filterHeaders.dispute?.block
        fetch.cancel(except: disputed)
        if let height = invalidBlock?.height, chain.hash(at: height) != disputed {
            invalidBlock = nil
        }
    }
}
