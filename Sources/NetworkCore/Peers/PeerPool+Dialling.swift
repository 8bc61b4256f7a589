public import PeerMessages

extension PeerPool {
    /// Dials as many as are missing, in the order of the book, and asks seeds if nobody is left.
    mutating func fill(at now: Duration) -> [Action] {
        guard isDialling else { return [] }
        let free = max(0, limits.seats - sitters.count)
        guard free > 0 || book.hasManual else {
            wakeUp = nil
            return []
        }
        var attempts = dials.count + lines.values.count { !$0.isSeated }
        // One or two more than needed, since most of the addresses that are known are dead.
        let room = free == 0 ? 0 : min(limits.dials, free + 2)
        var actions: [Action] = []
        for record in book.candidates(using: &random) {
            let mayDial = record.source == .manual ? mayDialManual : attempts < room
            guard mayDial, attempts < limits.dials,
                let route = route(to: record, at: now)
            else { continue }
            attempts += 1
            actions.append(dial(record, route, at: now))
        }
        if free > 0, attempts == 0 { actions += lookUp(at: now) }
        wakeUp = free > 0 && dials.isEmpty ? wakeUps(at: now).filter { $0 > now }.min() : nil
        return actions
    }

    /// Those added by hand are dialled beside full seats too, as long as others sit there.
    private var mayDialManual: Bool {
        let manual = sitters.count { $0.source == .manual }
        let coming =
            dials.values.count { $0.sitter.source == .manual }
            + lines.values.count { !$0.isSeated && $0.sitter.source == .manual }
        return manual + coming < limits.seats
    }

    /// The way to a peer that may be dialled now.
    private func route(to record: PeerRecord, at now: Duration) -> DialRoute? {
        let endpoint = record.endpoint
        guard book.rest(of: endpoint, at: now) == nil, book.ban(of: endpoint) == nil,
            isOpen(endpoint.host.network, at: now), let route = DialRoute(to: endpoint, policy)
        else { return nil }
        let present = lines.values.map(\.sitter) + dials.values.map(\.sitter)
        guard !present.contains(where: { $0.endpoint == endpoint }) else { return nil }
        let sitter = Diversity.Sitter(endpoint: endpoint, source: record.source)
        guard diversity.objection(to: sitter, beside: sitters) == nil else { return nil }
        // Two of one netblock would only race each other.
        if record.source != .manual, let block = Diversity.netblock(endpoint.host),
            present.contains(where: { Diversity.netblock($0.endpoint.host) == block })
        {
            return nil
        }
        return route
    }

    private func isOpen(_ network: UInt8, at now: Duration) -> Bool {
        closedWays[network].map { $0.pause.until <= now } ?? true
    }

    private mutating func dial(_ record: PeerRecord, _ route: DialRoute, at now: Duration) -> Action
    {
        let id = number()
        var timeout = limits.dialTimeout
        if case .gateway = route { timeout = limits.gatewayTimeout }
        dials[id] = Dial(
            sitter: Diversity.Sitter(endpoint: record.endpoint, source: record.source),
            // Whoever dials says so first; this is for the case that it does not.
            deadline: now + timeout + .seconds(5))
        return .dial(
            id, record.endpoint, route, isEncrypted: record.mayEncrypt, timeout: timeout)
    }

    mutating func failed(_ dial: Dial, _ failure: DialFailure, at now: Duration) -> [Action] {
        let endpoint = dial.sitter.endpoint
        switch failure.kind {
        case .timeout: return rest(endpoint, .dialTimedOut, at: now)
        case .refused: return rest(endpoint, .refused, at: now)
        case .noNetwork, .gateway:
            let network = endpoint.host.network
            // Attempts that were under way together count once.
            guard isOpen(network, at: now) else { return [] }
            let failures = (closedWays[network]?.pause.failures ?? 0) + 1
            let until = now + BackOff.ways.delay(afterFailures: failures)
            closedWays[network] = ClosedWay(
                pause: Pause(failures: failures, until: until), reason: failure.sentence)
            // Told once, until somebody is reached there again.
            return failures == 1 ? [.note(.wayFailed(failure))] : []
        }
    }

    private mutating func rest(
        _ endpoint: PeerEndpoint, _ fault: TransportFault, at now: Duration
    ) -> [Action] {
        book.failed(endpoint, .transport(fault), at: now, clock: clock).map { .store($0) }
    }

    // MARK: Seeds

    private mutating func lookUp(at now: Duration) -> [Action] {
        guard mayLookUp, seedRest.until <= now else { return [] }
        return run(lookup.start(at: now), at: now)
    }

    /// Whether seeds could help: clearnet is used, and one more of their peers may sit.
    private var mayLookUp: Bool {
        let fromSeeds = sitters.count { $0.source == .dnsSeed }
        return policy.mayLookUp && lookup.hasSeeds && !lookup.isRunning && !isListAwaited
            && (limits.seats == 1 || fromSeeds < limits.seats - 1)
    }

    mutating func run(_ actions: [SeedLookup.Action], at now: Duration) -> [Action] {
        var result: [Action] = []
        for action in actions {
            switch action {
            case .ask(let id, let name, let method):
                result.append(.resolve(id, name: name, by: method))
            case .finished(let hosts):
                seedRest.failures += 1
                seedRest.until = now + BackOff.seeds.delay(afterFailures: seedRest.failures)
                result.append(.note(.lookedUp(hosts: hosts.count)))
                book.dropUntried(.dnsSeed)
                for host in hosts.shuffled(using: &random) {
                    let endpoint = PeerEndpoint(host, port: chain.defaultPort)
                    guard let changes = try? book.add(endpoint, .dnsSeed) else { continue }
                    result += changes.map { .store($0) }
                }
                if !hosts.isEmpty { result += fill(at: now) }
            }
        }
        return result
    }

    // MARK: When and why

    /// When `time` should be called at the latest.
    public var nextDeadline: Duration? {
        var deadlines = lines.values.compactMap { $0.session.nextDeadline }
        deadlines += dials.values.map(\.deadline)
        if let deadline = lookup.nextDeadline { deadlines.append(deadline) }
        if let wakeUp { deadlines.append(wakeUp) }
        if let deadline = listFetch?.nextDeadline { deadlines.append(deadline) }
        return deadlines.min()
    }

    /// When somebody who could be dialled has rested, or a way is tried again.
    private func wakeUps(at now: Duration) -> [Duration] {
        var times = closedWays.values.map(\.pause.until)
        times += book.all.compactMap { record in
            guard DialRoute(to: record.endpoint, policy) != nil,
                book.ban(of: record.endpoint) == nil
            else { return nil }
            return book.rest(of: record.endpoint, at: now)?.until
        }
        if mayLookUp { times.append(seedRest.until) }
        return times
    }

    /// What the pool is doing.
    public func state(at now: Duration) -> PoolState {
        if sitters.count >= limits.seats { return .full }
        if lookup.isRunning { return .lookingUp }
        if sitters.isEmpty, withoutFilters > 0 { return .noneServesFilters }
        if !dials.isEmpty || lines.values.contains(where: { !$0.isSeated }) { return .dialling }
        if let (network, reason) = closedNetwork(at: now) { return .noWay(network, reason) }
        let reachable = book.all.filter {
            DialRoute(to: $0.endpoint, policy) != nil && book.ban(of: $0.endpoint) == nil
                && !sitters.map(\.endpoint).contains($0.endpoint)
        }
        guard !reachable.isEmpty else { return .noneKnown }
        let rests = reachable.map { book.rest(of: $0.endpoint, at: now)?.until }
        let next = rests.compactMap { $0 }.min()
        guard rests.allSatisfy({ $0 != nil }), let next else { return .limited }
        return .resting(until: next)
    }

    /// A network that is used and closed on all its ways, and why.
    private func closedNetwork(at now: Duration) -> (PeerNetwork, reason: String)? {
        for network in policy.networks.sorted() {
            let ways: [UInt8] = network == .clearnet ? [1, 2] : [network.rawValue]
            guard let way = ways.first(where: { !isOpen($0, at: now) }),
                let closed = closedWays[way],
                !book.all.contains(where: {
                    $0.endpoint.host.way == network && isOpen($0.endpoint.host.network, at: now)
                })
            else { continue }
            return (network, closed.reason)
        }
        return nil
    }

    // MARK: What a person asks for

    /// Adds a peer by hand and dials it.
    public mutating func add(
        _ endpoint: PeerEndpoint, at now: Duration
    ) throws(AddressBook.Refusal) -> [Action] {
        let changes = try book.add(endpoint, .manual)
        return changes.map { .store($0) } + fill(at: now)
    }

    /// Forgets a peer and closes its connection.
    public mutating func remove(
        _ endpoint: PeerEndpoint, at now: Duration
    ) throws(AddressBook.Refusal) -> [Action] {
        var actions: [Action] = try book.remove(endpoint).map { .store($0) }
        for (id, dial) in dials where dial.sitter.endpoint == endpoint {
            dials[id] = nil
            actions.append(.cancel(id))
        }
        actions += hangUp { $0.endpoint == endpoint }
        return actions + fill(at: now)
    }

    /// Forgets everything except what was added by hand. Connections stay.
    public mutating func forget() -> [Action] {
        seedRest = Pause(failures: 0, until: .zero)
        return book.forget().map { .store($0) }
    }

    /// Uses other networks from now on. What is on one that is not used any more is closed at once.
    public mutating func use(_ policy: RoutingPolicy, at now: Duration) -> [Action] {
        guard policy != self.policy else { return [] }
        self.policy = policy
        closedWays = [:]
        // Whatever is still being asked, nobody is asked more.
        if !policy.mayLookUp { lookup.cancel() }
        var actions: [Action] = dials.keys.sorted().map { .cancel($0) }
        dials = [:]
        actions += hangUp { DialRoute(to: $0.endpoint, policy) == nil }
        return actions + fill(at: now)
    }

    private mutating func hangUp(_ isMeant: (Diversity.Sitter) -> Bool) -> [Action] {
        var actions: [Action] = []
        for (id, line) in lines.sorted(by: { $0.key < $1.key }) where isMeant(line.sitter) {
            lines[id] = nil
            actions.append(.disconnect(id))
            if line.isSeated { actions.append(.unseated(id, .transport(.closed))) }
        }
        return actions
    }
}
