import Messages

extension NetworkProcess {
    /// The listener stays readable while nobody can be let in, so it must not be asked on every turn.
    mutating func acceptFailed(_ reason: String, _ now: Duration) {
        guard acceptGate.fail(until: now + limits.acceptPause) else { return }
        say(.warning, "a connection could not be accepted: \(reason)", now)
    }

    mutating func connected(_ id: QueryID) {
        acceptGate.succeed()
        guard acceptsConnections else {
            actions.append(.close(id))
            return
        }
        connections[id] = Throttle(
            perSecond: limits.framesPerSecond, atOnce: limits.framesAtOnce)
    }

    mutating func query(_ id: QueryID, _ request: QueryRequest, _ now: Duration) {
        guard connections[id] != nil else { return }
        connections[id]?.spend(1, at: now)
        queries += 1
        switch request {
        case .hello: actions.append(.reply(id, .welcome(chain)))
        case .ping(let nonce): actions.append(.reply(id, .pong(nonce: nonce)))
        case .status: actions.append(.reply(id, .status(status(at: now))))
        case .selfReport: actions.append(.selfReport(id))
        case .probe: actions.append(.probe(id))
        case .submit(let request, let file):
            connections[id]?.spend(file.count >> 16, at: now)
            submit(request, file, id)
        case .inquiry(let request): inquire(request, id)
        case .collected(let request): collected(request)
        case .chain(let request):
            connections[id]?.spend(request.weight, at: now)
            actions.append(.chain(id, request))
        }
    }

    mutating func queryEnded(_ id: QueryID, _ violation: String?, _ now: Duration) {
        guard connections.removeValue(forKey: id) != nil else { return }
        submissions.forget(id)
        if let violation { say(.warning, "a query was closed: \(violation)", now) }
    }
}
