import Bitcoin
import PeerMessages

extension PeerPool {
    /// The rate above which no transaction is announced (BIP133): no transaction pays it.
    public static let noTransactions = Int64(clamping: Amount.max.sats)

    /// Asks every peer to announce only transactions of at least this rate, in satoshis for 1,000
    /// virtual bytes: `noTransactions` while nobody looks, less while somebody does. So no connection
    /// has to be made anew for it.
    public mutating func announceAbove(_ rate: Int64) -> [Action] {
        guard rate != feeFilter else { return [] }
        feeFilter = rate
        return lines.filter(\.value.isSeated).keys.sorted().map { .send($0, .feefilter(rate)) }
    }

    mutating func opened(
        _ peer: LightClientEvent.DialledPeer, _ dial: Dial, at now: Duration
    ) -> [Action] {
        let id = peer.id
        closedWays[dial.sitter.endpoint.host.network] = nil
        let nonce = random.next()
        var isThroughGateway = false
        if case .gateway = DialRoute(to: dial.sitter.endpoint, policy) { isThroughGateway = true }
        let session = PeerSession(
            PeerSession.Introduction(nonce: nonce, ownNonces: Set(lines.values.map(\.nonce))),
            throughGateway: isThroughGateway, limits: limits.session, at: now)
        lines[id] = Line(
            session: session, nonce: nonce, sitter: dial.sitter, transport: peer.transport)
        return run(session.opening(height: height, clock: clock), of: id, at: now)
    }

    /// Does what a session says.
    mutating func run(
        _ actions: [PeerSession.Action], of id: PeerID, at now: Duration
    ) -> [Action] {
        var result: [Action] = []
        for action in actions {
            switch action {
            case .send(let message): result.append(.send(id, message))
            case .ready: result += seat(id, at: now)
            case .deliver(let message, let asked):
                guard let line = lines[id], line.isSeated else { continue }
                if asked, !line.hasServed, message.kind != .notfound { result += served(id) }
                result.append(.message(id, message))
            case .end(let fault): result += drop(id, fault, at: now)
            }
        }
        return result
    }

    /// A peer that answered a question is worth keeping.
    private mutating func served(_ id: PeerID) -> [Action] {
        guard let line = lines[id] else { return [] }
        lines[id]?.hasServed = true
        if line.sitter.source == .dnsSeed { seedRest.failures = 0 }
        let changes = book.served(
            line.sitter.endpoint, line.sitter.source,
            services: line.session.version?.services ?? [],
            clock: clock)
        return changes.map { .store($0) }
    }

    // MARK: Seats

    var sitters: [Diversity.Sitter] {
        lines.values.filter(\.isSeated).map(\.sitter)
    }

    var diversity: Diversity { Diversity(seats: limits.seats, networks: policy.networks) }

    /// A peer has introduced itself and has what is needed: it gets a seat if one is free for it.
    private mutating func seat(_ id: PeerID, at now: Duration) -> [Action] {
        guard let line = lines[id], let version = line.session.version else { return [] }
        let isManual = line.sitter.source == .manual
        // Measured by our own chain, never by what others claim.
        guard isManual || Int(version.startHeight) >= height - limits.behind else {
            let reason = Unsuitability.behind(claimed: version.startHeight, ours: height)
            return drop(id, .unsuitable(reason), at: now)
        }
        var actions: [Action] = []
        if sitters.count >= limits.seats {
            guard isManual, let other = dispensable(for: line.sitter) else {
                return close(id)
            }
            actions += [.unseated(other, .transport(.closed))] + close(other)
        }
        guard diversity.objection(to: line.sitter, beside: sitters) == nil else {
            return actions + close(id)
        }
        lines[id]?.isSeated = true
        withoutFilters = 0
        guard let info = info(id) else { return actions }
        actions += [.send(id, .feefilter(feeFilter)), .seated(info)]
        if sitters.count >= limits.seats { actions += cancelSurplus() }
        return actions
    }

    /// The newest that nobody added by hand, one of the same netblock before others.
    private func dispensable(for new: Diversity.Sitter) -> PeerID? {
        let others = lines.filter { $0.value.isSeated && $0.value.sitter.source != .manual }
        let block = Diversity.netblock(new.endpoint.host)
        let near = others.filter {
            block != nil && Diversity.netblock($0.value.sitter.endpoint.host) == block
        }
        return near.keys.max() ?? others.keys.max()
    }

    /// Nobody is to blame; the peer may be dialled again when a seat is free.
    private mutating func close(_ id: PeerID) -> [Action] {
        lines[id] = nil
        return [.disconnect(id)]
    }

    /// All seats are taken: only those added by hand may still come.
    private mutating func cancelSurplus() -> [Action] {
        let surplus = dials.filter { $0.value.sitter.source != .manual }.keys.sorted()
        let waiting = lines.filter { !$0.value.isSeated && $0.value.sitter.source != .manual }
        for id in surplus { dials[id] = nil }
        return surplus.map { .cancel($0) } + waiting.keys.sorted().flatMap { close($0) }
    }

    /// A connection ends because of a fault.
    mutating func drop(
        _ id: PeerID, _ fault: PeerFault, isOpen: Bool = true, at now: Duration
    ) -> [Action] {
        guard let line = lines.removeValue(forKey: id) else { return [] }
        var actions: [Action] = isOpen ? [.disconnect(id)] : []
        if line.isSeated { actions.append(.unseated(id, fault)) }
        if case .unsuitable(.services(let missing)) = fault, missing.contains(.compactFilters) {
            withoutFilters += 1
        }
        let isNews = book.lastFault(of: line.sitter.endpoint) != fault
        actions.append(.note(.left(line.sitter.endpoint, fault, isNews: isNews)))
        for change in book.failed(line.sitter.endpoint, fault, at: now, clock: clock) {
            actions.append(.store(change))
            if case .banned(let ban) = change { actions.append(.note(.banned(ban))) }
        }
        return actions + fill(at: now)
    }
}
